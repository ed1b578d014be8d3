"""How likely the play of the others is with the cards they have in a world.

Each claim, block and pass since a player last drew cards is evidence on the cards held: a claim is true more often than not,
and a player who has the card to block mostly blocks. The factors are moderate, so that they hold for many ways to play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations_with_replacement
from math import prod
from typing import NamedTuple

from games.coup.actions import ASSASSINATE, BLOCKERS, CLAIM, EXCHANGE, FOREIGN_AID, INCOME, STEAL
from games.coup.cards import CHARACTERS, DUKE, Cards
from games.coup.position import NOBODY, PROVEN, SUCCESS, Position, Turn

_BLUFF = 0.25
"""How much less likely a claim is without the card than with it."""

_FORBEARANCE = {FOREIGN_AID: 0.3, STEAL: 0.3, ASSASSINATE: 0.15}
"""How much less likely it is to let an action pass with a card that blocks it than without."""

_MODESTY = 0.4
"""How much less likely Income or Foreign Aid is with a Duke than without."""


class Hint(NamedTuple):
    """One thing a seat did: its likelihood is `factor` where its having one of the characters equals `held`, otherwise 1."""

    seat: int
    characters: Cards
    held: bool
    factor: float


def likelihood(position: Position, seat: int | None) -> Callable[[Position], float]:
    """How likely, from 0 to 1, what the others did is in a world of the seat (None: a spectator), relative to the likeliest."""
    tables = tables_of(position, seat)
    return lambda world: prod([table[tuple(sorted(world.hands[other].down))] for other, table in tables])


Table = Mapping[Cards, float]
"""For each hand, in alphabetical order, how likely what its player did is, the likeliest being 1."""


def tables_of(position: Position, seat: int | None) -> list[tuple[int, Table]]:
    """The seats that did something which tells of their hands, but for the one that judges, each with its table."""
    by_seat: dict[int, list[Hint]] = {}
    for found in _evidence(position):
        if found.seat != seat:
            by_seat.setdefault(found.seat, []).append(found)
    return [(other, _table(evidence, len(position.hands[other].down))) for other, evidence in by_seat.items()]


def _table(evidence: list[Hint], size: int) -> Table:
    hands = combinations_with_replacement(sorted(CHARACTERS), size)
    weights = {hand: prod(_factor(one, hand) for one in evidence) for hand in hands}
    most = max(weights.values())
    return {hand: weight / most for hand, weight in weights.items()}


def _factor(evidence: Hint, hand: Cards) -> float:
    holds = any(character in hand for character in evidence.characters)
    return evidence.factor if holds == evidence.held else 1.0


def _evidence(position: Position) -> Iterator[Hint]:
    """The evidence on the cards that players have now, the latest turn first."""
    shown: dict[int, set[str]] = {seat: set() for seat in range(position.setup.players)}
    swapped: set[int] = set()
    renewed: set[int] = set()
    for turn in (position.turn, *reversed(position.history)):
        if turn.action == EXCHANGE and turn.outcome == SUCCESS:
            renewed.add(turn.actor)
        for seat, card in turn.losses:
            shown[seat].add(card)
        for seat, card in _proven(turn):
            shown[seat].add(card)
            swapped.add(seat)
        for seat, character in _claims(turn):
            if seat not in renewed and character not in shown[seat]:
                yield Hint(seat, (character,), False, _BLUFF)
        for found in _omissions(turn, position):
            if found.seat not in renewed and found.seat not in swapped:
                yield found


def _claims(turn: Turn) -> Iterator[tuple[int, str]]:
    """The claims of a turn that stand or are still open, each with its seat."""
    if turn.action in CLAIM and not turn.verdict:
        yield turn.actor, CLAIM[turn.action]
    if turn.block and not turn.block_verdict:
        yield turn.blocker, turn.block


def _proven(turn: Turn) -> Iterator[tuple[int, str]]:
    """The cards of a turn that were shown and exchanged, each with its seat."""
    if turn.verdict == PROVEN:
        yield turn.actor, CLAIM[turn.action]
    if turn.block_verdict == PROVEN:
        yield turn.blocker, turn.block


def _omissions(turn: Turn, position: Position) -> Iterator[Hint]:
    """The blocks that nobody made in a complete turn, and the Tax that its actor did not take."""
    if turn.action in (INCOME, FOREIGN_AID):
        yield Hint(turn.actor, (DUKE,), True, _MODESTY)
    if turn.action in BLOCKERS and turn.outcome == SUCCESS and turn.blocker == NOBODY:
        everybody = range(position.setup.players)
        silent = (turn.target,) if turn.target != NOBODY else [seat for seat in everybody if seat != turn.actor]
        for seat in silent:
            yield Hint(seat, BLOCKERS[turn.action], True, _FORBEARANCE[turn.action])
