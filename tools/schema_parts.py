"""Schema parts: definitions of pydantic under our own names, without titles that only repeat names."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

from runner.files import read_toml

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def name_of(definition: str, suffix: str) -> str:
    """The name of a type's definition without a suffix: of `HeaderRecord` `header`, of `SeatResult` `seat_result`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", definition.removesuffix(suffix)).lower()


def cleaned(part: Any, suffix: str) -> Any:
    """A definition without the titles that only repeat names, its references by our names."""
    if isinstance(part, list):
        return [cleaned(one, suffix) for one in part]
    if not isinstance(part, dict):
        return part
    found = {key: cleaned(value, suffix) for key, value in part.items() if key != "title" or not isinstance(value, str)}
    if "$ref" in found:
        found["$ref"] = f"#/$defs/{name_of(found['$ref'].rpartition('/')[2], suffix)}"
    return found


def describe(defs: dict[str, Any], package: str, file: str) -> None:
    """Give the fields of definitions the sentences that a file of a package has of them."""
    words = read_toml(files(package).joinpath(file).read_text("utf-8"))
    for name, definition in defs.items():
        for field, part in definition.get("properties", {}).items():
            if sentence := words.get(name, {}).get(field):
                part["description"] = sentence
