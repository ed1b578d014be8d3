"""Who meets whom on which deal, in which seat."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

from games.core import OptionError
from runner.agents.environment import Environment
from runner.arena.plan import plan_of, seated
from runner.arena.schedule import Fixture, meetings, round_robin, schedule, seatings, williams
from runner.errors import UsageError

GAME = "dixiquote"


def fixtures(agents: str, players: int, deals: int = 4, **more: Any) -> list[Fixture]:
    events = [{"name": GAME, "players": players}]
    plan = plan_of({"games": events, "agents": dict.fromkeys(agents, "bot:steady"), "deals": deals, **more})
    return list(schedule(plan))


@pytest.mark.parametrize(("agents", "players", "a_deal"), [("abc", 3, 6), ("abcd", 4, 24), ("ab", 4, 6), ("abcd", 3, 24)])
def test_up_to_four_seats_every_deal_is_played_in_all_orders(agents: str, players: int, a_deal: int) -> None:
    found = fixtures(agents, players)
    assert len(found) == 4 * a_deal
    assert len({(f.seed, f.seats) for f in found}) == len({f.name for f in found}) == len(found)


@pytest.mark.parametrize(
    ("agents", "players"), [("abcdefgh", 4), ("abcde", 4), ("ab", 3), ("abc", 5), ("abcdef", 6), ("abcdefg", 5)]
)
def test_everybody_plays_each_deal_and_has_each_seat_equally_often(agents: str, players: int) -> None:
    found = fixtures(agents, players)
    for seed in {fixture.seed for fixture in found}:
        sat = Counter((e.name, seat) for f in found if f.seed == seed for seat, e in enumerate(f.seats))
        assert len(sat) == len(agents) * players
        assert len(set(sat.values())) == 1


@pytest.mark.parametrize(("agents", "players"), [("abcdefgh", 4), ("abcdefg", 3), ("abcdefghij", 4)])
def test_meetings_are_balanced(agents: str, players: int) -> None:
    met = meetings(fixtures(agents, players, deals=30))
    assert len(met) == len(agents) * (len(agents) - 1) // 2
    assert max(met.values()) <= 1.25 * min(met.values())


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8])
def test_williams_design_balances_seats_and_neighbours(size: int) -> None:
    rows = list(williams(size))
    assert len({tuple(row) for row in rows}) == len(rows) or size == 3
    assert len(set(Counter((seat, who) for row in rows for seat, who in enumerate(row)).values())) == 1
    neighbours = Counter(pair for row in rows for pair in pairwise(row))
    assert len(neighbours) == size * (size - 1)
    assert len(set(neighbours.values())) == 1


def test_random_seats_are_one_order_a_deal() -> None:
    assert len(seatings((0, 1, 2), "random", random.Random(1))) == 1
    assert len(fixtures("abc", 3, rotation="random")) == 4


def test_more_deals_leave_the_earlier_ones_as_they_are() -> None:
    few, many = fixtures("abcde", 3, deals=2, seed=1), fixtures("abcde", 3, deals=5, seed=1)
    assert many[: len(few)] == few


def test_in_a_gauntlet_every_agent_meets_the_same_opponents_on_the_same_deal() -> None:
    found = fixtures("ab", 3, schedule="gauntlet", opponents={"x": "bot:steady", "y": "bot:random"})
    met = meetings(found)
    assert ("a", "b") not in met
    assert met["a", "x"] == met["a", "y"] == met["b", "x"] == 4 * 6


PLAN = {"games": [GAME], "agents": ["bot:steady", "bot:random"]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"deal": 3}, "deal is not known; did you mean deals?"),
        ({"deals": 0}, "deals cannot be 0"),
        ({"budget": -1}, "budget cannot be -1"),
        ({"budget": True}, "budget cannot be true"),
        ({"agents": ["bot:steady"]}, "at least two agents"),
        ({"agents": ["bot:steady", "bot:steady"]}, "named twice"),
        ({"agents": ["bot:nonesuch", "bot:steady"]}, "There is no bot"),
        ({"agents": 3}, "a list of SPECs"),
        ({"games": []}, "a plan needs games"),
        ({"games": [{"name": GAME, "players": 99}]}, "players, not 99"),
        ({"games": [{"name": GAME, "options": {"nonesuch": 1}}]}, "no option"),
        ({"games": [{"name": GAME, "options": 3}]}, "it has to be a table"),
        ({"games": ["nonesuch"]}, "There is no game"),
        ({"schedule": "gauntlet"}, "needs opponents"),
        ({"opponents": ["x=bot:steady"]}, "belong to a gauntlet"),
        ({"schedule": "knockout"}, "schedule cannot be"),
        ({"mistakes": 2}, "mistakes cannot be 2"),
        ({"concurrency": 1.5}, "concurrency cannot be 1.5"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_one_sentence(change: dict[str, Any], said: str) -> None:
    with pytest.raises((UsageError, OptionError)) as refusal:
        seated(plan_of({**PLAN, **change}), Environment())
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_plan_round_trips() -> None:
    plan = plan_of({**PLAN, "budget": 2, "deals": 3, "seed": 2**63 - 1})
    assert plan_of(plan.to_json()) == plan


def test_schedules_stay_those_of_earlier_versions() -> None:
    drawn = []
    for agents, seats in itertools.product((3, 5, 7, 13), (2, 4, 6)):
        drawn.append([*itertools.islice(round_robin(agents, seats, 5), 4)])
    assert sha256(repr(drawn).encode()).hexdigest()[:16] == "9dc33f0932dd15f9"


def test_a_plan_that_takes_long_to_schedule_is_refused() -> None:
    for agents, deals in ((2000, 1), (300, 100), (4, 1_000_000)):
        data = {"games": ["coup"], "agents": [f"a{number}=bot:random" for number in range(agents)], "deals": deals}
        with pytest.raises(UsageError, match="too large to schedule: play several"):
            plan_of(data)
