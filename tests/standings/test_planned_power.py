"""Planned power: the number of deals from a plan alone."""

from __future__ import annotations

import json
import math
from itertools import permutations
from pathlib import Path

import pytest

from games.statistics.pair_ratings import quantiles, seat_information
from games.statistics.plackett_luce import POINTS
from runner.arena.plan import plan_of
from runner.arena.schedule import schedule
from runner.standings.rating import planned_power
from tests.cli.command import tabletop


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_information_of_a_match_is_that_of_all_its_orders(seats: int) -> None:
    """The second derivative of each order's log probability for equal agents, summed over its stages."""
    orders = list(permutations(range(seats)))
    total = sum(1 / (seats - stage) ** 2 for order in orders for stage in range(seats - 1) if {0, 1} <= set(order[stage:]))
    assert seat_information(seats, True) == pytest.approx(total / len(orders))
    assert seat_information(seats, False) == pytest.approx(1 / seats**2)


def test_two_agents_need_as_many_deals_as_a_binomial_test() -> None:
    plan = plan_of({"games": [{"name": "coup", "players": 2, "deals": 2}], "agents": ["bot:steady", "bot:random"]})
    (found,) = planned_power(schedule(plan), 100).values()
    variance = 1 / (2 * 0.25)
    assert found[0]["deals"] == pytest.approx(math.ceil(variance * (quantiles(1) * POINTS / 100) ** 2), abs=2)


def test_the_command_guesses_before_any_match(tmp_path: Path) -> None:
    words = ("tournament", "--game", "coup", "--players", "2", "--seat", "bot:steady,bot:random", "--power", "100")
    done = tabletop(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert "a guess for equal agents before any match" in done.stdout
    assert "Choose the number of deals before you look at ratings" in done.stdout
    found = json.loads(tabletop(tmp_path, *words, "--json").stdout)
    assert found["is_guess"]
    assert found["games"][0]["players"] == 2
    assert list(tmp_path.iterdir()) == []
