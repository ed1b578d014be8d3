"""JSON of a log's line: finite numbers, bounded length and nesting."""

from __future__ import annotations

import json
import marshal
import math
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, NoReturn

LONGEST_LINE = 16 * 2**20
"""Maximum bytes of a line."""

LARGEST_LOG = 2**30
"""Maximum bytes of a log, and of a log with every reference resolved."""

DEEPEST = 128
"""Maximum nesting of lists and objects in a line."""

_CONTAINERS = (dict, list)
_WITHOUT_REFERENCES = 2
"""Version of marshal's format, the last one that needs no table of the objects before."""

_INFINITY = marshal.dumps(math.inf, _WITHOUT_REFERENCES)[1:-1]
"""The bytes that both infinities share."""


def decode(text: str) -> object:
    """The data of JSON text. ValueError when it is not JSON, has a number that is not finite, or is nested too deeply."""
    try:
        data, end = _DECODER.raw_decode(text)
        if end != len(text):
            data = _DECODER.decode(text)  # blanks may follow, and nothing else
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    if len(text) > DEEPEST and text.count("[") + text.count("{") > DEEPEST and _is_deeper(data, DEEPEST):
        raise ValueError(_TOO_DEEP)
    return data


def decode_quickly(raw: bytes) -> Any:
    """What `decode` gives for the text in these bytes. ValueError where only `decode` can tell right from wrong."""
    if len(raw) > DEEPEST and raw.count(b"[") + raw.count(b"{") > DEEPEST:
        raise ValueError("many lists and objects")
    data = _quick_parser()(raw)
    if _has_infinity(data):
        raise ValueError("a large number")
    return data


def _has_infinity(data: Any) -> bool:
    """Whether data has a number that is not finite, or a text with the bytes of one. A dump is searched faster than data."""
    return _INFINITY in marshal.dumps(data, _WITHOUT_REFERENCES)


@cache
def _quick_parser() -> Callable[[bytes], Any]:
    """The parser of pydantic, which is faster than the one in Python's library and does not check that numbers are finite."""
    from pydantic_core import from_json

    return partial(from_json, allow_inf_nan=False)


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number of JSON")


def _finite(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise ValueError("a number is too large")
    return value


def _is_deeper(data: object, levels: int) -> bool:
    """Whether data is nested deeper than a number of levels."""
    level = [data]
    for _ in range(levels):
        level = [part for whole in level for part in _parts(whole) if type(part) in _CONTAINERS]
        if not level:
            return False
    return True


def _parts(whole: object) -> Iterable[object]:
    return whole.values() if isinstance(whole, dict) else whole if isinstance(whole, list) else ()


_TOO_DEEP = f"lists and objects are nested more than {DEEPEST} levels deep"
_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_constant)
