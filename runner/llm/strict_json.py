"""Strict JSON: no NaN, no numbers out of bounds, no key twice with different values."""

from __future__ import annotations

import json
import math
from typing import NoReturn

_LARGEST_NUMBER = 2**53


class Unreadable(ValueError):
    """An answer that holds no readable object: the model's mistake. `kind` is stable, `why` is shown to the player."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why


def strict_value(text: str) -> object:
    """The JSON value that is the whole text, None if it is not JSON. Raises Unreadable for numbers out of bounds."""
    try:
        value: object = _DECODER.decode(text.strip())
        return value
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        return None


def strict_object(text: str, start: int) -> tuple[dict[str, object], int] | None:
    """The JSON object that begins at `start`, and its end; None if there is none."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict) else None


def check_number(value: float) -> None:
    """Unreadable for a number out of bounds, or not a number."""
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


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object from its pairs. The same key twice must have the same value."""
    result: dict[str, object] = {}
    for name, value in pairs:
        if name in result and result[name] != value:
            raise Unreadable("ambiguous", "the answer gives the same field twice, with different values")
        result[name] = value
    return result


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_real, parse_constant=_constant, object_pairs_hook=_unique)
