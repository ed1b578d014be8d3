"""Luck: adjusted win shares are unbiased, save what they can, and rest on a value function that is fixed beforehand."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

import games
from games.core import Policy, Rng, State, random_policy
from games.search.value_function import MOST_EXACT, VALUE, ValueFunction, bot_weights, correction, weights_of
from games.statistics.adjusted import Luck, LuckyMatch, adjusted
from games.statistics.deal_sums import RatedMatch
from runner.arena.tournament_dir import value_records
from runner.record.reader import read_log
from runner.standings.luck import luck, value_notes
from tests.cli.command import tabletop

QUICK = ValueFunction(playouts=1)
BALANCED, PARTLY = list(permutations(range(3))), [(0, 1, 2)]


def states(game: str, players: int, seed: int, every: int) -> list[State]:
    """Some states of a match of random play in which a seat has a choice."""
    state, rng, found = games.load(game).begin(players=players, seed=seed), Rng(seed), []
    while state.pending:
        found.append(state)
        state = rng.choice(state.actions_of(state.pending[0])).next_state
    return [one for one in found if 1 < len(one.legal_moves(one.pending[0])) <= MOST_EXACT][::every]


@pytest.mark.parametrize("game", games.names())
def test_the_mean_correction_over_a_known_policy_is_exactly_zero(game: str) -> None:
    """This makes a result less its corrections unbiased, whatever the value function is."""
    for state in states(game, games.load(game).players[0], 6, 12)[:2]:
        seat = state.pending[0]
        moves, known = state.legal_moves(seat), {seat: random_policy}
        weights = bot_weights(random_policy, state, seat, Rng(1))
        found = [correction(state, seat, move, weights, known, QUICK, 7) for move in moves]
        assert any(any(one) for one in found) or len({QUICK.of(state.apply(seat, move, None), 7, known) for move in moves}) == 1
        assert [sum(shares) for shares in zip(*found, strict=True)] == pytest.approx([0.0] * state.setup.players, abs=1e-9)


def test_answers_that_are_one_move_have_its_probability_together() -> None:
    first, second, third = games.load("coup").begin(players=3, seed=1).actions[:3]
    assert weights_of([(first, 0.25), (second, 0.5), (first, 0.25), (third, 0.0)]) == {first.move: 0.5, second.move: 0.5}


def shy(state: State, seat: int, rng: Rng) -> Any:
    """A policy whose probabilities nobody knows."""
    actions = state.actions_of(seat)
    return actions[min(rng.below(len(actions)), rng.below(len(actions)))]


def test_a_sampled_policy_has_a_mean_correction_of_zero_as_well() -> None:
    policy: Policy = shy
    state = states("coup", 3, 2, 1)[6]
    seat, rng = state.pending[0], Rng(5)
    found = [
        correction(
            *(state, seat, policy(state, seat, rng).move, bot_weights(policy, state, seat, rng)),
            *({seat: policy}, ValueFunction(1), number),
        )[seat]
        for number in range(150)
    ]
    assert stdev(found) > 0
    assert abs(mean(found)) < 4 * stdev(found) / math.sqrt(len(found))


def test_only_decisions_of_known_bots_are_corrected(tmp_path: Path) -> None:
    for name, seats in (("bots", ("bot:random", "bot:steady")), ("unknown", ("bot:search:2", "bot:search:2"))):
        words = [word for seat in seats for word in ("--seat", seat)]
        done = tabletop(tmp_path, "play", "coup", *words, "--seed", "4", "--quiet", "--log", f"{name}.jsonl")
        assert done.returncode == 0, done.stderr
    assert luck(read_log(tmp_path / "unknown.jsonl"), QUICK) == (0.0, 0.0)
    found = luck(read_log(tmp_path / "bots.jsonl"), QUICK)
    assert found[0] == pytest.approx(-found[1])
    assert found[0] != 0
    assert found == luck(read_log(tmp_path / "bots.jsonl"), QUICK)


def test_values_depend_on_the_state_and_on_what_the_function_is_made_of() -> None:
    state = games.load("coup").begin(players=3, seed=4)
    values = VALUE._replace(playouts=8).of(state, "deal")
    assert sum(values) == pytest.approx(1)
    assert values == VALUE._replace(playouts=8).of(state, "deal")
    records = [
        value_records([games.load("coup")], one)["coup"]["digest"]
        for one in (VALUE, VALUE._replace(seed=1), VALUE._replace(playouts=5))
    ]
    assert len(set(records)) == 3


def simulated(orders: Sequence[Sequence[int]], deals: int, seed: int) -> list[LuckyMatch]:
    """Matches whose winner is drawn by the values of the deal; the luck of bots is half of what is left."""
    rng, found = random.Random(seed), []
    for deal in range(deals):
        hands = [rng.random() ** 3 + 0.02 for _ in range(3)]
        values = [hand / sum(hands) for hand in hands]
        for order in orders:
            winner = rng.choices(range(3), values)[0]
            wins = [float(seat == winner) for seat in range(3)]
            bots = [(win - value) * 0.7 for win, value in zip(wins, values, strict=True)]
            agents, wins_by = tuple(f"a{agent}" for agent in order), tuple(wins)
            found.append((RatedMatch("sim", str(deal), agents, (), wins_by, wins_by), Luck(tuple(values), tuple(bots))))
    return found


@pytest.mark.parametrize(("orders", "low", "high"), [(PARTLY, 0.85, 1.0), (BALANCED, 0.6, 1.0)])
def test_luck_that_is_known_is_taken_out(orders: Sequence[Sequence[int]], low: float, high: float) -> None:
    for agent, found in adjusted(simulated(orders, 60, 4)).items():
        assert found["win_share"]["low"] is not None, agent
        assert found["saved"] is not None, agent
        assert low < found["saved"] <= high, agent


def test_the_deal_saves_nothing_where_every_agent_has_every_seat_of_every_deal() -> None:
    matches = [(match, own._replace(bots=(0.0,) * 3)) for match, own in simulated(BALANCED, 40, 4)]
    plain = {agent: mean(m.wins[m.agents.index(agent)] for m, _ in matches) for agent in ("a0", "a1", "a2")}
    for agent, found in adjusted(matches).items():
        assert found["win_share"]["value"] == pytest.approx(plain[agent])
        assert found["saved"] == pytest.approx(0.0, abs=1e-6)


def test_adjusted_shares_of_equal_agents_are_centred_on_a_fair_share() -> None:
    """The coefficients are fitted, so the bias is of the order of 1 divided by the deals."""
    rng = random.Random(9)
    orders = [rng.sample(range(3), 3) for _ in range(2)]
    found = [adjusted(simulated(orders, 15, seed))["a0"]["win_share"]["value"] for seed in range(120)]
    assert abs(mean(found) - 1 / 3) < 4 * stdev(found) / math.sqrt(len(found))


def test_a_tournament_records_the_value_function_before_its_matches(tmp_path: Path) -> None:
    words = ("tournament", "--game", "coup", "--seat", "a=bot:steady,b=bot:random", "--players", "2", "--deals", "1")
    assert tabletop(tmp_path, *words, "--seed", "1", "--quiet", "--workers", "1", "-o", "t").returncode == 0
    manifest = tmp_path / "t" / "tournament.json"
    recorded = json.loads(manifest.read_text())
    assert recorded["values"] == value_records([games.load("coup")])
    found = json.loads(tabletop(tmp_path, "standings", "t", "--adjust", "deal", "--json").stdout)
    assert any("recorded it before its first match" in note for note in found["notes"])
    assert all(agent["adjusted"]["win_share"]["value"] >= 0 for agent in found["games"][0]["agents"])


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"coup": {"digest": value_records([games.load("coup")])["coup"]["digest"]}}, "recorded it before"),
        ({"coup": {"digest": "0" * 32}}, "recorded another one"),
        ({}, "was not recorded before"),
        ([1], "was not recorded before"),
        ({"coup": 7}, "was not recorded before"),
    ],
)
def test_standings_say_whether_the_value_function_was_fixed_beforehand(values: object, says: str, tmp_path: Path) -> None:
    manifest = {"created": "2026-01-01T00:00:00+00:00", "plan": {}, "values": values}
    (tmp_path / "tournament.json").write_text(json.dumps(manifest))
    (note,) = value_notes(["coup"], tmp_path)
    assert says in note
