"""Rating simulations: whether ratings are as wide as the truth, and intervals as wide as they say.

`python -m tools.campaigns.rating_simulations [--tournaments N]` prints tables: spread ratios, coverage, coverage of win shares
from one match in fifty to nearly all, plain and adjusted for luck, how often tournaments of equal agents establish a
difference, how often they do while deals are added, and two sets of Coup matches.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import NamedTuple

from games.core import Placing
from games.statistics.adjusted import Luck, adjusted
from games.statistics.deal_sums import DealSums, RatedMatch
from games.statistics.document_types import FigureData
from games.statistics.figures import t_quantile
from games.statistics.plackett_luce import POINTS
from runner.standings.rating import rate
from tools.campaigns.coup_ratings import ALONE, WITH_THIRD, difference
from tools.campaigns.rating_fields import Field

PLACINGS: tuple[Placing, ...] = ("winners", "scores")
TABLES = ("spread", "coverage", "shares", "adjusted", "looks", "coup")
SHARES = (0.02, 0.1, 0.3, 0.5, 0.8, 0.98)
SHARE_DEALS = (5, 10, 20, 50)
LEAST_COVERAGE = 0.93
COUP_DEALS = 335
SPREAD_DEALS = 4000
LOOKS = range(10, 61, 5)


def truth_of(strengths: Sequence[float]) -> dict[str, float]:
    """The rating of each agent."""
    mean = sum(strengths) / len(strengths)
    return {f"a{agent}": 1500 + POINTS * (strength - mean) for agent, strength in enumerate(strengths)}


def spread_ratio(field: Field, deals: int, seed: int) -> float:
    """The slope of fitted over true ratings."""
    truth = truth_of(field.strengths)
    found = rate(list(field.tournament(deals, random.Random(seed))), 0).agents
    above = sum((one["rating"]["value"] - 1500) * (truth[one["agent"]] - 1500) for one in found)
    return above / sum((value - 1500) ** 2 for value in truth.values())


class Coverage(NamedTuple):
    """The shares of intervals that hold: of ratings, of pairs each for itself, of all pairs of a tournament together.

    `established` is the share of tournaments that establish a difference in the wrong direction, or between equals.
    """

    ratings: float
    pairs: float
    together: float
    established: float


def coverage(field: Field, deals: int, tournaments: int, seed: int = 0) -> Coverage:
    """The coverage over that many tournaments."""
    rng = random.Random(seed)
    found = [_covered(field, list(field.tournament(deals, rng))) for _ in range(tournaments)]
    return Coverage(*(sum(column) / len(found) for column in zip(*found, strict=True)))


def _covered(field: Field, matches: list[RatedMatch]) -> Coverage:
    truth, rating = truth_of(field.strengths), rate(matches, 0)
    ratings = [(one["rating"], truth[one["agent"]]) for one in rating.agents]
    held = [i["low"] is not None and i["low"] <= true <= i["high"] for i, true in ratings]
    gaps = [(pair, truth[pair["agents"][0]] - truth[pair["agents"][1]]) for pair in rating.pairs]
    reach = t_quantile(0.975, rating.free)
    each = [abs(pair["difference"]["value"] - gap) <= reach * pair["error"] for pair, gap in gaps]
    bounds = [(pair["difference"], gap) for pair, gap in gaps]
    together = all(i["low"] is not None and i["low"] <= gap <= i["high"] for i, gap in bounds)
    wrong = any(pair["is_established"] and gap <= 0 for pair, gap in gaps)
    return Coverage(sum(held) / len(held), sum(each) / len(each), float(together), float(wrong))


class Together(NamedTuple):
    """Matches on a deal: how many, and the correlation of two of them."""

    matches: int
    correlation: float


TOGETHER = (Together(2, 0.0), Together(6, 0.0), Together(24, 0.0), Together(6, 0.25), Together(24, 0.1))


def share_coverage(together: Together, share: float, deals: int, tournaments: int) -> float:
    """How often the interval of a win share holds: of an agent with this true share, of whose matches on a deal some have the
    luck of the deal."""
    rng = random.Random(f"{together} {share} {deals}")
    shared = together.correlation**0.5
    held = 0
    for _ in range(tournaments):
        sums = DealSums[None](2)
        for deal in range(deals):
            luck = rng.random()
            draws = (luck if rng.random() < shared else rng.random() for _ in range(together.matches))
            sums.add(("k", str(deal)), None, together.matches, sum(draw < share for draw in draws))
        held += _holds(sums.parts(None).share(1, 0), share)
    return held / tournaments


def _holds(found: FigureData, true: float) -> bool:
    return found["low"] is not None and found["high"] is not None and found["low"] <= true <= found["high"]


LOGITS = (-4.0, -2.0, 0.0, 3.0)
"""Log strengths of one of three agents, the others have 0."""


def adjusted_coverage(logit: float, deals: int, tournaments: int) -> tuple[float, float, float]:
    """The true win share of an agent of this strength; how often its adjusted interval holds, and the mean part of the variance
    that the value of the deal saves. Two matches a deal in seats that are drawn; hands differ in what they are worth."""
    rng = random.Random(f"{logit} {deals}")
    true = sum(match.wins[match.agents.index("a0")] for match, _ in _lucky(logit, 20_000, rng)) / 40_000
    held, saved = 0, list[float]()
    for _ in range(tournaments):
        found = adjusted(list(_lucky(logit, deals, rng)))["a0"]
        held += _holds(found["win_share"], true)
        saved += [] if found["saved"] is None else [found["saved"]]
    return true, held / tournaments, sum(saved) / max(1, len(saved))


def _lucky(logit: float, deals: int, rng: random.Random) -> Iterator[tuple[RatedMatch, Luck]]:
    """Matches of three agents with the value of the hand of each seat."""
    for deal in range(deals):
        hands = [rng.random() ** 3 + 0.02 for _ in range(3)]
        values = tuple(hand / sum(hands) for hand in hands)
        for _ in range(2):
            agents = rng.sample(range(3), 3)
            weights = [value * math.exp(0 if agent else logit) for agent, value in zip(agents, values, strict=True)]
            winner = rng.choices(range(3), weights)[0]
            wins = tuple(float(seat == winner) for seat in range(3))
            names = tuple(f"a{agent}" for agent in agents)
            yield RatedMatch("k", str(deal), names, (), wins, wins), Luck(values, (0.0, 0.0, 0.0))


def ever_established(field: Field, tournaments: int, is_sequential: bool) -> float:
    """The share of tournaments of equal agents that establish a difference at any of the looks while deals are added."""
    rng = random.Random(1)
    return sum(_ever(list(field.tournament(LOOKS[-1], rng)), is_sequential) for _ in range(tournaments)) / tournaments


def _ever(matches: Sequence[RatedMatch], is_sequential: bool) -> bool:
    looks = ([match for match in matches if int(match.deal) < deals] for deals in LOOKS)
    return any(pair["is_established"] for some in looks for pair in rate(some, 0, None, is_sequential).pairs)


def spread_fields() -> Iterator[Field]:
    """Winners alone, all places, and places with ties, at 2 to 6 seats."""
    for seats in range(2, 7):
        for last in (1.0, 2.0):
            strengths = (*(0.0,) * max(2, seats - 1), last)
            for placing, tied in product(PLACINGS, (0.0, 0.5)):
                yield Field(strengths, seats, placing, 1, tied)


def coverage_fields() -> Iterator[Field]:
    """Agents of equal and of different strength; one table, or several."""
    for agents, seats in ((4, 3), (4, 4), (8, 4)):
        for placing in PLACINGS:
            yield Field((0.0,) * agents, seats, placing)
            yield Field(tuple((agent - (agents - 1) / 2) * 0.4 for agent in range(agents)), seats, placing)


def main(words: list[str]) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.rating_simulations", description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=400, help="tournaments for each figure of coverage (400)")
    parser.add_argument("tables", nargs="*", default=TABLES, help=f"some of {', '.join(TABLES)}")
    given = parser.parse_args(words)
    with ProcessPoolExecutor() as pool:
        if "spread" in given.tables:
            _print_spread(pool)
        if "coverage" in given.tables:
            _print_coverage(pool, given.tournaments)
        if "shares" in given.tables:
            _print_shares(pool, given.tournaments)
        if "adjusted" in given.tables:
            _print_adjusted(pool, given.tournaments)
        if "looks" in given.tables:
            _print_looks(pool, given.tournaments)
    if "coup" in given.tables:
        _print_coup()


def _print_spread(pool: ProcessPoolExecutor) -> None:
    _say("| Seats | Log strengths | Placing | Ties | Spread of ratings, fitted / true |\n|---|---|---|---|---|")
    fields = list(spread_fields())
    for field, ratio in zip(fields, pool.map(_mean_ratio, fields), strict=True):
        strengths = ", ".join(f"{one:g}" for one in field.strengths)
        _say(f"| {field.seats} | {strengths} | {field.placing} | {'yes' if field.tied else 'no'} | {ratio:.3f} |")


def _mean_ratio(field: Field) -> float:
    return sum(spread_ratio(field, SPREAD_DEALS, seed) for seed in range(3)) / 3


def _print_coverage(pool: ProcessPoolExecutor, tournaments: int) -> None:
    _say("\n| Agents | Seats | Placing | Strengths | Deals | Ratings | Pairs, each | Pairs, together | Falsely established |")
    _say("|---|---|---|---|---|---|---|---|---|")
    jobs = [(field, deals) for field in coverage_fields() for deals in (6, 10, 20, 40)]
    found = pool.map(coverage, *zip(*jobs, strict=True), [tournaments] * len(jobs))
    for (field, deals), one in zip(jobs, found, strict=True):
        kind = "different" if any(field.strengths) else "equal"
        figures = " | ".join(f"{share:.1%}" for share in one)
        _say(f"| {len(field.strengths)} | {field.seats} | {field.placing} | {kind} | {deals} | {figures} |")


def _print_shares(pool: ProcessPoolExecutor, tournaments: int) -> None:
    _say("\n| Matches a deal | Correlation | Deals | " + " | ".join(f"{share:g}" for share in SHARES) + " |")
    _say("|---|---|---|" + "--:|" * len(SHARES))
    jobs = [(together, share, deals) for together in TOGETHER for deals in SHARE_DEALS for share in SHARES]
    found = list(pool.map(share_coverage, *zip(*jobs, strict=True), [tournaments] * len(jobs)))
    for at in range(0, len(jobs), len(SHARES)):
        together, _, deals = jobs[at]
        cells = " | ".join(f"{share:.1%}" for share in found[at : at + len(SHARES)])
        _say(f"| {together.matches} | {together.correlation:g} | {deals} | {cells} |")
    _say(f"\nLeast: {min(found):.1%}, {'as promised' if min(found) >= LEAST_COVERAGE else f'below {LEAST_COVERAGE:.0%}'}.")


def _print_adjusted(pool: ProcessPoolExecutor, tournaments: int) -> None:
    _say("\n| Deals | True share | Adjusted share covers | Variance saved by the deal |\n|--:|--:|--:|--:|")
    jobs = [(logit, deals) for logit in LOGITS for deals in SHARE_DEALS]
    found = pool.map(adjusted_coverage, *zip(*jobs, strict=True), [tournaments] * len(jobs))
    for (_, deals), (true, held, saved) in zip(jobs, found, strict=True):
        _say(f"| {deals} | {true:.3f} | {held:.1%} | {saved:.0%} |")


def _print_looks(pool: ProcessPoolExecutor, tournaments: int) -> None:
    _say("\n| Agents, all equal | Looks | Standard | Ever established |\n|---|---|---|---|")
    fields = [Field((0.0,) * agents, 4, "scores") for agents in (4, 8)]
    jobs = [(field, is_sequential) for field in fields for is_sequential in (False, True)]
    fields_of, kinds = zip(*jobs, strict=True)
    shares = pool.map(ever_established, fields_of, [tournaments] * len(jobs), kinds)
    for (field, is_sequential), share in zip(jobs, shares, strict=True):
        looks = f"every 5 deals from {LOOKS[0]} to {LOOKS[-1]}"
        _say(f"| {len(field.strengths)} | {looks} | {'--sequential' if is_sequential else 'fixed deals'} | {share:.1%} |")


def _print_coup() -> None:
    _say("\n| Coup at three seats | Matches | bot:steady over bot:random | 95 % | Fit |\n|---|---|---|---|---|")
    for name, lineups in (("the two alone", ALONE), ("with a third agent", WITH_THIRD)):
        matches, pair, fit = difference(lineups, COUP_DEALS)
        bounds = pair["difference"]
        shown = f"{bounds['low']:+.0f} to {bounds['high']:+.0f}" if bounds["low"] is not None else "-"
        _say(f"| {name} | {matches} | {pair['difference']['value']:+.0f} | {shown} | {fit} |")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
