"""Regrets of Leduc poker, at every information set, against exact values. With TABLETOP_CAMPAIGN these are docs/review.md's
figures, which `-s` shows."""

from __future__ import annotations

import os
import sys
from statistics import fmean, stdev

import pytest

from games.core import Action, Rng
from games.search.comparison import compared
from tests.games.search.leduc import NAMES, Plan, exact, information_sets, place_of, playing, state_of
from tests.games.search.test_leduc import PLANS

CAMPAIGN = "TABLETOP_CAMPAIGN" in os.environ
PLAYOUTS, TIMES = (200, 8) if CAMPAIGN else (40, 1)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_the_mean_regret_agrees_with_the_exact_one(plan: Plan) -> None:
    """Chance apart, it may be off by a quarter of a standard error. A random move at each information set is compared with the
    best other one that the race finds."""
    off, errors, given_up, held = list[float](), list[float](), list[float](), 0
    for number, (card, common, line) in enumerate(information_sets() * TIMES):
        place, key = place_of(line), (plan, card, common, line)
        worth = {NAMES[letter]: exact(*key, NAMES[letter]) for letter in place.moves}
        move = Rng.of("leduc", number).choice(list(worth))
        action = Action(state_of(*key), place.seat or 0, move)
        found = compared(action.state, action, playing(plan), PLAYOUTS, "leduc", number)
        regret = max(worth.values()) - worth[move]
        off.append(found.regret - regret)
        given_up.append(max(0.0, found.behind) - regret)
        errors.append(found.error)
        held += abs(found.behind - (worth[found.rival.move] - worth[move])) <= 1.96 * found.error
    if CAMPAIGN:
        sys.stdout.write(
            f"\n{len(off)} comparisons: regret {fmean(off):+.3%} ± {stdev(off) / len(off) ** 0.5:.3%} (standard error), "
            f"given_up {fmean(given_up):+.3%}, {held / len(off):.1%} of the intervals held the value\n"
        )
    chance = 4 * stdev(off) / len(off) ** 0.5
    assert abs(fmean(off)) <= 0.25 * fmean(errors) + chance
    assert fmean(given_up) > fmean(off)
