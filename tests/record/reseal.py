"""Resealed logs: one field of one record changed to another shape, and every hash made good again, as a forger would."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from runner.record.line import FIRST, seal
from tests.record.matches import NOTE

GONE = object()
"""The shape of a field that is not there."""

Field = tuple[str, int, tuple[str | int, ...]]
"""A field of a log: the kind of its record, the place of the record, the path within."""


def _nested(levels: int, inner: Any = 0, name: str | None = None) -> Any:
    for _ in range(levels):
        inner = [inner] if name is None else {name: inner}
    return inner


CONSTANT: Mapping[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "zero": 0,
    "one": 1,
    "minus one": -1,
    "seven": 7,
    "99": 99,
    "billion": 10**9,
    "2^31": 2**31,
    "2^53": 2**53,
    "2^53+1": 2**53 + 1,
    "2^63": 2**63,
    "-2^63": -(2**63),
    "2^64": 2**64,
    "300 digits": 10**300,
    "4000 digits": 10**4000,
    "minus 4000 digits": -(10**4000),
    "half": 0.5,
    "minus half": -0.5,
    "one as float": 1.0,
    "tiny": 5e-324,
    "large float": 1.7e308,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "minus zero": -0.0,
    "empty text": "",
    "blank": " ",
    "letter": "x",
    "digit": "1",
    "seat": "P-0",
    "hex digits": "0" * 32,
    "long text": "x" * 100_000,
    "many lines": "\n" * 5000,
    "escape": "\x1b]0;owned\x07\x1b[2J\x1b[31m",
    "nul": "a\x00b",
    "surrogate": "\ud800",
    "surrogate pair the wrong way": "\udc00\ud800",
    "direction marks": "\u202e\u2066x\u2069",
    "separator": "\u2028\u2029",
    "emoji": "👩‍👩‍👧‍👦" * 50,
    "combining": "e" + "\u0301" * 1000,
    "script": "</script><script>1</script>",
    "markup": "[bold]x[/bold][/]",
    "braces": "{{ 1 }}{% raw %}",
    "percent": "%s%n%(x)s{0}",
    "path": "../../../etc/passwd",
    "absolute path": "/dev/zero",
    "long name": "n" * 5000,
    "bot": "bot:random",
    "command": "cmd:false",
    "address": "model@http://127.0.0.1:9/v1",
    "formula": "=1+1",
    "empty list": [],
    "empty object": {},
    "list": [1, 2, 3],
    "list of null": [None],
    "list of lists": [[], [[]]],
    "many": [0] * 20_000,
    "object": {"a": 1},
    "empty key": {"": None},
    "escape key": {"\x1b[2J": "\x1b[2J"},
    "reference": {"$": "0" * 32},
    "reference to a number": {"$": 5},
    "reference to a list": {"$": []},
    "deep list": _nested(120),
    "deeper list": _nested(900),
    "deeper object": _nested(900, name="a"),
    "missing": GONE,
}
"""Shapes that take no notice of what was there."""

CHANGES: Mapping[str, Callable[[Any], Any]] = {
    "in a list": lambda old: [old],
    "in an object": lambda old: {"value": old},
    "as text": str,
    "doubled": lambda old: old * 2 if isinstance(old, (str, list, int, float)) else [old, old],
    "negated": lambda old: -old if isinstance(old, (int, float)) else [old],
    "one more": lambda old: old + 1 if isinstance(old, (int, float)) else {"a": old},
    "backwards": lambda old: old[::-1] if isinstance(old, (str, list)) else [[old]],
    "extra": lambda old: {**old, "extra": [None]} if isinstance(old, dict) else {"extra": old},
    "shorter": lambda old: old[:-1] if isinstance(old, (str, list)) else None,
    "a thousand times": lambda old: [old] * 1000,
}
"""Shapes that are made of what was there."""

SHAPES = (*CONSTANT, *CHANGES)


def records_of(raw: bytes) -> list[dict[str, Any]]:
    """The records of a log, without their hashes."""
    records = [json.loads(line) for line in raw.splitlines()]
    return [{name: value for name, value in record.items() if name not in ("prev", "hash")} for record in records]


def fields(records: Sequence[Mapping[str, Any]]) -> Iterator[Field]:
    """Every field of every kind of record, each where it first comes."""
    known = set()
    for place, record in enumerate(records):
        for path in _paths(record, 0):
            what = record["kind"], tuple("#" if isinstance(step, int) else step for step in path)
            if what not in known:
                known.add(what)
                yield record["kind"], place, path


def _paths(data: Any, depth: int) -> Iterator[tuple[str | int, ...]]:
    if depth > 4:
        return
    entries = data.items() if isinstance(data, dict) else enumerate(data[:2]) if isinstance(data, list) else ()
    for step, value in entries:
        yield (step,)
        for path in _paths(value, depth + 1):
            yield (step, *path)


def resealed(records: Sequence[Mapping[str, Any]]) -> bytes:
    """A log with these records, every hash good."""
    last, out = FIRST, b""
    for record in records:
        line, last = seal(record, last)
        out += line
    return out


def changed(records: Sequence[dict[str, Any]], field: Field, shape: str) -> bytes:
    """The log with a field changed."""
    _, place, path = field
    record = deepcopy(records[place])
    holder: Any = record
    for step in path[:-1]:
        holder = holder[step]
    new = CONSTANT[shape] if shape in CONSTANT else CHANGES[shape](holder[path[-1]])
    if new is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = new
    return resealed([*records[:place], record, *records[place + 1 :]])


def with_pauses(raw: bytes) -> list[dict[str, Any]]:
    """A log that was stopped and resumed before its end, with a change of everything that can change."""
    *records, result = records_of(raw)
    header = records[0]
    resumed = {**NOTE, "seats": header["seats"], "prompts": header["prompts"], "budget": {"usd": 5.0, "tokens": 10**6}}
    pause = {"kind": "pause", "why": "interrupted", "at": NOTE["at"]}
    return records_of(resealed([*records, pause, resumed, result]))
