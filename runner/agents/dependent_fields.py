"""Fields of an answer whose legal values depend on its first field, said in the schema's descriptions.

A strict schema is flat and cannot say so itself: each field lists the values of all legal answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.core import Choices, Schema


def with_dependencies(fields: Mapping[str, Schema], choices: Choices) -> dict[str, Schema]:
    """The fields; the description of each that depends on the first one says which values go with which."""
    closed = [name for name, field in fields.items() if "enum" in field]
    if len(closed) < 2:
        return dict(fields)
    first, *others = closed
    said = {name: _dependency(first, name, [choice.answer for choice in choices]) for name in others}
    return {name: _described(field, said.get(name, "")) for name, field in fields.items()}


def _dependency(first: str, name: str, answers: Sequence[Mapping[str, Any]]) -> str:
    """The values of a field with each value of the first one; "" if they are always the same."""
    fitting: dict[Any, dict[Any, None]] = {}
    for answer in answers:
        fitting.setdefault(answer[first], {})[answer[name]] = None
    alike: dict[tuple[Any, ...], list[Any]] = {}
    for value, values in fitting.items():
        alike.setdefault(tuple(values), []).append(value)
    if len(alike) < 2:
        return ""
    return "; ".join(f"with {first} {_listed(heads)}: {_listed(values)}" for values, heads in alike.items())


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


def _described(field: Schema, dependency: str) -> Schema:
    return {**field, "description": f"{field['description']}; {dependency}"} if dependency else field
