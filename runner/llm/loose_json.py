"""JSON from endpoints and their lists of models, in which no value can do harm: what is out of bounds counts as no number."""

from __future__ import annotations

import json
import math

MOST_DIGITS = 300
"""Digits of an integer that is read as a number; a float holds 308."""


def loose_json(text: str) -> object:
    """The JSON value that is the text. Too long integers are NaN. Raises ValueError for what is no JSON or nests too deep."""
    try:
        return json.loads(text, parse_int=_integer)
    except RecursionError as error:
        raise ValueError("the JSON nests too deep") from error


def _integer(digits: str) -> float:
    return int(digits) if len(digits) <= MOST_DIGITS else math.nan


def number(value: object) -> float | None:
    """The value as a finite number, if it is one or spells one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
