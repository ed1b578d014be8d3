"""Record schema: every record of a log is checked against its type when it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from games.core import quoted
from runner.match.records import Record, SharedRecord

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

_TYPES: Final[Mapping[str, type]] = {
    record.__name__.removesuffix("Record").lower(): record for record in (*get_args(Record), SharedRecord)
}
"""The types by kind, which is their name."""
_HAS_TO_BE = {"list_type": "a list", "dict_type": "an object", "string_pattern_mismatch": "32 hexadecimal digits"}
"""Clauses for kinds of errors that read otherwise in a log than in a file that a person wrote."""


def problem(record: Mapping[str, Any], kind: str) -> str | None:
    """What is wrong with the shape of a record, None: nothing. Fields that are not known are ignored: they may be newer."""
    if kind == "recording":
        return problem({**record, "kind": "header"}, "header")
    if kind not in _TYPES:
        return f"a record of kind {quoted(kind)} is not known"
    from pydantic_core import ValidationError

    try:
        _validator(kind).validate_python(record, strict=True)
    except ValidationError as error:
        wrong = [one for one in error.errors(include_url=False) if one["type"] != "extra_forbidden"]
        return _sentence(record, kind, wrong[0]) if wrong else None
    return None


@cache
def _validator(kind: str) -> SchemaValidator:
    from pydantic import TypeAdapter

    return cast("SchemaValidator", TypeAdapter(_TYPES[kind]).validator)


def _sentence(record: Mapping[str, Any], kind: str, error: Mapping[str, Any]) -> str:
    from runner.validation_messages import problem_of

    where = f"{_place(record, error['loc'])} of the {kind}"
    if error["type"] == "missing":
        return f"{where} is missing"
    clause = _HAS_TO_BE.get(error["type"])
    return f"{where} cannot be {quoted(error['input'])}: {f'it has to be {clause}' if clause else problem_of(error)}"


def _place(data: Any, loc: Sequence[str | int]) -> str:
    """The path of a field, without the names of types that pydantic adds to it."""
    path: list[str] = []
    for step in loc:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int):
            data = data[step]
        else:
            break
        path.append(str(step))
    return ".".join(path)
