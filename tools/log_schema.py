"""The JSON Schema of a log: `python -m tools.log_schema` writes docs/log.schema.json from its records."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from runner.match.header import SCHEMA, Digest
from runner.match.records import Record, SharedRecord
from tools.schema_parts import DIALECT, cleaned, describe, name_of

FILE = Path(__file__).parent.parent / "docs" / "log.schema.json"
_SUFFIX = "Record"
_RECORDING = "The first line of a recording of replies: the header of the log, of another kind."


def schema() -> dict[str, Any]:
    """The JSON Schema of a line of a log or a recording."""
    found = TypeAdapter(Record | SharedRecord).json_schema()
    kinds = [name_of(option["$ref"].rpartition("/")[2], _SUFFIX) for option in found["anyOf"]]
    defs = {name_of(name, _SUFFIX): cleaned(definition, _SUFFIX) for name, definition in found["$defs"].items()}
    describe(defs, "runner.match", "records.toml")
    defs["recording"] = deepcopy(defs["header"]) | {"description": _RECORDING}
    defs["recording"]["properties"]["kind"]["const"] = "recording"
    kinds.append("recording")
    digest = TypeAdapter(Digest).json_schema()
    texts = {"prev": "the hash of the line before", "hash": "the hash of this line"}
    links = {name: digest | {"description": text} for name, text in texts.items()}
    for kind in kinds:
        defs[kind]["properties"] |= links
        defs[kind]["required"] += ["prev", "hash"]
    title = f"A line of a tabletop log, schema {SCHEMA}"
    return {"$schema": DIALECT, "title": title, "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in kinds], "$defs": defs}


def text() -> str:
    """The file's content."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
