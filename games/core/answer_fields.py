"""Reading the fields of answer data. A refusal says what is wrong and what is legal."""

from __future__ import annotations

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
    said = f'"{field}" cannot be {quoted(value)}{": " + otherwise if otherwise else ""}.'
    raise IllegalAction(said, f"It has to be {listed(allowed)}.")
