"""Random answers that fit a JSON Schema, or break it on purpose."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from typing import Any

from runner.llm.offline_text import phrase, reason, talk

Schema = Mapping[str, Any]

_SCHEMA_START = re.compile(r'\{\s*"(?:type|\$schema|title|properties)"\s*:')
_VALUE = r'(?:"(?:[^"\\\x00-\x1f]|\\["\\])*"|-?(?:0|[1-9]\d{0,9})\b)'
_GOES_WITH = re.compile(rf"\bwith (\w+) ({_VALUE}(?:, {_VALUE})*): ({_VALUE}(?:, {_VALUE})*)")
"""`with action "tax", "income": "none"` in a description: the values of this field that go with those of another."""

_DEPTH = 8

_SPOKEN = {"reason": reason, "say": talk}
"""Texts of the fields that are the model's own and not the game's."""


def schema_in(text: str) -> Schema | None:
    """The last JSON Schema of an object in a text, None if there is none."""
    decoder = json.JSONDecoder()
    found: Schema | None = None
    position = 0
    while (start := _SCHEMA_START.search(text, position)) is not None:
        try:
            value, position = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            position = start.end()
            continue
        if isinstance(value, dict) and isinstance(value.get("properties"), dict):
            found = value
    return found


def sampled(schema: Schema, chance: random.Random, depth: int = 0) -> object:
    """A value that fits the schema: enums evenly, numbers within their bounds, free text from a stock of lines."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return chance.choice(list(schema["enum"]))
    options = schema.get("anyOf") or schema.get("oneOf")
    if options and depth < _DEPTH:
        return sampled(chance.choice(list(options)), chance, depth + 1)
    return _of_kind(_kind(schema, chance), schema, chance, depth)


def _kind(schema: Schema, chance: random.Random) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return str(chance.choice(kind))
    return str(kind or ("object" if "properties" in schema else "string"))


def _of_kind(kind: str, schema: Schema, chance: random.Random, depth: int) -> object:
    match kind:
        case "object":
            return _object(schema.get("properties", {}), chance, depth) if depth < _DEPTH else {}
        case "array":
            return _array(schema, chance, depth)
        case "integer":
            return chance.randint(*_bounds(schema))
        case "number":
            return round(chance.uniform(*_bounds(schema)), 2)
        case "boolean":
            return chance.random() < 0.5
        case "null":
            return None
        case _:
            return phrase(chance)[: schema.get("maxLength")]


def _object(fields: Mapping[str, Schema], chance: random.Random, depth: int) -> dict[str, object]:
    """A value for each field; it goes with the values before it, where the field's description says which do."""
    found: dict[str, object] = {}
    for name, field in fields.items():
        fitting = fitting_values(field, found)
        spoken = _SPOKEN.get(name) if field.get("type") == "string" and "enum" not in field else None
        found[name] = spoken(chance) if spoken else chance.choice(fitting) if fitting else sampled(field, chance, depth + 1)
    return found


def fitting_values(field: Schema, before: Mapping[str, object]) -> list[object]:
    """The values of an enum that go with the fields before it; none where the description does not say."""
    for name, heads, values in _GOES_WITH.findall(str(field.get("description", ""))):
        if name in before and before[name] in json.loads(f"[{heads}]"):
            return [value for value in json.loads(f"[{values}]") if value in field.get("enum", ())]
    return []


def _bounds(schema: Schema) -> tuple[int, int]:
    lowest = int(schema.get("minimum", 0))
    return lowest, max(lowest, int(schema.get("maximum", lowest + 10)))


def _array(schema: Schema, chance: random.Random, depth: int) -> list[object]:
    least = int(schema.get("minItems", 0))
    count = chance.randint(least, max(least, int(schema.get("maxItems", least + 2))))
    items = schema.get("items") or {}
    if schema.get("uniqueItems") and items.get("enum"):
        return chance.sample(list(items["enum"]), min(count, len(items["enum"])))
    return [sampled(items, chance, depth + 1) for _ in range(count if depth < _DEPTH else least)]


def spoilt(answer: dict[str, object], schema: Schema, chance: random.Random) -> dict[str, object]:
    """The answer with one illegal field: a value outside its enum, or blank text."""
    fields = schema.get("properties", {})
    closed = [name for name in answer if fields.get(name, {}).get("enum")]
    names = closed or [name for name in answer if name not in _SPOKEN]
    name = chance.choice(names) if names else "nothing"
    return {**answer, name: _outside(fields.get(name, {}).get("enum"))}


def _outside(values: list[Any] | None) -> object:
    if not values:
        return " "
    if all(isinstance(value, int) for value in values):
        return max(values) + 1
    return f"not {values[0]}"
