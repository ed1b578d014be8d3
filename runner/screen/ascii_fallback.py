"""ASCII fallback: similar ASCII characters for terminals and files that are not Unicode."""

from __future__ import annotations

import codecs
import io
import unicodedata
from typing import TextIO

from rich.cells import cell_len

_NAME = "tabletop-ascii"
_SIMILAR = {
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
    **dict(zip("▁▂▃▄▅▆▇", "_.:-=+*", strict=True)),
    "★": "*",
    "✦": "*",
    "±": "~",
    "✓": "v",
    "◌": "%",
    "◆": "$",
    "◇": "&",
    "↑": "^",
    "↓": "v",
    "⏎": "|",
    "␣": "_",
}
"""One letter for each, so that tables stay aligned."""


def use_ascii_fallback(*streams: TextIO) -> None:
    """Make streams that are not Unicode accept any text: a character they lack becomes a similar one, or ?."""
    codecs.register_error(_NAME, _replacement)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and not is_unicode(stream.encoding):
            stream.reconfigure(errors=_NAME)


def is_unicode(encoding: str | None) -> bool:
    """Whether an encoding has every character."""
    return (encoding or "").lower().replace("-", "").replace("_", "").startswith("utf")


def _replacement(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(_similar(letter, error.encoding) for letter in error.object[error.start : error.end]), error.end


def _similar(letter: str, encoding: str) -> str:
    if letter in _SIMILAR:
        return _SIMILAR[letter]
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    width = cell_len(letter)
    return bare if len(bare) == width else "?" * width
