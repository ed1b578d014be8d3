"""The JSON Schema of a log: `python -m tools.log_schema` writes docs/log.schema.json from the types of its records."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from runner.match.header import SCHEMA
from runner.match.records import Record, SharedRecord
from runner.match.schema_keywords import Digest

FILE = Path(__file__).parent.parent / "docs" / "log.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_RECORDING = "The first line of a recording of replies: the header of the log, of another kind."


def schema() -> dict[str, Any]:
    """The JSON Schema of a line of a log or a recording."""
    found = TypeAdapter(Record | SharedRecord, config=ConfigDict(use_attribute_docstrings=True)).json_schema()
    kinds = [_name(option["$ref"].rpartition("/")[2]) for option in found["anyOf"]]
    defs = {_name(name): _cleaned(definition) for name, definition in found["$defs"].items()}
    defs["recording"] = deepcopy(defs["header"]) | {"description": _RECORDING}
    defs["recording"]["properties"]["kind"]["const"] = "recording"
    kinds.append("recording")
    digest = TypeAdapter(Digest).json_schema()
    for kind in kinds:
        defs[kind]["properties"] |= {"prev": digest, "hash": digest}
        defs[kind]["required"] += ["prev", "hash"]
    title = f"A line of a tabletop log, schema {SCHEMA}"
    return {"$schema": _DIALECT, "title": title, "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in kinds], "$defs": defs}


def _name(definition: str) -> str:
    """The name of a type's definition: `HeaderRecord` is `header`, `SeatResult` is `seat_result`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", definition.removesuffix("Record")).lower()


def _cleaned(definition: Any) -> Any:
    """A definition without the titles that only repeat names, its references by our names."""
    if isinstance(definition, list):
        return [_cleaned(part) for part in definition]
    if not isinstance(definition, dict):
        return definition
    parts = {key: _cleaned(part) for key, part in definition.items() if key != "title" or not isinstance(part, str)}
    if "$ref" in parts:
        parts["$ref"] = f"#/$defs/{_name(parts['$ref'].rpartition('/')[2])}"
    return parts


def text() -> str:
    """The file's content."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
