"""Types of record fields with the JSON Schema keywords that plain Python types do not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias


class Keywords:
    """JSON Schema keywords that a type does not say by itself."""

    def __init__(self, **keywords: object) -> None:
        self._keywords = keywords

    def __get_pydantic_json_schema__(self, core: object, handler: Callable[[object], dict[str, object]]) -> dict[str, object]:
        return {**handler(core), **self._keywords}


Digest: TypeAlias = Annotated[str, Keywords(pattern="^[0-9a-f]{32}$")]
Time: TypeAlias = Annotated[str, Keywords(format="date-time")]
Count: TypeAlias = Annotated[int, Keywords(minimum=0)]
Positive: TypeAlias = Annotated[int, Keywords(minimum=1)]
