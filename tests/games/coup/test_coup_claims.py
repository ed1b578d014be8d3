"""Claims of Coup: their truth, and the exact chance that one is false by what a challenger knows."""

from __future__ import annotations

import random
from math import comb

import pytest

from games.core import Claim, Rng
from games.coup import GAME
from games.testing.random_play import walk
from tests.games.coup.positions import blocks, challenges, does, passes, play, position

THREE = ("5 Du As", "5 Ca Co", "5 Am Am")


def test_a_declaration_and_a_block_claim_a_character() -> None:
    state = position(*THREE)
    assert GAME.claim(state, 0, does(0, "tax")[1]) == Claim("Duke", True)
    assert GAME.claim(state, 0, does(0, "steal", 1)[1]) == Claim("Captain", False)
    assert GAME.claim(state, 0, does(0, "income")[1]) is None
    assert GAME.claim(state, 0, None) is None
    window = play(state, does(0, "steal", 1), *passes(1, 2))
    assert GAME.claim(window, 1, blocks(1, "Captain")[1]) == Claim("Captain", True)
    assert GAME.claim(window, 1, blocks(1, "Ambassador")[1]) == Claim("Ambassador", False)
    assert GAME.claim(window, 1, passes(1)[0][1]) is None


def test_the_chance_counts_the_cards_that_a_challenger_does_not_see() -> None:
    state = play(position(*THREE), does(0, "exchange"))
    for seat, unseen in ((1, 3), (2, 1)):
        doubt = GAME.doubt(state, seat, passes(seat)[0][1])
        assert doubt is not None
        assert doubt.chance == pytest.approx(comb(13 - unseen, 2) / comb(13, 2))
        assert (doubt.claimant, doubt.claim, doubt.is_challenged) == (0, Claim("Ambassador", False), False)
    challenged = GAME.doubt(state, 1, challenges(1)[1])
    assert challenged is not None
    assert challenged.is_challenged
    assert GAME.doubt(state, 1, None) is not None
    assert GAME.doubt(position(*THREE), 0, does(0, "tax")[1]) is None


def test_all_copies_in_sight_make_a_claim_false_for_certain() -> None:
    sure = GAME.doubt(play(position("5 Du As", "5 Am Am", "5 Ca (Am)"), does(0, "exchange")), 1, passes(1)[0][1])
    assert sure is not None
    assert sure.chance == 1.0


def test_the_chance_is_the_share_of_worlds_in_which_the_claim_is_false() -> None:
    compared = 0
    for state in walk(GAME.begin(players=3, seed=5), random.Random(5)):
        for seat in state.pending:
            doubt = GAME.doubt(state, seat, None)
            if doubt is None or compared == 6:
                continue
            worlds = [state.resample(seat, Rng(number)) for number in range(300)]
            false = sum(doubt.claim.what not in world.hands[doubt.claimant].down for world in worlds)
            assert false / 300 == pytest.approx(doubt.chance, abs=4.5 * (0.25 / 300) ** 0.5)
            compared += 1
    assert compared == 6
