"""Match page: a logged match as one self-contained HTML page, without network access, that works from a disk."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from runner.export.page.page_data import PageData
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.screen.perspective import EVERYTHING
from runner.screen.safe_text import clean
from runner.screen.seen_review import SeenReview

_PLACEHOLDER = re.compile("@@([A-Z]+)@@")
_SCRIPTS = ("page.js", "decision.js", "review.js", "moves.js", "chart.js", "controls.js", "keys.js")
_STYLES = ("page.css", "tables.css")

Link = tuple[str, str]
"""The words of a link and its address, relative to the page."""


def match_page(
    log: Log,
    view: str = EVERYTHING,
    review: SeenReview | None = None,
    *,
    replayed: Sequence[LoggedDecision] | None = None,
    has_thoughts: bool = False,
    links: Sequence[Link] = (),
) -> str:
    """The page of a log as a view may see it: `all`, `public` or a seat such as `P-1`. LogDamagedError for a damaged log.

    With `all` the reader can choose any view. With `has_thoughts` long thoughts are shown in full.
    `links` stand above the title, such as one to an index. Decision N has the fragment `#dN`. `replayed` are the decisions
    of the log, if they were read already. The same arguments give the same text.
    """
    page = PageData(log, list(decisions(log)) if replayed is None else replayed, view, review)
    data = page.data() | {"open": has_thoughts}
    parts = {
        "POLICY": _policy(),
        "TITLE": escape(page.title),
        "ROUND": escape(page.round_word),
        "LINKS": _links(links),
        "STYLE": _joined(_STYLES),
        "DATA": json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"),
        "SCRIPT": _joined(_SCRIPTS),
    }
    return _PLACEHOLDER.sub(lambda found: parts[found[1]], _joined(("match.html",)))


@cache
def _joined(names: Sequence[str]) -> str:
    folder = files("runner.export.page")
    return "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)


@cache
def _policy() -> str:
    """The Content-Security-Policy: nothing is loaded, and the page's own script alone runs."""
    digest = b64encode(sha256(_joined(_SCRIPTS).encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _links(links: Sequence[Link]) -> str:
    shown = "".join(f'<a href="{escape(address)}">{escape(clean(words))}</a> ' for words, address in links)
    return f'<nav id="site" aria-label="Site">{shown}</nav>' if links else ""
