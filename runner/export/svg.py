"""SVG: the shapes of the plots, and an SVG document as pixels (by resvg, which the extra `pictures` installs)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec

from runner.errors import UsageError

INK, QUIET, MARK, FAINT, BACK = "#1b1f24", "#8c959f", "#0969da", "#d8dee4", "#fff"
_NAMES = {INK: "ink", QUIET: "quiet", MARK: "mark", FAINT: "faint", BACK: "back"}
SEATS = ("#0a6579", "#932697", "#725500", "#1c6b2f", "#2a55c9", "#b3261e", "#954600", "#555961", "#6a45c2", "#8a2f5d")
"""The colours of the seats, as on the light page of a match."""

_FONT = 'font-family="system-ui, DejaVu Sans, sans-serif" font-size="13"'


def _paint(**paints: str) -> str:
    """Attributes with colours, and classes such as `fill-ink`, by which the style sheet of a page gives others."""
    classes = " ".join(f"{use}-{_NAMES[colour]}" for use, colour in paints.items() if colour in _NAMES)
    colours = " ".join(f'{use}="{colour}"' for use, colour in paints.items())
    return f'class="{classes}" {colours}' if classes else colours


def line(x1: float, y1: float, x2: float, y2: float, ink: str, width: float = 1, dashes: str = "") -> str:
    """A line from one point to another."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} {_paint(stroke=ink)} stroke-width="{width}"{dashed}/>'


def path(points: Sequence[tuple[float, float]], ink: str, dashes: str = "", width: float = 2) -> str:
    """A line through points."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    drawn = f'fill="none" {_paint(stroke=ink)} stroke-width="{width}" stroke-linejoin="round"{dashed}'
    return f'<polyline points="{ends}" {drawn}/>'


def dot(x: float, y: float) -> str:
    """A dot."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" {_paint(fill=MARK)}/>'


def box(x: float, y: float, width: float, height: float, opacity: float) -> str:
    """A filled box."""
    size = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {size} {_paint(fill=MARK, stroke=FAINT)} fill-opacity="{opacity:.3f}"/>'


def word(x: float, y: float, text: str, ink: str = INK, anchor: str = "middle") -> str:
    """A text at a point."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {_paint(fill=ink)}>{escape(text)}</text>'


def moved(parts: Sequence[str], y: float) -> str:
    """Shapes, moved down."""
    return f'<g transform="translate(0 {y:.0f})">{"".join(parts)}</g>'


def figure(title: str, parts: Sequence[str], width: float, height: float) -> str:
    """A drawing with its title above, as a part of an HTML page."""
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    drawn = f'<svg role="img" aria-label="{escape(title)}" {size} {_FONT}>'
    return f"<figure><figcaption>{escape(title)}</figcaption>{drawn}{''.join(parts)}</svg></figure>"


def document(title: str, parts: Sequence[str], width: float, height: float) -> str:
    """A drawing as an SVG document with a white background."""
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {_FONT}><title>{escape(title)}</title>'
    return f'{head}<rect width="100%" height="100%" fill="{BACK}"/>{"".join(parts)}</svg>\n'


_ZOOM = 2


def to_png(svg: str, zoom: int = _ZOOM) -> bytes:
    """The picture in pixels, at twice its size. UsageError where resvg is not installed."""
    if find_spec("resvg_py") is None:
        raise UsageError("PNG needs resvg: `pip install 'tabletop-runner[pictures]'` installs it. --svg works without it.")
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, zoom=zoom, monospace_family="DejaVu Sans Mono"))
