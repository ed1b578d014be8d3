"""Whether an object fits the flat JSON Schema of an answer, which tells an answer from other objects in the same text."""

from __future__ import annotations

from collections.abc import Mapping

from runner.json_types import JsonObject

_KINDS: dict[object, type | tuple[type, ...]] = {"string": str, "integer": int, "number": (int, float), "boolean": bool}


def fits(data: Mapping[str, object], schema: JsonObject) -> bool:
    """Whether an object, or the one that it wraps, has all required fields with values of their enums or types.

    Letter case, blanks and punctuation of text do not matter here: the game reads them as leniently.
    """
    fields, required = schema.get("properties"), schema.get("required", ())
    if not (isinstance(fields, Mapping) and isinstance(required, (list, tuple))):
        return False
    if all(name in data and _is_value(data[name], fields.get(name)) for name in required):
        return True
    inner = next(iter(data.values())) if len(data) == 1 else None
    return isinstance(inner, Mapping) and fits(inner, schema)


def _is_value(value: object, field: object) -> bool:
    if not isinstance(field, Mapping):
        return True
    if isinstance(field.get("enum"), list):
        return isinstance(value, (str, int)) and _plain(value) in map(_plain, field["enum"])
    kind = _KINDS.get(field.get("type"))
    return kind is None or isinstance(value, kind)


def _plain(value: object) -> str:
    text = str(value).casefold()
    return "".join(filter(str.isalnum, text)) or text
