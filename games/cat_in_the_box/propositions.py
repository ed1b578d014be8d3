"""Propositions of Cat in the Box: who can still play red, the colour that wins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.cat_in_the_box.actions import open_cells
from games.cat_in_the_box.board import ROWS
from games.cat_in_the_box.phases import PLAY
from games.cat_in_the_box.position import Position
from games.cat_in_the_box.resample import chance_without, ranks_of
from games.core import Proposition, seat_name

_RED = ROWS["red"]


def propositions(position: Position, seat: int) -> Sequence[Proposition]:
    """At a play, for every other player who has not given up red: whether the player holds a card for an empty red cell."""
    if position.phase_id != PLAY or not position.free & _RED:
        return ()
    others = (other for other in position.rules.seats if other != seat and position.x_tokens[other] & _RED)
    return [
        Proposition(
            f"{seat_name(other)} has a card that can still be red",
            partial(_can, other),
            chance=1 - chance_without(position, seat, other, ranks_of(position.x_tokens[other] & position.free & _RED)),
        )
        for other in others
    ]


def _can(seat: int, world: Position) -> bool:
    return bool(open_cells(world.hands[seat], world.x_tokens[seat], world.free) & _RED)
