"""Positions that a good player can judge: a review with `bot:steady` finds the right answer best, for the reason beside it."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import Rng
from games.coup import GAME, State
from games.search.evaluation import evaluate
from tests.games.coup.positions import blocks, does, passes, play, position

PLAYOUTS = 400
ASSASSINATED = does(0, "assassinate", 1)
ROBBED = does(0, "steal", 1)


def duel(own: str, *answers: Any, other: str = "3 As (Co)", actor: int = 0) -> State:
    """Two players: P-0 is the other, P-1 judges."""
    return play(position(other, own, actor=actor), *answers)


JUDGED: list[tuple[str, State, str]] = [
    *(
        ("out by passing, and most of the unseen cards are no Assassin", duel(f"4 {own} (Du)", ASSASSINATED), "challenge")
        for own in ("Du", "Am", "Ca", "As")
    ),
    ("the Contessa stops it for sure", duel("4 Co (Du)", ASSASSINATED, *passes(1)), "block as Contessa"),
    ("a bluffed Contessa is the only way to stay in", duel("4 Du (Am)", ASSASSINATED, *passes(1)), "block as Contessa"),
    ("a coup next turn wins: nothing may be risked", duel("7 Du Am", ASSASSINATED), "pass"),
    ("a coup next turn wins, a bluffed block can lose both", duel("7 Du Am", ASSASSINATED, *passes(1)), "pass"),
    ("the own coup wins next turn: nothing may be risked", duel("7 Du (Ca)", does(0, "tax"), other="2 Am (Co)"), "pass"),
    ("all Dukes are in sight", duel("2 Du Du", does(0, "tax"), other="2 Am (Du)"), "challenge"),
    ("all Captains are in sight", duel("2 Ca (Ca)", ROBBED, other="2 Am (Ca)"), "challenge"),
    (
        "a block with the card costs nothing",
        duel("2 Ca Co", ROBBED, *passes(1), other="2 Ca Du"),
        "block as Captain|block as Ambassador",
    ),
    (
        "a block with the card costs nothing",
        duel("2 Am Co", ROBBED, *passes(1), other="2 Ca Du"),
        "block as Captain|block as Ambassador",
    ),
    ("foreign aid would pay for a coup", duel("6 Du (Co)", does(0, "foreign aid"), other="5 Ca Am"), "block as Duke"),
    (
        "a coup of both would win, so two coins matter",
        duel("5 Ca (Co)", ROBBED, *passes(1), other="5 As (Am)"),
        "block as Captain",
    ),
    ("a coup wins", duel("7 Du As", other="7 Ca (Co)", actor=1), "coup"),
    ("who can make a coup must go first", position("9 Du (Co)", "7 Co (Ca)", "0 As (Am)", actor=1), "coup P-0"),
    (
        "the last rival with coins for a coup must go, and a real Assassin does it",
        duel("3 As (Du)", other="7 Ca (Am)", actor=1),
        "assassinate",
    ),
    ("only a theft prevents the coup", duel("0 Ca (Du)", other="7 As (Am)", actor=1), "steal"),
    ("only a theft prevents the coup, with any card", duel("0 Du (Du)", other="7 As (Am)", actor=1), "steal"),
    ("three coins pay for the coup that wins", duel("4 Du Am", other="2 Ca (Co)", actor=1), "tax"),
    (
        "passing loses to the coup that follows",
        duel("3 As (Du)", does(1, "assassinate", 0), *passes(0), blocks(0, "Contessa"), other="7 Ca (Am)", actor=1),
        "challenge",
    ),
    (
        "all Contessas are in sight",
        duel("3 As Co", does(1, "assassinate", 0), *passes(0), blocks(0, "Contessa"), other="2 Co (Co)", actor=1)._replace(
            hands=position("2 Ca (Co)", "3 Co Co").hands
        ),
        "challenge",
    ),
]


@pytest.mark.parametrize(("reason", "state", "right"), JUDGED, ids=[f"{number}" for number in range(len(JUDGED))])
def test_the_right_answer_is_found_best(reason: str, state: State, right: str) -> None:
    best = evaluate(state, 1, Rng(1), PLAYOUTS, GAME.bots["steady"]).grades[0]
    data = best.action.to_json()
    said = data.get("response") or f"{data['action']} {data['target']}".removesuffix(" none")
    assert said.startswith(tuple(right.split("|"))), reason
