"""Positions that a good player can judge: a review with `bot:steady` finds the right answer best, for the reason beside it."""

from __future__ import annotations

import pytest

from games.core import Rng
from games.oriflamme import GAME, State
from games.search.evaluation import evaluate
from tests.games.oriflamme.positions import position

PLAYOUTS = 200
JUDGED: list[tuple[str, State, str]] = [
    ("the only Heir pays two points each round", position("A:Heir B:Spy(1)", round=1), "reveal"),
    ("a second Heir stops the one that would pay later", position("A:Heir B:Heir*", round=6), "reveal"),
    ("between own cards a Lord pays three points", position("A:Soldier* A:Lord A:Spy(1)", at=2, round=2), "reveal"),
    ("a Conspiracy doubles its tokens in the end", position("A:Conspiracy(4) B:Spy(1)", round=6), "reveal"),
    ("a Conspiracy may still grow", position("A:Conspiracy(1) B:Spy(1)", round=2), "keep"),
    ("a Conspiracy may still grow", position("A:Conspiracy(2) B:Spy(1) C:Lord*", round=3), "keep"),
    ("the Lord pays, and takes its tokens", position("A:Lord(2) B:Lord*", round=6, points=(5, 6, 6)), "reveal"),
    ("the rival's card goes, not the own one", position("A:Archer* B:Spy(1) A:Heir(1) B:Lord*", round=3), "position 4"),
    ("a Soldier hits the rival beside it", position("A:Lord A:Soldier* B:Heir*", at=2, round=3), "position 3"),
    ("the leader's card goes", position("B:Heir* A:Soldier* C:Heir(3)", at=2, points=(7, 9, 6), round=6), "position 1"),
    ("the leader's card goes", position("C:Lord* A:Archer* B:Lord*", at=2, points=(4, 9, 2), round=4), "position 3"),
    ("many tokens are lost with their card", position("B:Lord* A:Assassination(1) C:Spy(5)", at=2, round=5), "reveal"),
    ("a Spy robs the leader", position("B:Heir A:Spy* C:Lord", at=2, points=(5, 2, 6), round=6), "P-2"),
    ("who has nothing cannot be robbed", position("B:Heir A:Spy* C:Lord", at=2, points=(2, 0, 3), round=6), "P-2"),
    ("the two points win", position("B:Spy(1) A:Heir", at=2, round=6, points=(5, 6, 5)), "reveal"),
    (
        "a token alone does not win, a Lord's point and token do",
        position("B:Spy* A:Lord(1)", at=2, round=6, points=(5, 6, 5)),
        "reveal",
    ),
]


@pytest.mark.parametrize(("reason", "state", "right"), JUDGED, ids=[f"{number}" for number in range(len(JUDGED))])
def test_the_right_answer_is_found_best(reason: str, state: State, right: str) -> None:
    assert state.actor == 0
    best = evaluate(state, 0, Rng(1), PLAYOUTS, GAME.bots["steady"]).grades[0]
    assert right in best.action.to_json().values(), reason
