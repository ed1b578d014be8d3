"""Fences: make text of others safe inside a prompt."""

from __future__ import annotations

import json
import unicodedata

LONGEST = 600
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def fence(value: object, longest: int = LONGEST) -> str:
    """A text as one JSON string: on one line, in quotes that it cannot close, nothing invisible in it, bounded.

    Text of other players and of decks enters a prompt only like this, so that no layout turns it into an instruction.
    """
    text = str(value)
    if len(text) > longest:
        text = text[:longest] + f"… (cut, {len(text)} characters)"
    return as_json(text)


def as_json(value: object) -> str:
    """A value as JSON on one line, readable, with nothing invisible in it."""
    text = _ENCODE(value)
    if text.isprintable():
        return text
    return "".join(json.dumps(c)[1:-1] if is_invisible(c) else c for c in text)


def is_invisible(letter: str) -> bool:
    """Whether a letter is a control, a format mark or another invisible character."""
    return not letter.isprintable() and unicodedata.category(letter) in _INVISIBLE
