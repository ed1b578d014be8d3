"""Remarks on claims: whether they are true, who believes a bluff and who finds one out; eliminations and comebacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.core import Event, Remark, State
from games.coup.actions import ASSASSINATE
from games.coup.position import Position, winners

BLUFF, BELIEVED, CAUGHT, WRONG_CHALLENGE = "bluff", "believed", "caught", "wrong_challenge"
OUT, COMEBACK = "out", "comeback"
HIGHLIGHTS = {
    BLUFF: "bluffs told",
    BELIEVED: "bluffs believed",
    CAUGHT: "bluffs caught",
    WRONG_CHALLENGE: "true claims challenged",
    OUT: "eliminations",
    COMEBACK: "comebacks",
}
_INFLUENCES = 2


def remarks(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Remark]:
    """The remarks on a transition."""
    if before is not None:
        for number, event in enumerate(events):
            yield from _on(number, event, cast("Position", before), cast("Position", state))


def _on(number: int, event: Event, before: Position, state: Position) -> Iterator[Remark]:
    data = event.data
    match event.kind:
        case "declaration" if data["claim"]:
            yield _claim(number, data["seat"], _has(before, data["seat"], data["claim"]), 2)
        case "block":
            yield _claim(number, data["seat"], _has(before, data["seat"], data["character"]), 3)
        case "unchallenged" if not _has(before, data["claimant"], data["character"]):
            yield Remark(number, "it is a bluff", BELIEVED, data["claimant"], _worth_of_belief(before))
        case "challenge" if _has(before, data["claimant"], data["character"]):
            yield Remark(number, "the claim is true")
        case "false_claim":
            yield Remark(number, "bluff caught", CAUGHT, data["claimant"], 5, is_public=True)
        case "proof":
            yield Remark(number, "", WRONG_CHALLENGE, _challenger(before), 4, is_public=True)
        case "out":
            yield _out(number, data["seat"], before)
        case "end" if _is_comeback(state):
            yield Remark(
                number, "a comeback from 1 influence against 2 of every opponent", COMEBACK, winners(state)[0], 9, True
            )


def _has(position: Position, seat: int, character: str) -> bool:
    return character in position.hands[seat].down


def _claim(number: int, seat: int, is_true: bool, weight: int) -> Remark:
    return Remark(number, "true") if is_true else Remark(number, "bluff", BLUFF, seat, weight)


def _worth_of_belief(before: Position) -> int:
    """A bluff about an assassination decides most: with the last influence at stake, more than anything else."""
    turn = before.turn
    if turn.action != ASSASSINATE:
        return 3
    return 8 if turn.block and len(before.hands[turn.target].down) == 1 else 5


def _challenger(before: Position) -> int:
    return before.turn.block_challenger if before.turn.block else before.turn.challenger


def _out(number: int, seat: int, before: Position) -> Remark:
    lost_both = any(loser == seat for loser, _ in before.turn.losses)
    text, weight = ("both influences in one turn", 8) if lost_both else ("", 4)
    return Remark(number, text, OUT, seat, weight, is_public=True)


def _is_comeback(state: Position) -> bool:
    """Whether the one winner once had 1 influence while every opponent still in had 2."""
    won = winners(state)
    if len(won) != 1:
        return False
    influences = [_INFLUENCES] * state.setup.players
    for loser, _ in (loss for turn in (*state.history, state.turn) for loss in turn.losses):
        influences[loser] -= 1
        others = {count for seat, count in enumerate(influences) if seat != won[0]} - {0}
        if influences[won[0]] == 1 and others == {_INFLUENCES}:
            return True
    return False
