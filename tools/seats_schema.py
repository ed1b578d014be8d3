"""The JSON Schema of the protocol of seats: `python -m tools.seats_schema` writes docs/seats.schema.json from its types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from runner.agents.program_messages import PROTOCOL, ReplyMessage, ToProgram, WishMessage
from tools.schema_parts import DIALECT, cleaned, describe, name_of

FILE = Path(__file__).parent.parent / "docs" / "seats.schema.json"
_SUFFIX = "Message"


def schema() -> dict[str, Any]:
    """The JSON Schema of a line that a program reads, with that of a line that it writes under `$defs/reply`."""
    found = TypeAdapter(ToProgram | ReplyMessage | WishMessage).json_schema()
    defs = {name_of(name, _SUFFIX): cleaned(part, _SUFFIX) for name, part in found["$defs"].items()}
    describe(defs, "runner.agents", "program_messages.toml")
    own = [{"$ref": f"#/$defs/{name}"} for name in ("reply", "wish")]
    lines = [line for option in found["anyOf"] if (line := cleaned(option, _SUFFIX)) not in own]
    title = (
        f"A line that tabletop writes to a program, protocol {PROTOCOL}; $defs/reply and $defs/wish are lines of the program"
    )
    return {"$schema": DIALECT, "title": title, "oneOf": lines, "$defs": defs}


def text() -> str:
    """The file's content."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
