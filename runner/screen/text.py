"""Text of models, decks and logs, made harmless for a terminal."""

from __future__ import annotations

import json
import re
import unicodedata

from rich.text import Text

_DANGEROUS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = {"\u200d", "\ufe0f"}


def clean(text: object, longest: int = 1000) -> str:
    """The text on one line, without escapes, controls and marks that turn the direction, and bounded."""
    raw = str(text)
    shown = raw[:longest]
    letters = [" " if c in "\n\r\t\u2028\u2029\x85\x0b\x0c" else c for c in shown if c in _JOINERS or not _is_dangerous(c)]
    return "".join(letters) + (f"… (+{len(raw) - longest} characters)" if len(raw) > longest else "")


def json_text(data: object, encoding: str = "utf-8") -> str:
    """Data as JSON in which every character that is dangerous on a terminal, or that the encoding lacks, is escaped."""
    return _BEYOND_ASCII.sub(lambda found: _escaped(found[0], encoding), json.dumps(data, ensure_ascii=False))


def _escaped(letter: str, encoding: str) -> str:
    try:
        letter.encode(encoding)
        is_safe = letter in _JOINERS or unicodedata.category(letter) not in _DANGEROUS
    except UnicodeEncodeError:
        is_safe = False
    return letter if is_safe else "\\u007f" if letter == "\x7f" else json.dumps(letter)[1:-1]


_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")


def _is_dangerous(character: str) -> bool:
    return character not in "\n\r\t\u2028\u2029\x85\x0b\x0c" and unicodedata.category(character) in _DANGEROUS


def plain(text: object, style: str = "") -> Text:
    """A Rich text of somebody else's words: cleaned, and never read as markup."""
    return Text(clean(text), style=style)


def block(text: object, style: str = "", longest: int = 200_000) -> Text:
    """A Rich text of somebody else's words with their line breaks: each line cleaned, the whole bounded."""
    return Text(clean_block(text, longest), style=style)


def clean_block(text: object, longest: int = 200_000) -> str:
    """The text with its line breaks: each line cleaned, the whole bounded."""
    raw = str(text)
    cut = f"\n… (+{len(raw) - longest} characters)" if len(raw) > longest else ""
    return "\n".join(clean(line, longest) for line in raw[:longest].split("\n")) + cut
