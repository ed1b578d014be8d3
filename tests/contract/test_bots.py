"""The bots of every game: legal and deterministic, from what their seat knows alone, and no weaker than random play."""

from __future__ import annotations

import os
import random

import pytest

import games
from games.core import Game, Rng
from games.search.playouts import play_out
from games.search.policy import playing_policy
from games.testing.random_play import begin, variants, walk
from tests.contract.turned import turned, turned_move
from tools.campaigns.bots import share_of

IS_CAMPAIGN = "TABLETOP_CAMPAIGN" in os.environ
POSITIONS = 400 if IS_CAMPAIGN else 12
"""Positions looked at for each game and number of players."""
WORLDS = 5 if IS_CAMPAIGN else 2
TABLES = [
    pytest.param(game, players, id=f"{game.name}-{players}")
    for game in map(games.load, games.names())
    for players in game.players
]
each_table = pytest.mark.parametrize(("game", "players"), TABLES)
EQUAL_SEATS = ("coup",)
"""Games whose rules treat all seats alike: the starting player is drawn. In the others P-0 begins."""
LEFT_TO_CHANCE = {"dixiquote"}
"""Games in which one seat among random ones cannot do better than chance: quotes and votes then tell nothing."""


@each_table
def test_a_bot_makes_the_same_legal_move_in_every_world_that_its_seat_cannot_tell_apart(game: Game, players: int) -> None:
    chance, ways, looked_at = random.Random(players), variants(game), 0
    while looked_at < POSITIONS:
        state = begin(game, players, looked_at, chance.choice(ways)) or game.begin(players=players, seed=looked_at)
        states = [state for state in walk(state, chance, strike_rate=0.02) if state.pending]
        for state in chance.sample(states, min(6, len(states))):
            check(game, state, chance.choice(state.pending), Rng(looked_at))
            looked_at += 1


def check(game: Game, state: games.core.State, seat: int, rng: Rng) -> None:
    worlds = [state.resample(seat, rng) for _ in range(WORLDS)]
    for bot in game.bots.values():
        action = bot(state, seat, Rng(rng.word))
        assert state.read(seat, action.to_json()).move == action.move
        for world in (state, *worlds):
            assert bot(world, seat, Rng(rng.word)).to_json() == action.to_json()


@each_table
def test_no_bot_prefers_a_number_of_a_seat(game: Game, players: int) -> None:
    """At a turned table a bot makes the same moves with the same random numbers, whoever sits where."""
    rng, state = Rng.of("turned", players), game.begin(players=players, seed=players)
    for number in range(POSITIONS * 10):
        state = state if state.pending else game.begin(players=players, seed=number)
        seat, by = state.pending[0], 1 + number % (players - 1)
        for bot in game.bots.values():
            here, there = bot(state, seat, Rng(number)), bot(turned(state, by), (seat + by) % players, Rng(number))
            assert there.move == turned_move(state, here.move, by)
        state = game.bots["steady"](state, seat, rng).next_state


@pytest.mark.parametrize("game", EQUAL_SEATS)
def test_a_match_of_equal_bots_at_a_turned_table_is_the_same_match(game: str) -> None:
    """What the rules make equal stays equal: nobody wins because of the number of a seat."""
    policy = playing_policy(games.load(game))
    for seed in range(30):
        players, by = 2 + seed % 5, 1 + seed % 2
        state = games.load(game).begin(players=players, seed=seed)
        shares = play_out(state, policy, Rng(seed)).shares
        there = play_out(turned(state, by), policy, Rng(seed)).shares
        assert [there[(seat + by) % players] for seat in range(players)] == [*shares]


@pytest.mark.skipif(not IS_CAMPAIGN, reason="thousands of matches take long: make campaign")
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("game", EQUAL_SEATS)
def test_equal_bots_win_equally_often_in_every_seat(game: str, players: int) -> None:
    """The chi-square statistic of 3,000 matches; a fair bot exceeds the bound once in a thousand times."""
    matches, wins, policy = 3000, [0.0] * players, playing_policy(games.load(game))
    for number in range(matches):
        state = games.load(game).begin(players=players, seed=880_000 + number)
        for seat, share in enumerate(play_out(state, policy, Rng.of("seats", number)).shares):
            wins[seat] += share
    fair = matches / players
    assert sum((won - fair) ** 2 for won in wins) / fair < {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52}[players - 1], wins


@each_table
def test_two_seats_of_a_bot_beat_random_ones(game: Game, players: int) -> None:
    for bot in [name for name in game.bots if name != "random"]:
        seats = 1 if players == 2 else 2
        found = share_of(game, players, bot, 600 if IS_CAMPAIGN else 24, seats)
        assert found.mean - (found.margin if IS_CAMPAIGN else 0) > 1 / players, f"{bot}: {found}"


@pytest.mark.skipif(not IS_CAMPAIGN, reason="hundreds of matches take long: make campaign")
@each_table
def test_one_seat_of_a_bot_does_not_lose_to_random_ones(game: Game, players: int) -> None:
    for bot in [name for name in game.bots if name != "random"]:
        found = share_of(game, players, bot, 1200)
        if game.name in LEFT_TO_CHANCE:
            assert abs(found.mean - 1 / players) < 2 * found.margin, f"{bot}: {found}"
        else:
            assert found.mean - found.margin > 1 / players, f"{bot}: {found}"
