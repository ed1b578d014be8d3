"""Making text of others safe to stand in a prompt."""

from __future__ import annotations

import json
import unicodedata

LONGEST = 600
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def fence(value: object, longest: int = LONGEST) -> str:
    """A text as one JSON string: on one line, in quotes that it cannot close, nothing invisible in it, bounded.

    What other players or decks wrote goes into a prompt only like this, so that no layout makes it an instruction.
    """
    text = str(value)
    if len(text) > longest:
        text = text[:longest] + f"… (cut, {len(text)} characters)"
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isprintable():
        return quoted
    return "".join(json.dumps(c)[1:-1] if unicodedata.category(c) in _INVISIBLE else c for c in quoted)
