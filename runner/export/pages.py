"""Pages: HTML and SVG from templates, with every text escaped. A page loads nothing; its policy allows its own script alone."""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from textwrap import wrap
from typing import cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from games.core import Game, counted
from runner.errors import UsageError
from runner.game_folders import rules_text
from runner.screen.safe_text import clean
from runner.screen.seat_labels import grouped
from runner.standings.tables import interval_text, rating_text, share_text


def render(template: str, **facts: object) -> str:
    """A page. Every text among the facts is escaped, unless it is Markup."""
    return _environment().get_template(template).render(**facts)


def macro(template: str, name: str) -> Callable[..., Markup]:
    """A macro of a template."""
    return cast("Callable[..., Markup]", getattr(_environment().get_template(template).module, name))


@cache
def part(*names: str) -> Markup:
    """Style sheets or scripts of pages, one after the other, such as `page/chart.js`."""
    return Markup("\n".join(files("runner.export").joinpath(name).read_text(encoding="utf-8") for name in names))


ICON = f"data:image/svg+xml;base64,{b64encode(part('templates/icon.svg').encode()).decode()}"
"""The icon of pages, as data."""


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("runner.export"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "usd": lambda amount: f"${amount:,.4f}" if amount else "–",
        "percent": lambda share: f"{share * 100:.1f} %",
        "day": lambda created: created[:10],
        "counted": counted,
        "clean": clean,
        "grouped": grouped,
        "json": _json,
        "digest": _digest,
        "px": lambda number: f"{number:.1f}",
        "cut": lambda text, most: text if len(text) <= most else f"{text[: max(1, most - 1)]}…",
        "wrap": wrap,
        "plain": plain_markdown,
        "cell": lambda text: Markup(re.sub(r"[\\`*_\[\]<>|]", r"\\\g<0>", clean(text))),
    }
    environment.globals |= {"rating_text": rating_text, "interval_text": interval_text, "share_text": share_text}
    environment.globals |= {"part": part, "icon": ICON}
    return environment


def _json(data: object) -> Markup:
    """Data as JSON for a script element, which no text in it can end."""
    return Markup(json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"))


@cache
def _digest(text: str) -> Markup:
    """The digest by which a policy allows a script or a style sheet."""
    return Markup(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'")


_FOR_PROGRAMS = ("## Answers\n", "## Phases\n")
"""The sections of a RULES.md that describe the answers of programs and the code."""


def rules_page(game: Game) -> str:
    """The rules of a game as a page for people, without the parts that are for programs."""
    from markdown_it import MarkdownIt

    sections = re.split(r"(?m)^(?=## )", rules_text(game))
    words = "".join(section for section in sections if not section.startswith(_FOR_PROGRAMS))
    written = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link"]).render(words)
    return render("rules.html", title=game.title, words=Markup(_scrolling(written)))


def _scrolling(written: str) -> str:
    """A page in whose tables keys can scroll, and no heading of a column is empty."""
    wide = '<div class="wide" role="group" tabindex="0" aria-label="Table"><table>'
    return written.replace("<table>", wide).replace("</table>", "</table></div>").replace("<th></th>", "<td></td>")


_SPECIAL = re.compile(r"([\\`*_\[\]<>|&~$]|:(?=//)|^[#+=-]|^\d+(?=[.)])|(?<=www)\.)")


def plain_markdown(text: object) -> Markup:
    """Text on one line of Markdown, with its special characters escaped."""
    return Markup(_SPECIAL.sub(r"\\\1", clean(text, 5000)))


def to_png(svg: str, zoom: int = 2) -> bytes:
    """An SVG document in pixels, at twice its size. UsageError where resvg is not installed."""
    if find_spec("resvg_py") is None:
        raise UsageError("PNG needs resvg: `pip install 'tabletop-runner[pictures]'` installs it. --svg works without it.")
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, zoom=zoom, monospace_family="DejaVu Sans Mono"))
