"""Measures of bluffs in Coup and Oriflamme."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from games.core import State
from games.coup import GAME as COUP
from games.coup.measures import BELIEVED, CAUGHT, TOLD, TRUE
from games.oriflamme import GAME as ORIFLAMME
from games.oriflamme.measures import BAIT, SAFE, SPRUNG
from games.testing.random_play import walk
from tests.games.coup.positions import blocks, challenges, does, passes
from tests.games.coup.positions import play as play_coup
from tests.games.coup.positions import position as coup
from tests.games.oriflamme.positions import play, position

KEEP, REVEAL, SECOND = {"choice": "keep"}, {"choice": "reveal"}, {"target": "position 2"}

Counts = dict[tuple[str, int], tuple[int, int]]


def counted(state: State) -> Counts:
    """Hits and chances that the last transition adds, by measure and seat."""
    hits, chances = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for count in state.game.counts(state.origin[0], state, state.events):
        hits[count.measure, count.seat] += count.hits
        chances[count.measure, count.seat] += count.chances
    return {key: (hits[key], chances[key]) for key in chances}


def test_a_bluff_is_told_and_then_believed_or_found_out() -> None:
    told = play_coup(coup("5 Du As", "5 Ca Co", "5 Am Am"), does(0, "exchange"))
    assert counted(told) == {(TRUE, 0): (0, 1), (TOLD, 0): (1, 1), (BELIEVED, 0): (0, 1), (CAUGHT, 0): (0, 1)}
    assert counted(play_coup(told, *passes(1, 2)))[BELIEVED, 0] == (1, 0)
    assert counted(play_coup(told, challenges(1)))[CAUGHT, 0] == (1, 0)
    true = play_coup(coup("5 Du As", "5 Ca Co", "5 Am Am"), does(0, "tax"))
    assert counted(true) == {(TRUE, 0): (1, 1)}
    assert counted(play_coup(true, *passes(1, 2))) == {}


def test_a_block_counts_as_a_claim() -> None:
    block = play_coup(coup("5 Du As", "5 Ca Co", "5 Am Am"), does(0, "foreign_aid"), blocks(1, "Duke"))
    assert counted(block)[TOLD, 1] == (1, 1)
    assert counted(play_coup(block, *passes(0, 2)))[BELIEVED, 1] == (1, 0)


@pytest.mark.parametrize("seed", range(4))
def test_no_bluff_is_both_believed_and_found_out(seed: int) -> None:
    sums = Counter[str]()
    for state in list(walk(COUP.begin(players=4, seed=seed), random.Random(seed)))[1:]:
        for (measure, _), (hits, chances) in counted(state).items():
            sums[f"{measure} hits"] += hits
            sums[f"{measure} chances"] += chances
    assert sums[f"{BELIEVED} chances"] == sums[f"{CAUGHT} chances"] == sums[f"{TOLD} hits"]
    assert sums[f"{TRUE} chances"] - sums[f"{TRUE} hits"] == sums[f"{TOLD} hits"]
    assert sums[f"{BELIEVED} hits"] + sums[f"{CAUGHT} hits"] in (sums[f"{TOLD} hits"], sums[f"{TOLD} hits"] - 1)


def test_an_ambush_that_is_kept_is_bait() -> None:
    assert counted(play(position("A:Ambush B:Spy"), KEEP))[BAIT, 0] == (1, 1)
    assert counted(play(position("A:Lord B:Spy"), KEEP))[BAIT, 0] == (0, 1)


def test_bait_is_taken_where_an_opponent_eliminates_it() -> None:
    taken = counted(play(position("A:Soldier B:Ambush"), REVEAL, SECOND))
    assert (taken[SPRUNG, 1], taken[SAFE, 0]) == ((1, 1), (0, 1))
    own = counted(play(position("A:Soldier A:Ambush"), REVEAL, SECOND))
    assert own[SPRUNG, 0] == (0, 1)
    assert (SAFE, 0) not in own
    assert counted(play(position("A:Ambush B:Spy"), REVEAL))[SPRUNG, 0] == (0, 1)


def test_an_attack_counts_where_the_card_was_hidden() -> None:
    assert counted(play(position("A:Soldier B:Lord"), REVEAL, SECOND))[SAFE, 0] == (1, 1)
    assert (SAFE, 0) not in counted(play(position("A:Soldier B:Lord*"), REVEAL, SECOND))


def test_the_measures_are_those_of_the_game() -> None:
    assert {BAIT, SAFE, SPRUNG} <= {measure.name for measure in ORIFLAMME.measures}
    assert {BELIEVED, TOLD} <= {measure.name for measure in COUP.measures}
