"""Validation: the types of fields that a log has, with what JSON Schema says of each, and pydantic's errors as sentences."""

from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from importlib.resources import files
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, Field, ValidationError

from games.core import listed, quoted
from runner.files import read_toml

Schema = dict[str, object]

LARGEST = 2**53
"""Maximum of a count: every reader of JSON has the whole numbers up to here."""

MOST_PLAYERS = 100
"""Maximum players of a match in a log."""


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


Digest: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
Time: TypeAlias = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Count: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST)]
Positive: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST)]
Amount: TypeAlias = Annotated[float, Field(ge=0, le=1e9)]
Integer: TypeAlias = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
PlayerCount: TypeAlias = Annotated[int, Field(ge=1, le=MOST_PLAYERS)]


_HAS_TO_BE: Mapping[str, str] = read_toml(files("runner").joinpath("validation.toml").read_text("utf-8"))


def problem_of(error: Mapping[str, Any]) -> str:
    """The clause for one of pydantic's errors (its dictionary): `it has to be a whole number`."""
    if known := _HAS_TO_BE.get(error["type"]):
        return f"it has to be {known.format(**error.get('ctx', {}))}"
    message = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    _, _, choices = message.rpartition("is not one of ")
    return f"it has to be one of {choices}" if choices != message else message


def did_you_mean(name: str, known: Collection[str]) -> str:
    """The clause that leads from a wrong name to the known one that is nearest, or to all of them."""
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"there is {listed(sorted(known))}."


def first_problem(
    error: ValidationError, model: type[BaseModel], patterns: Mapping[str, str] | None = None, **nested: type[BaseModel]
) -> str:
    """The first of pydantic's errors as a sentence. An unknown field comes before a missing one: it may be meant for it.
    `patterns` are clauses for fields with a pattern, `nested` the models of fields that hold tables."""
    first = min(error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden")
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        return f"{where} is missing."
    if first["type"] == "extra_forbidden":
        fields = (nested[str(first["loc"][0])] if len(first["loc"]) > 1 else model).model_fields
        return f"{where} is not known; {did_you_mean(str(first['loc'][-1]), fields)}"
    if not where:
        return f"{problem_of(first)}."
    why = (patterns or {}).get(where) if first["type"] == "string_pattern_mismatch" else None
    return f"{where} cannot be {quoted(first['input'])}: {why or problem_of(first)}."
