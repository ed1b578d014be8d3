"""Propositions of Coup: the characters that others claim, or could claim against what a seat declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from games.core import Proposition, seat_name
from games.coup import phases
from games.coup.actions import claim
from games.coup.claims import chance_of_none
from games.coup.position import Position

_AT_DECLARATION = ("Contessa", "Duke")
"""The characters that stop most of what can be declared."""


def propositions(position: Position, seat: int) -> Sequence[Proposition]:
    """Whether a claimant has the character; at a declaration, who has what would stop it."""
    if position.phase_id in phases.CHALLENGE_WINDOWS:
        turn = position.turn
        return [_has(position, seat, turn.blocker if turn.block else turn.actor, claim(position))]
    if position.phase_id in phases.BLOCK_WINDOWS:
        return [*_claimed(position, seat)]
    if position.phase_id != phases.DECLARATION:
        return ()
    others = [other for other in range(position.setup.players) if other != seat and position.living >> other & 1]
    return [_has(position, seat, other, character) for other in others for character in _AT_DECLARATION]


def _claimed(position: Position, seat: int) -> Iterator[Proposition]:
    """The character that the declared action claims, if it claims one."""
    if character := claim(position):
        yield _has(position, seat, position.turn.actor, character)


def _has(position: Position, seat: int, other: int, character: str) -> Proposition:
    chance = 1 - chance_of_none(position, seat, other, (character,))
    return Proposition(f"{seat_name(other)} has the {character}", partial(_is_down, other, character), chance=chance)


def _is_down(seat: int, character: str, world: Position) -> bool:
    return character in world.hands[seat].down
