"""Coup ratings: the same two bots are rated alone and with a third one at the table; both have to tell one difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import games
from games.core import Action, Policy, Rng, State, random_policy
from games.statistics.deal_sums import RatedMatch, rated_match
from games.statistics.document_types import MeetingData
from runner.standings.rating import rate
from tools.campaigns.bots import played

SEATS = 3
STEADY, RANDOM, MIXED = "steady", "random", "steady, half at random"
ALONE = ((STEADY, STEADY, RANDOM), (STEADY, RANDOM, RANDOM))
WITH_THIRD = ((STEADY, RANDOM, MIXED),)


def policies() -> dict[str, Policy]:
    """The bots, and one that plays every other decision at random."""
    bots = games.load("coup").bots

    def mixed(state: State, seat: int, rng: Rng) -> Action:
        return (random_policy if rng.random() < 0.5 else bots["steady"])(state, seat, rng)

    return {STEADY: bots["steady"], RANDOM: bots["random"], MIXED: mixed}


def matches(lineups: Sequence[tuple[str, ...]], deals: int) -> Iterator[RatedMatch]:
    """Each line-up in all orders of seats on each deal."""
    game, known = games.load("coup"), policies()
    for deal in range(deals):
        for lineup in lineups:
            for order in sorted(set(permutations(lineup))):
                rng = Rng.of("coup ratings", f"{deal} {order}")
                end = played(game.begin(players=SEATS, seed=deal), [known[name] for name in order], rng)
                yield rated_match(("coup with 3", str(deal)), order, end.scores, end.winners, (), game.placing)


def difference(lineups: Sequence[tuple[str, ...]], deals: int) -> tuple[int, MeetingData, str]:
    """The number of matches, the pair of `STEADY` and `RANDOM`, and how well the model fits."""
    found = list(matches(lineups, deals))
    rating = rate(found, 0)
    pair = next(one for one in rating.pairs if set(one["agents"]) == {STEADY, RANDOM})
    fit = rating.fit
    gap = (
        f"largest gap {fit['worst']['observed'] - fit['worst']['expected']:+.1%} (chance {fit['chance']:.2g})"
        if fit
        else "not checked"
    )
    return len(found), pair, gap
