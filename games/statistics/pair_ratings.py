"""Differences of pairs in ratings: their intervals at one number of deals or at all of them, and the deals that they need."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict

from games.statistics.deal_sums import Counts
from games.statistics.document_types import GameData, MeetingData
from games.statistics.figures import FEWEST_FREE, NORMAL, bounded, t_quantile, t_tail
from games.statistics.strengths import Strengths

ESTABLISHED = 0.05
"""The probability that a tournament of equal agents establishes any difference."""

_TUNED_FOR = 50
"""The number of deals at which sequential intervals are narrowest."""

_FIRST_LOOK = 10
"""Deals before which sequential intervals establish nothing."""


@dataclass(frozen=True, slots=True)
class Standard:
    """The standard for this many pairs, on a number of deals that is fixed before they are played."""

    pairs: int

    @property
    def error(self) -> float:
        return ESTABLISHED / self.pairs

    def reach(self, free: int, deals: int) -> float:
        """How many standard errors an interval reaches."""
        return t_quantile(1 - self.error / 2, free)

    def chance(self, studentised: float, free: int, deals: int) -> float:
        """The probability that any pair of equal agents shows a difference of as many standard errors."""
        return min(1.0, 2 * self.pairs * t_tail(studentised, free))


@dataclass(frozen=True, slots=True)
class SequentialStandard(Standard):
    """The standard that holds at all numbers of deals together: a tournament can stop once a difference is established. An
    asymptotic confidence sequence by a normal mixture (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas,
    Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics 52, 2024), widened as Student's
    distribution is wider than the normal one."""

    def reach(self, free: int, deals: int) -> float:
        """How many standard errors an interval reaches; without bound before the tenth deal."""
        if deals < _FIRST_LOOK:
            return math.inf
        grown = self._grown(deals)
        return self._wider(free) * math.sqrt(grown / (grown - 1) * (math.log(grown) - 2 * math.log(self.error)))

    def chance(self, studentised: float, free: int, deals: int) -> float:
        """The probability that any pair of equal agents ever shows such a difference."""
        if deals < _FIRST_LOOK:
            return 1.0
        grown = self._grown(deals)
        mixed = (math.log(grown) - (studentised / self._wider(free)) ** 2 * (grown - 1) / grown) / 2
        return min(1.0, self.pairs * math.exp(min(0.0, mixed)))

    def _grown(self, deals: int) -> float:
        narrow = -2 * math.log(self.error)
        return 1 + deals * (narrow + math.log(narrow + 1)) / _TUNED_FOR

    def _wider(self, free: int) -> float:
        return t_quantile(1 - self.error / 2, free) / NORMAL.inv_cdf(1 - self.error / 2)


_NOTHING = 1e-6
"""A smaller difference in points is none."""


def pair_ratings(counts: Counts, found: Strengths, standard: Standard) -> Iterator[MeetingData]:
    """Every pair, the better agent first."""
    agents, outcomes = counts.agents, counts.pairs
    order = sorted(range(len(agents)), key=lambda number: -found.ratings[number])
    group, own_free = connected(outcomes, len(agents)), [counts.free(number) for number in range(len(agents))]
    for i, j in combinations(order, 2):
        wins, losses, ties = outcomes.get((min(i, j), max(i, j)), (0, 0, 0))
        if i > j:
            wins, losses = losses, wins
        value, errors = found.ratings[i] - found.ratings[j], found.covariances
        error = math.sqrt(max(0.0, errors[i][i] + errors[j][j] - 2 * errors[i][j]))
        free = min(own_free[i], own_free[j]) if group[i] == group[j] else 0
        deals = round(len(counts.deals) * (free + 1) / (counts.blocks.free + 1))
        reach = standard.reach(free, deals) * error if free >= FEWEST_FREE and error > _NOTHING else math.inf
        chance = 1.0
        if free >= FEWEST_FREE and value >= _NOTHING:
            chance = standard.chance(value / error, free, deals) if error > _NOTHING else 0.0
        yield {
            "agents": [agents[i], agents[j]],
            "wins": wins,
            "losses": losses,
            "ties": ties,
            "difference": bounded(value, value - reach, value + reach),
            "error": error if free >= FEWEST_FREE else None,
            "chance": chance,
            "is_established": chance < ESTABLISHED,
        }


def connected(pairs: Iterable[tuple[int, int]], agents: int) -> list[int]:
    """The group of each agent, by number: agents that a chain of common matches connects are in one group."""
    group = list(range(agents))
    for first, second in pairs:
        old, new = group[second], group[first]
        group = [new if one == old else one for one in group]
    return group


POWER = 0.8
"""The probability of finding a difference that exists."""


class PairPower(TypedDict):
    """Two agents, the deals they need (None: unknown), and the standard error of their difference so far."""

    agents: list[str]
    deals: int | None
    error: float | None


def deals_needed(game: GameData, points: float) -> list[PairPower]:
    """For each pair of agents in a game's standings, the deals that establish a difference of `points`.

    n = v (z1 + z2)^2 / d^2, where v is the variance per deal so far (standard error squared times deals) and z1 + z2 are the
    `quantiles` (J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988).
    """
    meetings = game["meetings"]
    found: list[PairPower] = []
    for meeting in meetings:
        error = meeting["error"]
        needed = max(5, math.ceil(error**2 * game["deals"] * (quantiles(len(meetings)) / points) ** 2)) if error else None
        found.append({"agents": meeting["agents"], "deals": needed, "error": error})
    return found


def quantiles(pairs: int) -> float:
    """The sum of the normal quantiles of the permitted error, which all pairs share, and of the power."""
    return NORMAL.inv_cdf(1 - ESTABLISHED / 2 / pairs) + NORMAL.inv_cdf(POWER)


def seat_information(seats: int, has_places: bool) -> float:
    """What a match tells of the difference of two of its seats: the negative covariance of their shares, over all stages of a
    placing or that of the winner alone."""
    if not has_places:
        return 1 / seats**2
    return sum((left - 1) / left for left in range(2, seats + 1)) / (seats * (seats - 1))
