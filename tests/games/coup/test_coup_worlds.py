"""Worlds of Coup: consistent with everything a seat has seen, and as likely as the cards make them."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from games.core import Rng
from games.coup import GAME, State
from games.coup.belief.distribution import believed, kinds_at, options
from games.coup.belief.evidence import SETTLE, Evidence, Witness
from games.coup.cards import CHARACTERS
from games.testing.random_play import walk
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position, shows
from tests.games.coup.tracking import Shares, Table, Tracker, table_of

MATCHES = 6 if os.environ.get("TABLETOP_CAMPAIGN") else 1
VARIANTS: tuple[dict[str, Any], ...] = ({}, {"rules": "official"}, {"may_concede": True})
CHI_SQUARE_PER_CASE = 2.0
"""With 30 degrees of freedom and more, a true sample exceeds this once in 10,000 times; the seeds are fixed."""


def worlds(state: State, seat: int | None, number: int) -> list[State]:
    return [state.resample(seat, Rng(word)) for word in range(number)]


def tables(state: State, seat: int | None, number: int, *keys: int) -> Counter[Table]:
    return Counter(table_of(state.resample(seat, Rng.of(*keys, word))) for word in range(number))


# -- positions -----------------------------------------------------------------------------------------------------------


def test_the_card_shown_in_an_official_swap_may_come_back() -> None:
    state = position("2 Du Ca", "2 As Am", "2 Co Co", proof_swap="return_shuffle_draw")
    state = play(state, does(0, "tax"), challenges(1), shows(0, "Duke"))
    held = [world.hands[0].down for world in worlds(state, 1, 600)]
    assert 0 < sum("Duke" in down for down in held) < 600
    assert {world.deck.count("Duke") for world in worlds(state, 1, 200)} >= {1, 2}


def test_cards_returned_before_the_last_draw_are_still_known() -> None:
    """P-0 returned two cards. P-1 then proved a claim, so one of ten cards left the deck: most worlds keep both there."""
    state = position("2 Am Co", "2 Du Ca", "2 As As")
    state = play(state, does(0, "exchange"), *passes(1, 2))
    state = play(state, (0, state.actions[0].to_json()))
    returned = state.history[0].returned
    state = play(state, does(1, "tax"), challenges(2), shows(1, "Duke"), loses(2, "Assassin"), does(2, "income"))
    for world in worlds(state, 0, 200):
        missing = Counter(returned) - Counter(world.deck)
        assert missing.total() <= 1
        assert missing <= Counter(world.hands[1].down)


def test_a_world_depends_on_nothing_but_the_position_the_seat_and_the_word() -> None:
    """Beliefs are kept for the position asked about last: seats and positions in turn give the worlds of a fresh copy."""
    earlier = play(position("2 Am Co", "2 Du Ca", "2 As As"), does(0, "exchange"))
    states = [earlier, play(earlier, *passes(1, 2))]
    for word in range(5):
        for seat in (0, 1, None):
            for state in states:
                assert state.resample(seat, Rng(word)) == GAME.from_json(state.to_json()).resample(seat, Rng(word))


def test_two_of_a_claimed_card_are_as_likely_as_they_are() -> None:
    state = play(position("3 As Du", "2 Ca Am", "2 Co Co"), does(0, "tax"), challenges(1))
    pairs = sum(world.hands[0].down == ("Duke", "Duke") for world in worlds(state, 2, 3000))
    assert pairs / 3000 == pytest.approx(3 / 33, abs=0.02)  # 3 pairs, and 3 times 10 hands with another card


def test_a_player_who_conceded_had_the_card() -> None:
    state = position("3 As Du", "2 Ca Am", "2 Co Co", may_concede=True)
    state = play(state, does(0, "tax"), challenges(1), (0, {"response": "concede"}))
    assert all("Duke" in world.hands[0].down for world in worlds(state, 2, 100))
    state = play(state, loses(0, "Assassin"), does(1, "income"))
    assert {world.hands[0].down for world in worlds(state, 2, 100)} == {("Duke",)}


def test_a_drawn_card_that_was_the_only_one_known_in_the_deck_is_no_longer_there() -> None:
    state = position("2 Am Co", "2 Du Ca", "2 As As", "2 Du Du")
    state = play(state, does(0, "steal", 1), *passes(1, 2, 3), blocks(1, "Captain"), challenges(3), shows(1, "Captain"))
    assert all("Captain" in world.deck for world in worlds(state, 2, 60))


def test_what_a_seat_drew_and_returned_is_the_same_in_its_worlds() -> None:
    state = position("2 Am Co", "2 Du Ca", "2 As As")
    state = play(state, does(0, "exchange"), *passes(1, 2))
    kept = play(state, (0, state.actions[0].to_json()))
    for before in (state, kept):
        for world in worlds(before, 0, 20):
            assert world.draws == before.draws
            assert world.drawn == before.drawn
            assert [turn.returned for turn in world.history] == [turn.returned for turn in before.history]
    assert len({world.draws for world in worlds(kept, 1, 60)}) > 10


def test_a_player_struck_out_in_an_exchange_keeps_its_cards() -> None:
    """P-0 lied about a Captain and lost a card; whatever it drew since went back."""
    state = position("2 As Du", "2 Ca Am", "2 Co Co")
    state = play(state, does(0, "steal", 1), challenges(1), loses(0, "Duke"), does(1, "income"), does(2, "income"))
    exchanging = play(state, does(0, "exchange"), *passes(1, 2))
    after = exchanging.strike_out(0)
    assert after.view(1)["strike_outs"] == [{"turn": 4, "phase": "Ambassador Exchange Decision", "seat": 0}]
    for seat in (0, 1, None):
        drawn = worlds(after, seat, 300)
        assert not any("Captain" in world.hands[0].down for world in drawn)
        assert all(Counter(world.draws) == Counter(world.history[-1].returned) for world in drawn)
        assert all(GAME.from_json(world.to_json()) == world for world in drawn[:20])
    assert len({world.draws for world in worlds(after, 1, 100)}) > 5
    assert {world.draws for world in worlds(after, 0, 100)} == {after.draws}


def test_a_player_struck_out_in_the_draft_took_the_first_card() -> None:
    state = GAME.begin(players=2, draft=True, seed=4)
    first = state.pending[0]
    after = state.strike_out(first)
    assert {world.hands[first].down for world in worlds(after, 1 - first, 100)} == {(CHARACTERS[0],)}


# -- all possible worlds -------------------------------------------------------------------------------------------------


def tracked(players: int, seed: int, **options: Any) -> list[tuple[State, int | None, Shares]]:
    """The positions of a match played at random with a seat and the exact shares of its worlds; the seats take turns."""
    steps = walk(GAME.begin(players=players, seed=seed, **options), random.Random(seed))
    states = [state for state in steps if isinstance(state, State) and state.pending]
    seats: list[int | None] = [*range(players), *([None] if players < 4 else [])]
    seat = seats[seed % len(seats)]
    tracker = Tracker(states[0], seat)
    found: list[tuple[State, int | None, Shares]] = [(states[0], seat, tracker.expected)]
    for _, state in pairwise(states):
        tracker.follow(state)
        found.append((state, seat, tracker.expected))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_world_is_outside_and_the_proportions_are_right(players: int) -> None:
    statistic, cases = 0.0, 0
    for seed in range((6 if players == 2 else 2) * MATCHES):
        positions = tracked(players, seed, **VARIANTS[seed % 3])
        for index, (state, seat, expected) in enumerate(positions[2 :: 7 if players < 4 else 9]):
            drawn = tables(state, seat, 300, seed, index)
            assert set(drawn) <= set(expected)
            assert table_of(state) in expected
            more, degrees = chi_square(drawn, expected)
            statistic, cases = statistic + more, cases + degrees
    assert cases > 30
    assert statistic / cases < CHI_SQUARE_PER_CASE


def chi_square(drawn: Counter[Table], expected: Shares) -> tuple[float, int]:
    """The statistic and its degrees of freedom; worlds expected less than five times are one case."""
    number = drawn.total()
    large = {table: number * share for table, share in expected.items() if number * share >= 5}
    rest = number - sum(large.values())
    cases = [(drawn[table], share) for table, share in large.items()]
    if rest >= 5:
        cases.append((number - sum(drawn[table] for table in large), Fraction(rest)))
    return sum(float((seen - share) ** 2 / share) for seen, share in cases), max(0, len(cases) - 1)


@pytest.mark.parametrize("players", [2, 3])
def test_the_belief_has_exactly_the_shares_of_the_second_count(players: int) -> None:
    for seed in range(3 * MATCHES):
        for state, seat, expected in tracked(players, seed + 6, **VARIANTS[seed % 3])[::4]:
            assert shares_of(state, seat) == expected


def shares_of(state: State, seat: int | None) -> Shares:
    """The share of each distribution in the belief of a seat, with the kinds of all cards."""
    witness = Witness(state, seat)
    belief = believed(witness.start, witness.found)
    shares: Shares = {}
    for distribution, weight in belief.weights.items():
        for number, settled in settled_at(distribution, 0, belief.pool):
            places = [tuple(CHARACTERS[kind] for kind in kinds_at(settled, place)) for place in range(belief.pool)]
            if seat is not None:
                places[seat] = table_of(state)[seat]
            table = tuple(tuple(sorted(cards)) for cards in places)
            shares[table] = shares.get(table, Fraction(0)) + weight * number
    whole = sum(shares.values())
    return {table: share / whole for table, share in shares.items()}


def settled_at(distribution: int, place: int, pool: int) -> Iterator[tuple[int, int]]:
    """The distribution with all kinds from a place on told apart, each with the number of its arrangements."""
    if place == pool:
        yield 1, distribution
        return
    for number, after, _ in options(distribution, Evidence(SETTLE, place), pool):
        for more, settled in settled_at(after, place + 1, pool):
            yield number * more, settled
