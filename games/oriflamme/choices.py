"""What each choice does, in words for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core import Step, Steps
from games.oriflamme.action import KEEP
from games.oriflamme.answers import keeping, placing, revealing
from games.oriflamme.cards import TYPES
from games.oriflamme.phase_ids import CHOICE_PHASES, PLACEMENT, RESOLUTION
from games.oriflamme.places import place_name
from games.oriflamme.stack import card_of

if TYPE_CHECKING:
    from games.oriflamme.state import State


def steps(state: State, seat: int, move: Any) -> Steps:
    """A move of the seat that decides, step by step."""
    if state.phase_id == PLACEMENT:
        kind, where = move
        return (
            Step("card", TYPES[kind].name, TYPES[kind].in_short or TYPES[kind].text),
            Step("place", place_name(where), placing(state, seat, where)),
        )
    if state.phase_id == RESOLUTION:
        card = card_of(state.queue[state.pointer])
        return (Step("choice", move, keeping(card) if move == KEEP else revealing(state, card)),)
    return TYPES[state.phase_id - CHOICE_PHASES].steps(state.queue, state.pointer, move, state.rules)
