"""Bluffs and challenges, counted."""

from __future__ import annotations

import itertools
import random

import pytest

from games.coup import GAME
from games.coup.belief.bluff_stats import BluffStats, bluff_stats
from games.coup.measures import BELIEVED, CAUGHT, RIGHT, TOLD, TRUE
from games.search.measure_counts import MeasureCounts
from games.testing.random_play import walk
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position, shows

VARIANTS = ({}, {"rules": "official"}, {"may_concede": True})


def test_an_unchallenged_claim_is_known_once_every_hand_is_shown() -> None:
    state = play(position("9 As Du", "2 Ca (Am)"), does(0, "tax"), *passes(1))
    assert bluff_stats(state.view(None)) == [BluffStats(1, 0, 0, 0, 0, 0), BluffStats(0, 0, 0, 0, 0, 0)]
    state = play(state, does(1, "tax"), *passes(0), does(0, "coup", 1), loses(1, "Captain"))
    assert bluff_stats(state.view(None)) == [BluffStats(1, 1, 0, 0, 0, 0), BluffStats(1, 0, 1, 0, 0, 0)]


def test_challenges_that_prove_true_and_false() -> None:
    state = play(position("3 As Du", "2 Ca Am", "2 Co Co"), does(0, "tax"), challenges(1), shows(0, "Duke"))
    state = play(state, loses(1, "Captain"), does(1, "tax"), *passes(2), challenges(0), loses(1, "Ambassador"))
    assert [stats[4:] for stats in bluff_stats(state.view(None))] == [(1, 1), (1, 0), (0, 0)]
    assert bluff_stats(state.view(None))[0][:2] == (1, 1)
    assert bluff_stats(state.view(None))[1][:4] == (1, 0, 1, 1)


def test_a_card_shown_was_there_before_and_what_came_for_it_is_not() -> None:
    state = play(position("3 Ca (Du)", "2 (Ca) Am", deck="Co Co"), does(0, "steal", 1), *passes(1, 1), does(1, "income"))
    state = play(state, does(0, "steal", 1), challenges(1), shows(0, "Captain"), loses(1, "Ambassador"))
    assert state.view(None)["hands"][0] == ["Contessa", "Duke"]
    assert bluff_stats(state.view(None)) == [BluffStats(2, 2, 0, 0, 0, 0), BluffStats(0, 0, 0, 0, 1, 0)]


def test_what_an_exchange_gave_back_stays_unknown() -> None:
    state = play(position("6 Am Du", "2 (Ca) Am", deck="Co As"), does(0, "tax"), *passes(1), does(1, "income"))
    state = play(state, does(0, "exchange"), *passes(1), (0, {"keep": "Assassin, Contessa"}), does(1, "income"))
    state = play(state, does(0, "coup", 1), loses(1, "Ambassador"))
    assert bluff_stats(state.view(None))[0] == BluffStats(2, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("players", GAME.players)
def test_what_everybody_can_tell_is_the_truth(players: int) -> None:
    told = 0
    for seed in range(30):
        state = GAME.begin(players=players, seed=seed, **VARIANTS[seed % 3])
        states = list(walk(state, random.Random(seed), 0.02))
        real = MeasureCounts(GAME, players)
        for state in states:
            real.add(state, state.events)
        for view in (states[len(states) // 2].view(None), states[-1].view(None)):
            for seat, found in enumerate(bluff_stats(view)):
                true, claims = real.to_json(seat)[TRUE]
                assert found.claims <= claims
                assert found.true <= true
                assert found.false <= claims - true
                assert found.caught <= real.to_json(seat)[CAUGHT][0]
        for seat, found in enumerate(bluff_stats(states[-1].view(None))):
            true, claims = real.to_json(seat)[TRUE]
            assert found.claims == claims
            assert found.true + found.false <= claims
            assert found.caught == real.to_json(seat)[CAUGHT][0]
            assert [found.right, found.challenges] == real.to_json(seat)[RIGHT]
            told += found.true + found.false
    assert told


def test_without_proofs_and_exchanges_every_claim_is_told() -> None:
    """A player who never drew a card leaves nothing open."""
    for seed, players in itertools.product(range(20), (2, 4)):
        *_, last = walk(GAME.begin(players=players, seed=seed), random.Random(seed))
        view = last.view(None)
        for seat, found in enumerate(bluff_stats(view)):
            if not any(claim["verdict"] == "proven" or claim["for"] == "exchange" for claim in view["claims"][seat]):
                assert found.true + found.false == found.claims


def test_the_measures_tell_bluffs_and_right_challenges() -> None:
    counts = MeasureCounts(GAME, 3)
    state = position("3 As Du", "2 Ca Am", "2 Co Co")
    answers = [does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"), challenges(2), shows(1, "Captain")]
    for answer in [*answers, loses(2, "Contessa"), does(1, "tax"), challenges(2)]:
        state = play(state, answer)
        counts.add(state, state.events)
    assert counts.to_json(0) == {TRUE: [0, 1], TOLD: [1, 1], BELIEVED: [1, 1], CAUGHT: [0, 1], RIGHT: [0, 0]}
    assert counts.to_json(1)[TRUE][1] == 2
    assert counts.to_json(2)[RIGHT][1] == 2
