"""Remarks of Coup: claims, challenges, eliminations and comebacks."""

from __future__ import annotations

from typing import Any

from games.coup import GAME, State
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position, shows
from tests.games.remarking import Told, brief
from tests.games.remarking import remarks as of_transition

THREE = ("5 Du As", "5 Ca Co", "5 Am Am")


def remarks(state: State, *answers: tuple[int, dict[str, Any]]) -> list[Told]:
    """The remarks of these answers."""
    found = []
    for answer in answers:
        state = play(state, answer)
        found += of_transition(state)
    return found


def test_a_claim_is_true_or_a_bluff_that_is_believed() -> None:
    true = remarks(position(*THREE), does(0, "tax"), *passes(1, 2))
    assert brief(true) == [("declaration", "true", None, False)]
    bluff = remarks(position(*THREE), does(0, "exchange"), *passes(1, 2))
    assert brief(bluff) == [("declaration", "bluff", 0, False), ("unchallenged", "believed", 0, False)]


def test_a_bluff_is_caught_before_everybody() -> None:
    found = remarks(position(*THREE), does(0, "exchange"), challenges(1))
    assert brief(found)[1:] == [("false_claim", "caught", 0, True)]


def test_a_challenge_to_a_true_claim_is_the_challengers_mistake() -> None:
    found = remarks(position(*THREE), does(0, "tax"), challenges(1), shows(0, "Duke"), loses(1, "Captain"))
    assert brief(found)[1:] == [("challenge", "the claim is true", None, False), ("proof", "wrong_challenge", 1, True)]


def test_a_block_may_be_a_bluff_and_its_challenger_wrong() -> None:
    steal = (does(0, "steal", 1), *passes(1, 2))
    found = remarks(position(*THREE), *steal, blocks(1, "Ambassador"), *passes(0, 2))
    assert brief(found)[2:] == [("block", "bluff", 1, False), ("unchallenged", "believed", 1, False)]
    found = remarks(position(*THREE), *steal, blocks(1, "Captain"), challenges(2), shows(1, "Captain"))
    assert brief(found)[2:] == [
        ("block", "true", None, False),
        ("challenge", "the claim is true", None, False),
        ("proof", "wrong_challenge", 2, True),
    ]


def test_the_last_influence_saved_by_a_bluff_weighs_most() -> None:
    def weight(target: str) -> int:
        answers = (does(0, "assassinate", 1), *passes(1, 2), blocks(1, "Contessa"), *passes(0, 2))
        return remarks(position("5 Du As", target, "5 Am Am"), *answers)[-1][1].weight

    assert weight("5 Ca (Co)") > weight("5 Ca Du")


def test_both_influences_lost_in_one_turn_weigh_more_than_one() -> None:
    answers = (does(0, "assassinate", 2), *passes(1), challenges(2), shows(0, "Assassin"), loses(2, "Ambassador"), *passes(2))
    state = play(position(*THREE), *answers)
    last = remarks(state, loses(2, "Ambassador"))
    assert [(event, one.kind, one.text) for event, one in last] == [("out", "out", "both influences in one turn")]
    single = remarks(position("7 Du As", "5 Ca (Co)", "5 Am Am"), does(0, "coup", 1), loses(1, "Captain"))
    assert single[-1][1].weight < last[0][1].weight


def test_a_comeback_is_won_from_one_influence_against_two() -> None:
    coups = (does(0, "coup", 1), loses(1, "Captain"), does(1, "coup", 0), loses(0, "Duke"))
    kill = (does(0, "assassinate", 1), *passes(1), *passes(1), loses(1, "Contessa"))
    ahead = remarks(position("10 Du As", "9 Ca Co"), *coups, *kill)
    assert [(event, one.kind, one.seat) for event, one in ahead][-1] == ("out", "out", 1)
    behind = (
        does(0, "income"),
        does(1, "coup", 0),
        loses(0, "Duke"),
        does(0, "coup", 1),
        loses(1, "Captain"),
        does(1, "income"),
    )
    found = remarks(position("9 Du As", "7 Ca Co"), *behind, *kill)
    assert [(event, one.kind, one.seat) for event, one in found][-2:] == [("out", "out", 1), ("end", "comeback", 0)]


def test_nothing_is_said_about_the_deal() -> None:
    state = GAME.begin(seed=1)
    assert not list(GAME.remarks(None, state, state.events))
