"""Temper: how readily the players of a match challenge, learnt from what they did in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.core import Policy, Rng, policy
from games.coup.actions import CHALLENGE, CLAIM, PASS
from games.coup.phases import ACTION_CHALLENGE, BLOCK_CHALLENGE
from games.coup.position import NOBODY, Position

_RATE, _WEIGHT = 0.5, 4.0
"""The prior: of the claims that a player is asked about it challenges half, which counts as much as four claims. `bot:steady`
challenges 6 %, but a search that relied on that bluffed too often, and lost to players who challenge more."""

_STEADY = 0.06
"""The share of claims that `bot:steady` challenges, measured over 400 matches each of two to six players (4 to 7 %)."""

_CLAIM_PHASES = (ACTION_CHALLENGE, BLOCK_CHALLENGE)


def adapted(playing: Policy, position: Position, seat: int) -> Policy:
    """A policy for a seat, and for the others the same with the doubt to be expected of them after the turns so far: they also
    challenge a share of what it lets pass."""
    found = [0.0 if other == seat else doubt for other, doubt in enumerate(doubts(position))]
    choose = getattr(playing, "choose", None) or (lambda position, seat, rng: playing(position, seat, rng).move)

    @policy
    def play(position: Position, seat: int, rng: Rng) -> Any:
        move = choose(position, seat, rng)
        if move == PASS and position[3] in _CLAIM_PHASES and rng.random() < found[seat]:
            return CHALLENGE
        return move

    return play


def doubts(position: Position) -> list[float]:
    """For each seat the share of the claims let pass by `bot:steady` that it is expected to challenge, from 0 to 1: by the
    posterior mean of how many claims it challenges, under a beta prior and with the answers in the complete turns."""
    players = position.setup.players
    asked, challenged = [_WEIGHT] * players, [_WEIGHT * _RATE] * players
    for seat, is_challenge in answers(position):
        asked[seat] += 1
        challenged[seat] += is_challenge
    return [max(0.0, (right / every - _STEADY) / (1 - _STEADY)) for right, every in zip(challenged, asked, strict=True)]


def answers(position: Position) -> Iterator[tuple[int, bool]]:
    """The seats that were asked about each claim of the complete turns, and whether each challenged it."""
    left = [len(hand.slots) for hand in position.hands]
    is_from_blocker = position.setup.options.block_challenge_order == "from_blocker"
    for turn in position.history:
        if turn.action in CLAIM:
            yield from _asked(turn.actor, turn.actor, turn.challenger, left)
        is_tested = bool(turn.verdict)
        for seat, _ in turn.losses[:is_tested]:
            left[seat] -= 1
        if turn.block:
            yield from _asked(turn.blocker if is_from_blocker else turn.actor, turn.blocker, turn.block_challenger, left)
        for seat, _ in turn.losses[is_tested:]:
            left[seat] -= 1


def _asked(first: int, claimant: int, challenger: int, left: Sequence[int]) -> Iterator[tuple[int, bool]]:
    """Clockwise from a seat those with influence, down to the one that challenges."""
    for step in range(len(left)):
        seat = (first + step) % len(left)
        if left[seat] and seat != claimant:
            yield seat, seat == challenger
        if seat == challenger != NOBODY:
            return
