"""Record fields: the types of fields that a log has, with what JSON Schema says of each."""

from collections.abc import Callable, Mapping
from typing import Annotated, TypeAlias

Schema = dict[str, object]

_CONSTRAINTS: Mapping[str, str] = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "minItems": "min_length",
    "maxItems": "max_length",
    "minLength": "min_length",
    "maxLength": "max_length",
    "pattern": "pattern",
}
"""pydantic's constraint for each keyword that is one. The others describe."""

LARGEST = 2**53
"""Maximum of a count: every reader of JSON has the whole numbers up to here."""

MOST_PLAYERS = 100
"""Maximum players of a match in a log."""


class Keywords:
    """JSON Schema keywords that a type does not say by itself."""

    def __init__(self, **keywords: object) -> None:
        self._keywords = keywords

    def __get_pydantic_json_schema__(self, core: object, handler: Callable[[object], Schema]) -> Schema:
        return {**handler(core), **self._keywords}

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Schema]) -> Schema:
        held = {_CONSTRAINTS[name]: value for name, value in self._keywords.items() if name in _CONSTRAINTS}
        return {**handler(source), **held}


def about(text: str) -> Keywords:
    """What a field holds, in words."""
    return Keywords(description=text)


_NO_FIELDS: Schema = {"type": "typed-dict", "fields": {}}


class FreeObject:
    """Marks a field as an object with any fields. Outlines of records leave its fields out."""

    def __get_pydantic_json_schema__(self, core: object, handler: Callable[[object], Schema]) -> Schema:
        return {"type": "object", "additionalProperties": True}

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Schema]) -> Schema:
        return {**_NO_FIELDS}  # pydantic adds to it


class FreeValue:
    """Marks a field as any data. Outlines of records leave out what is in objects and lists."""

    def __get_pydantic_json_schema__(self, core: object, handler: Callable[[object], Schema]) -> Schema:
        return {}

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Schema]) -> Schema:
        return {"type": "union", "mode": "left_to_right", "choices": [_NO_FIELDS, {"type": "generator"}, {"type": "any"}]}


Digest: TypeAlias = Annotated[str, Keywords(pattern="^[0-9a-f]{32}$")]
Time: TypeAlias = Annotated[str, Keywords(format="date-time")]
Count: TypeAlias = Annotated[int, Keywords(minimum=0, maximum=LARGEST)]
Positive: TypeAlias = Annotated[int, Keywords(minimum=1, maximum=LARGEST)]
Amount: TypeAlias = Annotated[float, Keywords(minimum=0, maximum=1e9)]
Integer: TypeAlias = Annotated[int, Keywords(minimum=-LARGEST, maximum=LARGEST)]
PlayerCount: TypeAlias = Annotated[int, Keywords(minimum=1, maximum=MOST_PLAYERS)]
