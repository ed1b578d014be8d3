"""Reading the fields of answer data. A refusal says what is wrong and what is legal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from games.core.errors import IllegalAction
from games.core.wording import listed, quoted


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
