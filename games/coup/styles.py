"""Styles of play in Coup: how the players of a match lie and challenge, as changes to any policy.

They are what the play of others is read by (`belief.readings`), and simple opponents to measure a bot against.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from games.core import Policy, Rng, policy, random_policy
from games.core.policy import choosing
from games.coup import phases
from games.coup.actions import (
    BLOCK_AS,
    BLOCKER,
    BLOCKERS,
    CHALLENGE,
    CLAIM,
    CLOCKWISE,
    COST,
    EXCHANGE,
    FORCED_COUP,
    INCOME,
    LOOT,
    PASS,
    STEAL,
    TARGETED,
    Declaration,
)
from games.coup.cards import CHARACTERS
from games.coup.position import NOBODY, Position

_TRIES = 4
"""How often an honest player thinks again before it takes what claims nothing."""

_REPEATS = 0.8
"""How often a repeating bluffer claims its character again."""


def claimed(position: Position, move: Any) -> str:
    """The character that a move claims; empty for none."""
    if isinstance(move, Declaration):
        return CLAIM.get(move.action, "")
    return BLOCKER.get(move, "") if position[3] in phases.BLOCK_WINDOWS else ""


def honest(playing: Policy) -> Policy:
    """Claims only what it has."""
    choose = choosing(playing)

    @policy
    def play(position: Position, seat: int, rng: Rng) -> Any:
        for _ in range(_TRIES):
            move = choose(position, seat, rng)
            character = claimed(position, move)
            if not character or character in position[6][seat].down:
                return move
        return Declaration(INCOME, NOBODY) if position[3] == phases.DECLARATION else PASS

    return play


def bluffer(characters: Collection[str], repeats: float = _REPEATS) -> Callable[[Policy], Policy]:
    """Claims one of some characters whenever it can, whatever it has: always the one that it claimed first."""

    def adapt(playing: Policy) -> Policy:
        choose = choosing(playing)

        @policy
        def play(position: Position, seat: int, rng: Rng) -> Any:
            if position[3] in phases.BLOCK_WINDOWS:
                claims = [card for card in BLOCKERS[position[11][1]] if card in characters]
                return BLOCK_AS[claims[0]] if claims and rng.random() < repeats else choose(position, seat, rng)
            if position[3] == phases.DECLARATION and position[7][seat] < FORCED_COUP and rng.random() < repeats:
                return _claiming(position, seat, characters, rng) or choose(position, seat, rng)
            return choose(position, seat, rng)

        return play

    return adapt


def _claiming(position: Position, seat: int, characters: Collection[str], rng: Rng) -> Declaration | None:
    """A declaration that claims one of some characters; the same as before where there is one."""
    before = [turn.action for turn in position[12] if turn.actor == seat and CLAIM.get(turn.action) in characters]
    for action in before[:1] or rng.shuffled([action for action, character in CLAIM.items() if character in characters]):
        others = CLOCKWISE[position[8]][seat]
        victims = [other for other in others if position[7][other] >= LOOT] if action == STEAL else others
        if position[7][seat] >= COST.get(action, 0) and victims:
            return Declaration(action, rng.choice(victims) if action in TARGETED else NOBODY)
    return None


def random_style(playing: Policy) -> Policy:
    """Any legal move."""
    return random_policy


def doubting(part: float) -> Callable[[Policy], Policy]:
    """Challenges a part of the claims that the policy lets pass."""
    return _answering(PASS, CHALLENGE, part)


def believing(playing: Policy) -> Policy:
    """Never challenges."""
    return _answering(CHALLENGE, PASS, 1.0)(playing)


def _answering(usual: str, instead: str, part: float) -> Callable[[Policy], Policy]:
    """Changes a part of one kind of answer to claims to the other kind."""

    def adapt(playing: Policy) -> Policy:
        choose = choosing(playing)

        @policy
        def play(position: Position, seat: int, rng: Rng) -> Any:
            move = choose(position, seat, rng)
            if move == usual and position[3] in phases.CHALLENGE_WINDOWS and rng.random() < part:
                return instead
            return move

        return play

    return adapt


ANY_CHARACTER = tuple(character for character in CHARACTERS if character in CLAIM.values() and CLAIM[EXCHANGE] != character)
"""What a bluffer claims: the characters whose action brings something at once."""
