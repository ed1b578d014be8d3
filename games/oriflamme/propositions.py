"""Propositions of Oriflamme: what the next hidden card of another player is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.core import Proposition, seat_name
from games.oriflamme.cards import TYPES
from games.oriflamme.position import Position
from games.oriflamme.resample import unseen
from games.oriflamme.stack import card_of


def propositions(position: Position, seat: int) -> Sequence[Proposition]:
    """For the hidden card of another player that is resolved next, which one it is: each that it can be, all equally likely."""
    for at in range(max(position.pointer, 0), len(position.queue)):
        card = card_of(position.queue[at])
        if card.owner != seat and not card.revealed:
            kinds = unseen(position, card.owner)
            place = f"the hidden card at position {at + 1}, of {seat_name(card.owner)}"
            return [
                Proposition(f"{place}, is {TYPES[kind].name}", partial(_is, at, kind), place, 1 / len(kinds)) for kind in kinds
            ]
    return ()


def _is(at: int, kind: int, world: Position) -> bool:
    return card_of(world.queue[at]).kind == kind
