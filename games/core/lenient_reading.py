"""Lenient reading: the exact spelling of an answer that can mean one thing only.

Letter case, blanks, underscores, hyphens and quotation marks around a value do not count, `1` and `P1` stand for `P-1`, numbers
may be text, extra fields and one wrapping object are left out, and a missing field takes its only legal value. Free text is
never changed. What can mean several values keeps its spelling, and so is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any

from games.core.question import Answer, Schema

KnownValues = Callable[[str], Collection[Any]]
"""From a field to values that name something there, legal now or not."""

_TOKEN = re.compile(r"\d+|[^\W\d_]+|[^\w\s]")
_QUOTES = frozenset("\"'`´‘’‚‛“”„‟«»‹›")
_DASHES = frozenset("-‐‑‒–—―−")
_SEAT = re.compile(r"P-(\d+)")
_LARGEST = 2**53
"""Largest number whose float is exact."""


def exact_form(data: object, schema: Schema, legal: Sequence[Answer], known: KnownValues) -> object:
    """Answer data in the spelling of the legal answers; parts that mean none of them, or several, are as they were."""
    properties: Schema = schema["properties"]
    given = _own_fields(data, properties)
    if given is None:
        return data
    free = {name for name, field in properties.items() if "enum" not in field}
    for field in given.keys() - free:
        given[field] = _spelled(given[field], [answer.get(field) for answer in legal], known(field))
    return given if free else _filled(given, legal)


def _own_fields(data: object, properties: Collection[str]) -> Answer | None:
    """The fields of the answer alone, in data or in the one object that wraps it; None when they are there twice or more."""
    if not isinstance(data, dict):
        return None
    inner = [found for value in data.values() if isinstance(value, dict) and (found := _named(value, properties))]
    own = [] if inner and len(data) == 1 else _named(data, properties)
    objects = [found for found in (own, *inner) if found] or [own]
    fields = dict(objects[0])
    return fields if len(objects) == 1 and len(fields) == len(objects[0]) else None


def _named(data: dict[Any, Any], properties: Collection[str]) -> list[tuple[str, Any]]:
    """The fields of an answer in data, a field twice when two names stand for it."""
    plain = {_plain(field): field for field in properties}
    return [(plain[_plain(name)], value) for name, value in data.items() if _plain(name) in plain]


def _plain(value: object) -> str | None:
    """What counts of the spelling of a value; None for a value that is neither text nor a whole number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return str(int(value)) if abs(value) <= _LARGEST else None
    if not isinstance(value, str):
        return None
    plain = ""
    for token in _TOKEN.findall(value.casefold()):
        if token in _QUOTES or (token in _DASHES and plain[-1:].isalpha()):
            continue
        plain += f" {token}" if token[0].isdigit() and plain[-1:].isdigit() else token
    return plain


@lru_cache(maxsize=4096, typed=True)
def _spellings(value: object) -> set[str | None]:
    """Every plain spelling that stands for a legal value: `p1` and `1` for a seat."""
    seat = _SEAT.fullmatch(value) if isinstance(value, str) else None
    return {_plain(value), seat[1]} if seat else {_plain(value)}


def _spelled(value: object, legal: Collection[Any], known: Iterable[Any]) -> object:
    """The legal or known value that a value stands for; the value itself when it stands for none or for several."""
    plain = _plain(value)
    if not plain:
        return value
    found = [candidate for candidate in dict.fromkeys((*legal, *known)) if plain in _spellings(candidate)]
    return found[0] if len(found) == 1 else value


def _filled(given: Answer, legal: Sequence[Answer]) -> Answer:
    """The only legal answer with these values; the values themselves when there is none or more."""
    chosen = {field: value for field, value in given.items() if not _is_blank(value)}
    found = [answer for answer in legal if all(_is_same(answer.get(field), value) for field, value in chosen.items())]
    return found[0] if len(found) == 1 else given


def _is_blank(value: object) -> bool:
    return value is None or _plain(value) == ""


def _is_same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other
