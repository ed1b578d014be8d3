"""The remarks on the transition that led to a state."""

from __future__ import annotations

from games.core import Remark, State

Told = tuple[str, Remark]


def remarks(state: State) -> list[Told]:
    """Each remark with the kind of its event."""
    found = state.game.remarks(state.origin[0], state, state.events)
    return [(state.events[remark.event].kind, remark) for remark in found]


def brief(found: list[Told]) -> list[tuple[str, str, int | None, bool]]:
    """Kind of event, kind or text of the remark, seat, whether it is public."""
    return [(event, remark.kind or remark.text, remark.seat, remark.is_public) for event, remark in found]
