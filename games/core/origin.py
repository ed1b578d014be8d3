"""How a state came about: the state before it, the seat, and its move or a mark."""

from __future__ import annotations

from typing import Any, NamedTuple

Origin = tuple[Any, int, Any]


class _Mark(NamedTuple):
    name: str


OPENING: Origin = (None, -1, None)
STRIKE_OUT = _Mark("strike_out")
