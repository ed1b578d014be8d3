"""Taking answer data apart, with refusals that let a player correct the answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from games.core.errors import IllegalAction

_SHOWN = 80


def quoted(value: object) -> str:
    """A value from outside as JSON, cut to a bounded length, for use in a refusal."""
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def listed(values: Sequence[object], last: str = "or") -> str:
    """Values in words: `"a", "b" or "c"`."""
    words = [json.dumps(value, ensure_ascii=False) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else "nothing"


def counted(number: float, noun: str) -> str:
    """A number with its noun: `1 token`, `2 tokens`, `1,500 matches`."""
    ending = "" if abs(number) == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,.0f} {noun}{ending}"


def fields(data: object, *names: str) -> list[Any]:
    """The values of exactly these fields of an answer, in this order. IllegalAction when it is no such object."""
    wanted = f"an object with the field{'s' if len(names) > 1 else ''} {listed(names, 'and')}"
    if not isinstance(data, dict):
        raise IllegalAction(f"The answer has to be {wanted}, not {quoted(data)}.")
    for name in names:
        if name not in data:
            raise IllegalAction(f'The field "{name}" is missing: the answer has to be {wanted}.')
    if unknown := sorted(str(name) for name in data if name not in names):
        raise IllegalAction(f"The field {quoted(unknown[0])} is not known: the answer has to be {wanted}.")
    return [data[name] for name in names]


def chosen(field: str, value: object, allowed: Sequence[Any], otherwise: str = "") -> Any:
    """The value, when it is one of those allowed; `otherwise` says why it may not be, where the game knows better."""
    for candidate in allowed:
        if type(candidate) is type(value) and candidate == value:
            return candidate
    reason = otherwise or _likeness(value, allowed)
    said = f'"{field}" cannot be {quoted(value)}{": " + reason if reason else ""}.'
    raise IllegalAction(said, f"It has to be {listed(allowed)}.")


def _likeness(value: object, allowed: Sequence[Any]) -> str:
    for candidate in allowed:
        if isinstance(candidate, str) and isinstance(value, str) and candidate.casefold() == value.strip().casefold():
            return f"written exactly, it is {json.dumps(candidate, ensure_ascii=False)}"
        digits = "".join(letter for letter in str(candidate) if letter.isdigit())
        if type(candidate) is not type(value) and digits and str(value) == digits:
            return f"it is written {json.dumps(candidate)}"
    return ""
