"""The JSON Schema of the protocol of seats: `python -m tools.seats_schema` writes docs/seats.schema.json from its types."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from runner.agents.program_messages import PROTOCOL, ReplyMessage, ToProgram

FILE = Path(__file__).parent.parent / "docs" / "seats.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The JSON Schema of a line that a program reads, with that of a line that it writes under `$defs/reply`."""
    found = TypeAdapter(ToProgram | ReplyMessage, config=ConfigDict(use_attribute_docstrings=True)).json_schema()
    defs = {_name(name): _cleaned(part) for name, part in found["$defs"].items()}
    lines = [line for option in found["anyOf"] if (line := _cleaned(option)) != {"$ref": "#/$defs/reply"}]
    title = f"A line that tabletop writes to a program in a seat, protocol {PROTOCOL}; $defs/reply is a line of the program"
    return {"$schema": _DIALECT, "title": title, "oneOf": lines, "$defs": defs}


def _name(definition: str) -> str:
    """The name of a type's definition: `AskMessage` is `ask`, `EndResult` is `end_result`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", definition.removesuffix("Message")).lower()


def _cleaned(part: Any) -> Any:
    """A definition without the titles that repeat names, its references by our names."""
    if isinstance(part, list):
        return [_cleaned(one) for one in part]
    if not isinstance(part, dict):
        return part
    found = {key: _cleaned(value) for key, value in part.items() if key != "title" or not isinstance(value, str)}
    if "$ref" in found:
        found["$ref"] = f"#/$defs/{_name(found['$ref'].rpartition('/')[2])}"
    return found


def text() -> str:
    """The file's content."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
