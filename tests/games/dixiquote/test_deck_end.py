"""The end of the deck: whole cycles of Storytellers, and cards that come back."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from games.core import Rng, State
from games.dixiquote.batches import batches
from games.dixiquote.cards import SITUATIONS, deck_to_json
from games.testing.random_play import walk
from tests.games.dixiquote.tables import GAME, begin

EVERY = 5 if "TABLETOP_CAMPAIGN" in os.environ else 18
"""Of that many states of a match, one is looked at in several worlds."""


def told(state: State) -> Counter[int]:
    """How often each seat was Storyteller."""
    return Counter(done["storyteller"] for done in state.view(None)["history"])


def end(state: State, seed: int, strike_rate: float) -> State:
    *_, last = walk(state, random.Random(seed), strike_rate)
    return last


@pytest.mark.parametrize("players", GAME.players)
def test_in_a_fair_match_all_are_storyteller_equally_often(players: int) -> None:
    for seed in range(4):
        for options in ({}, {"max_rounds": players + 1}, {"target_score": 4}):
            last = end(begin(players, rules="fair", **options), seed, 0.1 * (seed % 2))
            assert len(set(told(last).values())) == 1
            assert len(told(last)) == players
            assert last.round <= last.setup.options.max_rounds
            assert not any("Seats" in caution for caution in GAME.cautions(players, last.setup.options))


@pytest.mark.parametrize(("players", "rounds"), [(3, 15), (4, 12), (5, 10), (6, 12), (7, 7), (8, 8)])
def test_a_fair_match_lasts_until_the_end_of_a_cycle(players: int, rounds: int) -> None:
    last = end(begin(players, rules="fair", target_score=1000), 1, 0.0)
    assert last.round == rounds
    assert sum(last.view(None)["hand_sizes"]) == min(6 * players, 80 - players * rounds)


@pytest.mark.parametrize(("players", "cards", "rounds"), [(8, 48, 6), (8, 57, 7), (4, 24, 4)])
def test_a_cycle_ends_early_when_a_hand_is_empty(players: int, cards: int, rounds: int) -> None:
    state = begin(players, rules="fair", target_score=1000, deck=deck_to_json(SITUATIONS[:cards]))
    assert any("at least 64 cards" in caution for caution in GAME.cautions(players, state.setup.options)) == (players == 8)
    last = end(state, 1, 0.0)
    assert (last.round, last.ending[-1]) == (rounds, "the deck has run out")


def test_fewer_rounds_than_players_end_a_fair_match_too() -> None:
    state = begin(5, rules="fair", max_rounds=3)
    assert "at least 5 rounds" in GAME.cautions(5, state.setup.options)[-1]
    assert end(state, 1, 0.0).round == 3


@pytest.mark.parametrize("players", GAME.players)
def test_unequal_seats_are_said_before_the_match(players: int) -> None:
    last = end(begin(players, target_score=1000), 1, 0.0)
    unequal = [caution for caution in GAME.cautions(players, last.setup.options) if "Seats are not equal" in caution]
    assert bool(unequal) == (len(set(told(last).values())) > 1 or len(told(last)) < players)
    assert all("--rules fair" in caution for caution in unequal)


def test_cautions_hold_when_seats_are_skipped() -> None:
    """Skipped seats play no cards: the deck lasts longer than a caution would say, and scores can be higher."""
    state = begin(8, max_rounds=8, target_score=1000)
    said = GAME.cautions(8, state.setup.options)
    assert len(said) == 3
    assert all("seats are skipped" in caution or "no seat is skipped" in caution for caution in said)
    while not state.has_ended:
        seat = state.pending[0]
        state = state.actions[0].next_state if seat == state.storyteller else state.strike_out(seat)
    assert state.round == 8


def reshuffling(seed: int) -> list[State]:
    """The states of a match in which the deck is reshuffled several times."""
    players = GAME.players[seed % len(GAME.players)]
    options = {"deck": deck_to_json(SITUATIONS[: 6 * players + 1 + 3 * seed]), "target_score": 1000}
    refill = ("seat0", "new_storyteller")[seed % 2]
    return list(walk(begin(players, deck_end="reshuffle", refill_from=refill, **options), random.Random(seed), 0.1))


@pytest.mark.parametrize("seed", range(6))
def test_the_cards_played_come_back_and_none_is_lost(seed: int) -> None:
    states = reshuffling(seed)
    for state in states:
        data = state.to_json()
        held = Counter(card for cards in (*data["hands"], data["deck"]) for card in cards)
        assert set(held.values()) == {1}
        assert len(held) + len(batches(state).played) == len(state.setup.options.deck)
        assert not set(held) & set(batches(state).played)
    assert states[-1].ending == ("round 15 of 15 is played",)
    events = [event for state in states for event in state.events]
    assert [event for event in events if event.kind == "reshuffle"]
    drawn = Counter(
        seat for event in events if event.kind == "draw" for seat in [event.data["seat"]] * len(event.data["cards"])
    )
    played = Counter(card["owner"] for done in states[-1].view(None)["history"] for card in done["cards"])
    assert drawn == played + Counter(dict.fromkeys(range(states[0].setup.players), 6))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_known_of_the_batches_of_a_hand_is_true_in_every_world(seed: int) -> None:
    for number, state in enumerate(reshuffling(seed)[::EVERY]):
        known = batches(state)
        for world in (state, *(state.resample(seat, Rng(number)) for seat in (None, 0, 1))):
            assert [Counter(known.batch_of[card] for card in hand) for hand in world.hands] == [+held for held in known.held]
            assert len({known.batch_of[card] for card in world.deck}) <= 1
            assert world.view(None) == state.view(None)


def test_a_card_on_the_table_is_more_often_of_the_hand_with_more_cards_like_it() -> None:
    states = [state for state in reshuffling(0) if state.phase.name == "Reveal and Vote" and len(state.pending) == 2]
    state = next(s for s in states if len({batches(s).batch_of[card] for card in s.table}) > 1)
    known, rng, worlds = batches(state), Rng(1), 600
    counts: Counter[tuple[int, int]] = Counter()
    for _ in range(worlds):
        counts.update((owner, card) for owner, card in enumerate(state.resample(None, rng).submitted) if card is not None)
    for owner, card in counts:
        assert known.held[owner][known.batch_of[card]], "nobody plays a card of a batch that the hand has none of"
    assert len(counts) > 3
