"""JSON of others: strict for the answers of models, loose for endpoints, and repaired where it is not quite JSON."""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from runner.digest import JsonObject


def without_surrogates(text: str) -> str:
    """The text with lone surrogates replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """JSON data with every text and every name of a field changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(name): each_text(inner, change) for name, inner in value.items()}
    return [each_text(inner, change) for inner in value] if isinstance(value, list) else value


MOST_DIGITS = 300
"""Digits of an integer that is read as a number; a float holds 308."""


def loose_json(text: str) -> object:
    """The JSON value that is the text. Too long integers are NaN. Raises ValueError for what is no JSON or nests too deep."""
    try:
        return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) <= MOST_DIGITS else math.nan)
    except RecursionError as error:
        raise ValueError("the JSON nests too deep") from error


def number(value: object) -> float | None:
    """The value as a finite number, if it is one or spells one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def mapping(value: object) -> JsonObject:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


_LONGEST_NAME = 300


def name_in(value: object) -> str | None:
    """The beginning of the value if it is a text with something in it."""
    return without_surrogates(value[:_LONGEST_NAME]) if isinstance(value, str) and value else None


def count_in(value: object) -> int:
    """The value as a count; 0 for anything else."""
    found = number(value)
    return int(found) if found is not None and 0 <= found < 10**9 else 0


def is_deeper(data: object, levels: int) -> bool:
    """Whether lists and objects are nested more than this many levels deep."""
    level: list[Any] = [data]
    for _ in range(levels):
        inner = (whole.values() if isinstance(whole, dict) else whole for whole in level if type(whole) in (dict, list))
        level = [part for parts in inner for part in parts if type(part) in (dict, list)]
        if not level:
            return False
    return True


_LARGEST_NUMBER = 2**53


class Unreadable(ValueError):
    """An answer that holds no readable object: the model's mistake. `kind` is stable, `why` is shown to the player."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why


def strict_value(text: str) -> object:
    """The JSON value that is the whole text, None if it is not JSON. Raises Unreadable for numbers out of bounds."""
    return _decoded(_DECODER.decode, text.strip())


def strict_object(text: str, start: int) -> tuple[dict[str, object], int] | None:
    """The JSON object that begins at `start`, and its end; None if there is none. Raises Unreadable as above."""
    found = _decoded(_DECODER.raw_decode, text, start)
    return found if isinstance(found, tuple) and isinstance(found[0], dict) else None


def _decoded(decode: Callable[..., Any], *given: object) -> Any:
    try:
        return decode(*given)
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        return None


def _bounded(value: float) -> float:
    if abs(value) > _LARGEST_NUMBER or not math.isfinite(value):
        raise Unreadable("bad_number", "the answer holds a number that is out of bounds or no number at all")
    return value


def _integer_of_answer(digits: str) -> float:
    if len(digits) > 20:
        raise Unreadable("bad_number", "the answer holds a number with too many digits")
    return _bounded(int(digits))


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


_DECODER = json.JSONDecoder(
    parse_int=_integer_of_answer,
    parse_float=lambda digits: _bounded(float(digits)),
    parse_constant=_constant,
    object_pairs_hook=_unique,
)
_LITERALS = {True: re.compile(r"\btrue\b", re.IGNORECASE), False: re.compile(r"\bfalse\b", re.IGNORECASE)}
_NULL = re.compile(r"\b(?:null|none|undefined)\b", re.IGNORECASE)
_BLANKS = re.compile(r"[\s\\]+")
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])*'(?=\s*[,:}\]])")
_ALTERNATIVES = re.compile(r":\s*-?\d[\d.]*\s*(?:\||/(?![/*])|\bor\b)\s*-?\d")


def repaired_object(text: str) -> dict[str, object]:
    """The object in a balanced, complete slice of text, with quotes, commas and comments corrected. Unreadable if the repair
    finds none, adds a name or value that the text does not hold, or would take the first of several numbers."""
    from json_repair import repair_json

    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError, TypeError, KeyError):
        value = None
    if not isinstance(value, dict):
        raise Unreadable("unrepairable", "the answer's JSON object is broken")
    _check(value, text, _BLANKS.sub("", text))
    for name in value:
        if len(re.findall(rf"[{{,\n]\s*[\"'“”‘’]?{re.escape(name)}[\"'“”‘’]?\s*:", text)) > 1:
            raise Unreadable("ambiguous", "the answer gives the same field twice")
    if _ALTERNATIVES.search(_QUOTED.sub("", text)):
        raise Unreadable("ambiguous", "the answer gives a field more than one value")
    return value


def _check(value: object, text: str, squeezed: str) -> None:
    """Unreadable if a part of the value is not in the text, which is `squeezed` without its blanks."""
    if isinstance(value, (dict, list)):
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            _check(part, text, squeezed)
    elif not _stands(value, text, squeezed):
        raise Unreadable("unrepairable", "the answer's JSON object is broken")


def _stands(value: object, text: str, squeezed: str) -> bool:
    if isinstance(value, bool):
        return _LITERALS[value].search(text) is not None
    if value is None:
        return _NULL.search(text) is not None
    if isinstance(value, (int, float)):
        return re.search(rf"(?<![\w.]){re.escape(str(_bounded(value)))}(?![\w.]*\w)", text) is not None
    if not isinstance(value, str):
        return False
    wanted = _BLANKS.sub("", value)
    return wanted in squeezed if wanted else '""' in squeezed or "''" in squeezed
