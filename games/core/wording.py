"""Values, lists and counts in words, for messages to players and users."""

from __future__ import annotations

import json
from collections.abc import Sequence

_SHOWN = 80


def quoted(value: object) -> str:
    """A value from outside as JSON, cut to a bounded length, for use in a refusal; what cannot be seen is escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in shown)


def listed(values: Sequence[object], last: str = "or") -> str:
    """Values in words: `"a", "b" or "c"`."""
    words = [json.dumps(value, ensure_ascii=False) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else "nothing"


def counted(number: float, noun: str) -> str:
    """A number with its noun: `1 token`, `2 tokens`, `1,500 matches`."""
    ending = "" if abs(number) == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,.0f} {noun}{ending}"
