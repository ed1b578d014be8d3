"""Match page: a logged match as one self-contained HTML page, without network access, that works from a disk."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from runner.export.html import to_html
from runner.record.reader import Log
from runner.screen.perspective import EVERYTHING
from runner.screen.seen_review import SeenReview

Link = tuple[str, str]
"""The words of a link and its address, relative to the page."""


def match_page(
    log: Log,
    view: str = EVERYTHING,
    review: SeenReview | None = None,
    *,
    has_thoughts: bool = False,
    links: Sequence[Link] = (),
) -> str:
    """The page of a log as a view may see it: `all`, `public` or a seat such as `P-1`. LogDamagedError for a damaged log.

    With `all` the reader can choose any view. `links` stand above the title, such as one to an index. Decision N has the
    fragment `#dN`. The same arguments give the same text.
    """
    page = to_html(log, view, has_thoughts, review)
    shown = "".join(f'<a href="{escape(address)}">{escape(words)}</a> ' for words, address in links)
    return page.replace("<header>\n", f'<header>\n<nav aria-label="Site">{shown}</nav>\n', 1) if links else page
