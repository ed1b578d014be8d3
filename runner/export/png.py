"""PNG: an SVG document as pixels, by resvg, which the extra `pictures` installs."""

from __future__ import annotations

from importlib.util import find_spec

from runner.errors import UsageError

_ZOOM = 2


def to_png(svg: str) -> bytes:
    """The picture at twice its size in pixels. UsageError where resvg is not installed."""
    if find_spec("resvg_py") is None:
        raise UsageError("PNG needs resvg: `pip install 'tabletop-runner[pictures]'` installs it. --svg works without it.")
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, zoom=_ZOOM, monospace_family="DejaVu Sans Mono"))
