"""Types of JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Any JSON value."""

JsonObject: TypeAlias = Mapping[str, object]
"""A JSON object whose values have not been checked yet."""
