"""Parts of a schema: its fields, without the legal values, and what stays the same for every decision of a role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def field_names(schema: Mapping[str, Any]) -> frozenset[str]:
    """The names of an answer's fields."""
    return frozenset(schema["properties"])


def without_values(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without the legal values of its fields."""
    return _without(schema, "enum")


def stable(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a schema that is the same for every decision of a role: the fields and their types."""
    return _without(schema, "enum", "description")


def _without(schema: Mapping[str, Any], *parts: str) -> dict[str, Any]:
    fields = {name: {part: field[part] for part in field if part not in parts} for name, field in schema["properties"].items()}
    return {**schema, "properties": fields}
