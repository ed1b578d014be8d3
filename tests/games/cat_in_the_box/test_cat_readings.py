"""What bids and declarations say of how a player of Cat in the Box plays on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp, prod
from typing import Any

import pytest

from games.cat_in_the_box import GAME, State
from games.cat_in_the_box.bots import best_bids, best_plays, worths_of_plays
from games.cat_in_the_box.phases import BID, PLAY
from games.cat_in_the_box.readings import STYLES, readings
from games.core import Action, Policy, Rng, policy, random_policy
from games.core.policy import noisy
from games.core.reading import Style
from games.search.worlds import mixed, playing_on, worlds_of
from tests.games.cat_in_the_box.playing import SETTINGS

steady = GAME.bots["steady"]
ONE_ROUND = [(players, options) for players, options in SETTINGS if GAME.begin(players=players, **options).rules.rounds == 1]


def played(policies: Sequence[Policy], seed: int, **options: Any) -> list[State]:
    """The states of a match, but for the last one."""
    state, rng, path = GAME.begin(players=len(policies), seed=seed, **options), Rng(seed), list[State]()
    while state.pending:
        path.append(state)
        state = policies[state.pending[0]](state, state.pending[0], rng).next_state
    return path


def styles(state: State, seat: int) -> dict[str, float]:
    """How likely each style is for a seat, from the true cards."""
    reading = next(one for one in readings(state, None) if one.seat == seat)
    found = reading.explain(state)
    return {
        style.name: style.prior * one / mixed(reading.styles, found) for style, one in zip(reading.styles, found, strict=True)
    }


def chance(state: State, move: int, style: Style) -> float:
    """How likely a style makes a move."""
    seat, legal, part = state.pending[0], [action.move for action in state.actions], STYLES[style]
    if style.name == "skilled" and state.phase_id == PLAY:
        worths = {play: exp(worth / 1.2) for play, worth in zip(*worths_of_plays(state, seat), strict=True)}
        return 0.9 * worths[move] / sum(worths.values()) + 0.1 / len(legal)
    best = best_bids(state, seat) if state.phase_id == BID else best_plays(state, seat)
    return (1 - part) * (move in best) / len(best) + part / len(legal)


@pytest.mark.parametrize(("players", "options"), ONE_ROUND)
def test_a_style_is_as_likely_as_it_makes_every_bid_and_play(players: int, options: dict[str, Any]) -> None:
    """The states of the match, which nothing is reconstructed from, are the oracle."""
    policies = [steady, random_policy, noisy(0.3)(steady), steady, random_policy][:players]
    path = played(policies, 4, **options)
    for state in path[:: max(1, len(path) // 6)]:
        before = [one for one in path[: path.index(state)] if one.phase_id in (BID, PLAY)]
        moves = [after.origin[2] for after in path[1 : path.index(state) + 1] if after.origin[0].phase_id in (BID, PLAY)]
        for reading in readings(state, None):
            own = [(one, move) for one, move in zip(before, moves, strict=True) if one.pending[0] == reading.seat]
            expected = [prod(chance(one, move, style) for one, move in own) for style in STYLES]
            assert [*reading.explain(state)] == pytest.approx(expected)


@pytest.mark.parametrize("players", GAME.players)
def test_who_plays_at_random_is_known_by_the_end_of_a_round(players: int) -> None:
    found = [styles(played([random_policy, *[steady] * (players - 1)], seed)[-1], 0)["random"] for seed in range(20)]
    others = [styles(played([random_policy, *[steady] * (players - 1)], seed)[-1], 1)["steady"] for seed in range(20)]
    assert sum(found) / 20 > 0.5
    assert sum(others) / 20 > 0.7


def test_who_makes_other_good_plays_is_found_skilled() -> None:
    found = [styles(played([skilled, noisy(0.35)(steady), steady], seed)[-1], 0)["skilled"] for seed in range(20)]
    others = [styles(played([skilled, noisy(0.35)(steady), steady], seed)[-1], 1)["skilled"] for seed in range(20)]
    assert sum(found) / 20 > 2 * sum(others) / 20


@policy
def skilled(state: State, seat: int, rng: Rng) -> int:
    if state.phase_id != PLAY:
        return rng.choice([action.move for action in state.actions])
    plays, worths = worths_of_plays(state, seat)
    return plays[rng.weighted([*accumulate(int(1000 * exp(worth)) + 1 for worth in worths)])]


def test_finished_rounds_are_remembered() -> None:
    path = played([random_policy, steady, steady, steady], 2, rules="official")
    begun = next(state for state in path if state.round == 3)
    assert styles(begun, 0)["random"] > 0.6
    assert styles(begun, 1)["steady"] > 0.9


@pytest.mark.parametrize(("players", "options"), SETTINGS)
def test_every_state_and_world_is_explained(players: int, options: dict[str, Any]) -> None:
    """Also after strike-outs, and when a paradox has ended a round early."""
    chance = Rng.of("explained", players)

    def any_play(state: State, seat: int, rng: Rng) -> Action:
        return (steady if rng.random() < 0.5 else random_policy)(state, seat, rng)

    for seed in range(4):
        state = GAME.begin(players=players, seed=seed, **options)
        while state.pending:
            for seat in (None, state.pending[0]):
                if chance.random() < 0.2:
                    for world in (state, worlds_of(state, seat)(chance)):
                        assert all(min(one.explain(world)) > 0 for one in readings(state, seat))
            is_out = chance.random() < 0.03
            seat = state.pending[0]
            state = state.strike_out(seat) if is_out else any_play(state, seat, chance).next_state


def test_readings_depend_on_what_the_seat_knows_alone() -> None:
    path = played([steady, random_policy, steady], 5)
    state, world = path[-4], worlds_of(path[-4], 0)(Rng(1))
    assert world != state
    assert [one.explain(world) for one in readings(state, 0)] == [one.explain(world) for one in readings(world, 0)]


def test_search_does_not_adapt_to_them_and_shares_of_the_win_do() -> None:
    state = played([steady, random_policy, steady], 5)[-4]
    assert worlds_of(state, 0, is_adapting=True).seated(steady, state, Rng(1)) is steady
    assert any(playing_on(state).seated(steady, state, Rng(number)) is not steady for number in range(20))
