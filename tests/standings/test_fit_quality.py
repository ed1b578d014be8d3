"""Goodness of fit: line-ups that the ratings do not predict bring a warning."""

from __future__ import annotations

import random
from itertools import chain

from games.statistics.deal_sums import RatedMatch
from games.statistics.fit_quality import gap_points
from games.statistics.strengths import Rating
from runner.standings.rating import rate
from tools.campaigns.rating_fields import Field

FOUR = Field((0.0, 0.3, 0.6, 0.9), 3, "winners", 4)


def met(strengths: dict[str, float], deals: int, rng: random.Random) -> list[RatedMatch]:
    """Matches of two or three agents under the model with these strengths."""
    field = Field(tuple(strengths.values()), len(strengths), "winners", 3)
    names = tuple(strengths)
    return [
        match._replace(agents=tuple(names[int(agent[1:])] for agent in match.agents)) for match in field.tournament(deals, rng)
    ]


def line_ups(weaker: float) -> Rating:
    """Agent `a` meets `b` alone and with `c`; with `c` at the table it is weaker by so much."""
    rng = random.Random(3)
    alone, third = {"a": 0.5, "b": 0.0}, {"a": 0.5 - weaker, "b": 0.0, "c": 0.0}
    renamed = (match._replace(kind="k") for match in chain(met(alone, 60, rng), met(third, 60, rng)))
    return rate(list(renamed), 0)


def test_matches_of_the_model_fit() -> None:
    fits = [rate(list(FOUR.tournament(30, random.Random(seed))), 0).fit for seed in range(100, 110)]
    assert all(fit is not None and fit["lineups"] >= 3 and not fit["is_poor"] for fit in fits)


def test_a_strength_that_depends_on_company_is_a_poor_fit() -> None:
    found = line_ups(1.5).fit
    assert found is not None
    assert found["is_poor"]
    assert abs(gap_points(found["worst"]["observed"], found["worst"]["expected"])) > 30
    same = line_ups(0.0).fit
    assert same is not None
    assert not same["is_poor"]


def test_a_single_line_up_fits_by_itself() -> None:
    found = rate(list(Field((0.0, 0.0, 3.0), 3, "winners", 2).tournament(12, random.Random(1))), 0).fit
    assert found is None or not found["is_poor"]


def test_too_few_deals_cannot_be_checked() -> None:
    assert rate(list(FOUR.tournament(3, random.Random(0))), 0).fit is None
