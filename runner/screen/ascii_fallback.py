"""Terminals and files that cannot take every character: signs and lines by their nearest likeness in ASCII."""

from __future__ import annotations

import codecs
import io
import unicodedata
from typing import TextIO

from rich.cells import cell_len

_NAME = "tabletop-readable"
_LIKE = {
    **dict.fromkeys("─━═╌–—‐−―", "-"),
    **dict.fromkeys("│┃║▏▎", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┡┩╇╪╞╡┣┫╸╺╹╻†", "+"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’‚", "'"),
    **dict.fromkeys("▶→›≥", ">"),
    **dict.fromkeys("←‹≤", "<"),
    **dict.fromkeys("●○", "o"),
    **dict.fromkeys("✗×", "x"),
    **dict.fromkeys("▒█▓░", "#"),
    **dict.fromkeys("■↻", "@"),
    **dict.fromkeys("·•…", "."),
    **dict.fromkeys("⠋⠸⠦⠏", "|"),
    **dict.fromkeys("⠙⠼⠧", "/"),
    **dict.fromkeys("⠹⠴⠇", "-"),
    "★": "*",
    "✓": "v",
    "◌": "%",
    "◆": "$",
    "◇": "&",
    "↑": "^",
    "↓": "v",
    "⏎": "|",
}
"""One letter for each, so that tables stay in line."""


def make_readable(*streams: TextIO) -> None:
    """Have the streams that are not UTF-8 take any text: what they cannot show comes as its nearest likeness, or as ?."""
    codecs.register_error(_NAME, _nearest)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and not is_unicode(stream.encoding):
            stream.reconfigure(errors=_NAME)


def is_unicode(encoding: str | None) -> bool:
    """Whether an encoding takes every character."""
    return (encoding or "").lower().replace("-", "").replace("_", "").startswith("utf")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(_like(letter, error.encoding) for letter in error.object[error.start : error.end]), error.end


def _like(letter: str, encoding: str) -> str:
    if letter in _LIKE:
        return _LIKE[letter]
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    width = cell_len(letter)
    return bare if len(bare) == width else "?" * width
