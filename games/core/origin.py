"""How a state came about: the state before it, the seat, and its move or a mark."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

Origin = tuple[Any, int, Any]


class _Mark(NamedTuple):
    name: str


OPENING: Origin = (None, -1, None)
STRIKE_OUT = _Mark("strike_out")


def values(state: object) -> tuple[Any, ...]:
    """The fields of a state, which is a NamedTuple too, without its origin."""
    return cast("tuple[Any, ...]", state)[1:]
