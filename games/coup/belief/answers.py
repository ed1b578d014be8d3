"""Answers to claims: which seats were asked about each claim of a match, and whether they challenged it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.coup.actions import CLAIM
from games.coup.position import NOBODY, Position


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
