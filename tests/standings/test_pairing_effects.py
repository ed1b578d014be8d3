"""Company: self-play against cross-play, and warnings that a rating depends on who else plays."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence

import pytest

from games.statistics.deal_sums import RatedMatch
from games.statistics.fit_quality import WARNED, pairing_effects, pairing_effects_notes
from tests.standings.simulated import match

TIMES = 400 if "TABLETOP_CAMPAIGN" in os.environ else 20


def tournament(
    strengths: Sequence[float], players: int, deals: int, seed: int, own: float = 0.0, against: float = 0.0
) -> list[RatedMatch]:
    """Tables drawn by chance. `own` is what the first agent gains from another copy of itself, `against` from the second."""
    rng, found = random.Random(seed), []
    for deal in range(deals):
        hands = [rng.gauss(0, 0.5) for _ in range(players)]
        for _ in range(6):
            order = tuple(rng.choices(range(len(strengths)), k=players))
            gain = own * (order.count(0) > 1) + against * (1 in order)
            worth = [strengths[0] + gain, *strengths[1:]]
            found.append(match(worth, order, hands, 0.2, rng, str(deal)))
    return found


def test_there_is_hardly_a_warning_where_company_does_not_matter() -> None:
    spread = random.Random(1)
    warned = [
        bool(pairing_effects(tournament([spread.gauss(0, 0.7) for _ in range(4)], 4, 20, seed))["warnings"])
        for seed in range(TIMES)
    ]
    assert sum(warned) <= WARNED * TIMES


@pytest.mark.parametrize(("own", "against", "whom"), [(2.0, 0.0, "a0"), (0.0, 2.0, "a1"), (0.0, -2.5, "a1")])
def test_an_agent_that_gains_or_loses_by_company_is_named(own: float, against: float, whom: str) -> None:
    found = pairing_effects(tournament([0.0, 0.3, -0.3, 0.1], 3, 60, 3, own, against))
    named = [(one["agent"], one["company"]) for one in found["warnings"]]
    assert ("a0", whom) in named
    one = next(one for one in found["warnings"] if (one["agent"], one["company"]) == ("a0", whom))
    assert (one["win_share"] > one["expected"]) == (own + against > 0)
    assert any(note.startswith("Warning: a0 wins") for note in pairing_effects_notes(found))


def test_shares_are_in_units_of_a_fair_share() -> None:
    """Equal agents have 1.00 with and without their own kind."""
    found = pairing_effects(tournament([0.0, 0.0, 0.0], 4, 200, 5))
    assert len(found["own"]) == 3
    for one in found["own"]:
        for sat in (one["alone"], one["with_own"]):
            assert sat is not None
            assert sat["low"] is not None
            assert abs(sat["value"] - 1) < 0.15


def test_there_is_no_table_where_nobody_meets_its_own_kind() -> None:
    rng = random.Random(2)
    played = [match([0.0, 0.5, 1.0], (0, 1, 2), [0, 0, 0], 0, rng, str(deal)) for deal in range(12)]
    assert pairing_effects(played) == {"own": [], "warnings": []}
