"""How each player bluffed and challenged: what the public view proves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from games.core import View
from games.coup.actions import EXCHANGE
from games.coup.cards import CHARACTERS, Cards
from games.coup.position import CONCEDED, FALSE, PROVEN, SUCCESS

_IS_TRUE = {PROVEN: True, CONCEDED: True, FALSE: False}


class BluffStats(NamedTuple):
    """Of one player: claims, those certainly true, those certainly false, the false ones found out; challenges, and
    those that were right because the claim was false (a conceded claim was true).
    """

    claims: int
    true: int
    false: int
    caught: int
    challenges: int
    right: int


class _Claim(NamedTuple):
    character: str
    verdict: str | None


class _Swap(NamedTuple):
    card: str


class _Loss(NamedTuple):
    card: str


class _Draw(NamedTuple):
    """An exchange."""


_Step = _Claim | _Swap | _Loss | _Draw


def bluff_stats(view: View) -> list[BluffStats]:
    """The statistics of every player from what everybody knows; at the end that includes every hand."""
    steps: list[list[_Step]] = [[] for _ in range(view["players"])]
    challenges: list[list[bool]] = [[] for _ in range(view["players"])]
    for turn in view["history"]:
        for seat, step in _steps(turn):
            steps[seat].append(step)
        for challenger, verdict in ((turn["challenger"], turn["verdict"]), (turn["block_challenger"], turn["block_verdict"])):
            if verdict:
                challenges[challenger].append(verdict == FALSE)
    return [_of(_down(view, seat), steps[seat], challenges[seat]) for seat in range(view["players"])]


def _of(hands: set[Cards], steps: list[_Step], challenges: list[bool]) -> BluffStats:
    truths = list(_truths(hands, steps))
    caught = sum(isinstance(step, _Claim) and step.verdict == FALSE for step in steps)
    return BluffStats(len(truths), truths.count(True), truths.count(False), caught, len(challenges), sum(challenges))


# -- the hands a player can have had -------------------------------------------------------------------------------------


def _truths(hands: set[Cards], steps: list[_Step]) -> Iterator[bool | None]:
    """Whether each claim was true (None when unknown), the last claim first. It works backwards: from the hands possible
    after all steps to those possible before them.
    """
    for step in reversed(steps):
        if isinstance(step, _Claim):
            if step.verdict in _IS_TRUE:
                hands = {hand for hand in hands if (step.character in hand) == _IS_TRUE[step.verdict]}
            found = {step.character in hand for hand in hands}
            yield found.pop() if len(found) == 1 else None
        else:
            hands = {tuple(sorted(before)) for hand in hands for before in _before(hand, step)}


def _before(hand: Cards, step: _Step) -> Iterable[Cards]:
    """The hands that a step can have turned into this one."""
    if isinstance(step, _Loss):
        return ((*hand, step.card),)
    if isinstance(step, _Swap):
        return ((*hand[:slot], step.card, *hand[slot + 1 :]) for slot in range(len(hand)))
    return _any_hands(len(hand))


def _any_hands(size: int) -> Iterable[Cards]:
    return combinations_with_replacement(sorted(CHARACTERS), size)


def _down(view: View, seat: int) -> set[Cards]:
    """The face-down cards that a player can have now."""
    if view["hands"] is None:
        return set(_any_hands(view["hand_sizes"][seat]))
    left = sorted(view["hands"][seat])
    for card in view["revealed"][seat]:
        left.remove(card)
    return {tuple(left)}


def _steps(turn: dict[str, Any]) -> Iterator[tuple[int, _Step]]:
    """The claims of a turn and the changes to hands in it, each with its seat, in order."""
    losses = iter(turn["losses"])
    tests = (
        (turn["actor"], turn["claim"], turn["verdict"]),
        (turn["blocker"], turn["block"], turn["block_verdict"]),
    )
    for seat, character, verdict in tests:
        if character:
            yield seat, _Claim(character, verdict)
        if verdict == PROVEN:
            yield seat, _Swap(character)
        if verdict:
            yield from _lost(losses, 1)
    yield from _lost(losses)
    if turn["action"] == EXCHANGE and turn["outcome"] == SUCCESS:
        yield turn["actor"], _Draw()


def _lost(losses: Iterator[dict[str, Any]], most: int = 2) -> Iterator[tuple[int, _Step]]:
    for _, loss in zip(range(most), losses, strict=False):
        yield loss["seat"], _Loss(loss["card"])
