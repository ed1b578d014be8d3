"""JSON as the standard has it and as a game can use it: no NaN, no huge numbers, no key twice."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

_LARGEST_NUMBER = 2**53


class Unreadable(ValueError):
    """An answer no object can be read from, a model's mistake. `kind` is stable, `why` is for the player who gave it."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why


def strict_value(text: str) -> Any:
    """The JSON value that is the whole text, None when it is not JSON. Raises Unreadable for numbers out of bounds."""
    try:
        return _DECODER.decode(text.strip())
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        return None


def strict_object(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    """The JSON object that begins at `start` and where it ends, None when none does."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict) else None


def check_number(value: float) -> None:
    """Raises Unreadable for a number no game uses and other programs cannot hold."""
    if abs(value) > _LARGEST_NUMBER or not math.isfinite(value):
        raise Unreadable("bad_number", "the answer holds a number that is out of bounds or no number at all")


def _integer(digits: str) -> int:
    if len(digits) > 20:
        raise Unreadable("bad_number", "the answer holds a number with too many digits")
    check_number(value := int(digits))
    return value


def _real(digits: str) -> float:
    check_number(value := float(digits))
    return value


def _constant(name: str) -> NoReturn:
    raise Unreadable("bad_number", f"{name} is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object from its pairs; the same key twice is allowed only with the same value."""
    result: dict[str, Any] = {}
    for name, value in pairs:
        if name in result and result[name] != value:
            raise Unreadable("ambiguous", "the answer gives the same field twice, with different values")
        result[name] = value
    return result


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_real, parse_constant=_constant, object_pairs_hook=_unique)
