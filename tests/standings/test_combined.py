"""Combined ratings: one number over numbers of players or games, in which agents may differ."""

from __future__ import annotations

import random

import pytest

from games.statistics.deal_sums import RatedMatch
from games.statistics.strengths import Rating
from runner.standings.rating import rate
from tools.campaigns.rating_fields import Field

BASE = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def of_kind(kind: str, strengths: tuple[float, ...], seats: int, deals: int, seed: int) -> list[RatedMatch]:
    field = Field(strengths, seats, "scores", 3)
    return [match._replace(kind=kind) for match in field.tournament(deals, random.Random(seed))]


def two_kinds(deviation: float, deals: int = 40) -> tuple[Rating, dict[str, float]]:
    """The combined rating, and the difference that each agent has between the kinds when they are rated apart."""
    deviations = [deviation * sign for sign in (1, -1, 1, -1, 1, -1)]
    first = of_kind("k with 2", tuple(b + d for b, d in zip(BASE, deviations, strict=True)), 2, deals, 1)
    second = of_kind("k with 3", tuple(b - d for b, d in zip(BASE, deviations, strict=True)), 3, deals, 2)
    one, other = ({a["agent"]: a["rating"]["value"] for a in rate(some, 0).agents} for some in (first, second))
    return rate(first + second, 0), {agent: one[agent] - other[agent] for agent in one}


def test_agents_that_differ_between_kinds_keep_their_ratings_there() -> None:
    found, apart = two_kinds(0.6)
    assert found.kinds is not None
    assert found.kinds["spread"] == pytest.approx(0.6 * 2**0.5 * 173.7, rel=0.35)
    for agent in found.agents:
        own = agent["by_kind"]["k with 2"] - agent["by_kind"]["k with 3"]
        assert own == pytest.approx(apart[agent["agent"]], abs=60)
        assert agent["rating"]["value"] == pytest.approx(sum(agent["by_kind"].values()) / 2, abs=1e-6)


def test_agents_that_do_not_differ_are_shrunk_to_their_mean() -> None:
    found, apart = two_kinds(0.0, 12)
    own = [abs(agent["by_kind"]["k with 2"] - agent["by_kind"]["k with 3"]) for agent in found.agents]
    assert sum(own) < 0.6 * sum(map(abs, apart.values()))
    assert found.agents[0]["agent"] in {"a5", "a4"}


def test_one_kind_is_not_combined() -> None:
    found = rate(of_kind("k with 2", BASE, 2, 8, 1), 0)
    assert found.kinds is None
    assert all(not agent["by_kind"] for agent in found.agents)


def test_too_few_deals_say_nothing_of_the_spread() -> None:
    found = rate(of_kind("k with 2", BASE, 2, 3, 1) + of_kind("k with 3", BASE, 3, 3, 1), 0)
    assert found.kinds is not None
    assert found.kinds["spread"] is None


def test_an_agent_of_one_kind_alone_is_rated_too() -> None:
    extra = [match._replace(agents=("a0", "new")) for match in of_kind("k with 2", (0.0, 0.0), 2, 8, 5)]
    rating = rate(of_kind("k with 3", BASE, 3, 8, 1) + extra, 0)
    new = next(agent for agent in rating.agents if agent["agent"] == "new")
    assert set(new["by_kind"]) == {"k with 2"}
    assert new["matches"] == 24
