"""Company: whether an agent's wins depend on who else sits at the table, beyond what the strengths of all explain.

The winners of all matches of a kind are fitted by Plackett and Luce's model. Where an agent sits with another copy of itself,
or with another agent, its wins there less the expected ones are tested against zero. Errors are those of a jackknife over deals
that allows for the fit, and the permitted error is shared among all tests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from runner.standings.choice import Choice
from runner.standings.deal_counts import Counts
from runner.standings.deal_sample import DealSample
from runner.standings.distributions import t_tail
from runner.standings.figures import effective_free, figure, ratio_error
from runner.standings.linear_system import solve
from runner.standings.plackett_luce import Fit, Left, fit
from runner.standings.rated_match import RatedMatch

LARGE = 0.03
"""A smaller gap between win shares is no warning, however well it is established."""

WARNED = 0.05
"""The probability of any warning where company does not matter."""

FEWEST_FREE = 9
"""There is no test with fewer degrees of freedom: that takes 10 deals on which an agent was in the company."""

_NOTHING = 1e-9


class CompanyShare(NamedTuple):
    """An agent in some company: its matches, the win share of one of its seats in fair shares (1 divided by the number of
    players), the interval of that, and what the strengths explain."""

    matches: int
    share: float
    low: float | None
    high: float | None
    expected: float


class OwnCompany(NamedTuple):
    """An agent alone of its kind, and with another copy of itself at the table; None where it never sat so."""

    agent: str
    kind: str
    alone: CompanyShare | None
    with_own: CompanyShare | None


class Dependence(NamedTuple):
    """An agent whose win share in this company differs from the expected one, and how often chance alone brings that."""

    agent: str
    company: str
    kind: str
    share: float
    expected: float
    chance: float


class Company(NamedTuple):
    """The table of self-play against cross-play, and the warnings, the most certain first."""

    own: tuple[OwnCompany, ...]
    warnings: tuple[Dependence, ...]


def company(matches: Sequence[RatedMatch]) -> Company:
    """What company does to the agents of some matches, for each kind of match apart."""
    counts = Counts.of(matches)
    kinds = [_Kind(kind, counts.of_kind(kind)) for kind in sorted({kind for kind, _ in counts.deals})]
    tests = [test for kind in kinds for test in kind.tests()]
    found = [test._replace(chance=min(1.0, test.chance * len(tests))) for test in tests]
    warned = [test for test in found if test.chance < WARNED and abs(test.share - test.expected) >= LARGE]
    return Company(
        tuple(own for kind in kinds for own in kind.own()), tuple(sorted(warned, key=lambda test: (test.chance, test)))
    )


class _Sat(NamedTuple):
    """Where an agent sat in some company: for each block the matches, its seats, its wins and the expected ones."""

    matches: list[float]
    seats: list[float]
    wins: list[float]
    expected: list[float]
    slopes: dict[int, float]


class _Kind:
    """The matches of one kind, and the fit of their winners."""

    def __init__(self, kind: str, counts: Counts) -> None:
        self._kind, self._agents = kind, counts.agents
        self._sample = DealSample.of(counts)
        self._blocks = [_firsts(part.choices) for part in self._sample.parts]
        self._tables: dict[Left, list[tuple[int, Choice, int]]] = {}
        for number, block in enumerate(self._blocks):
            for choice, times in block.items():
                self._tables.setdefault((choice.kind, choice.left), []).append((number, choice, times))
        self._lefts = [[left for left in self._tables if item in left[1]] for item, _ in enumerate(self._agents)]

    @cached_property
    def _fitted(self) -> Fit:
        return fit(sum(self._blocks, Counter[Choice]()), len(self._agents))

    @cached_property
    def _moves(self) -> list[list[float]]:
        """The influence of each block on the fit."""
        return [_move(self._fitted, block) for block in self._blocks]

    def own(self) -> Iterable[OwnCompany]:
        """Self-play against cross-play, if any agent sat both with and without another copy of itself."""
        if not any(self._alone(item) and self._with(item, item) for item, _ in enumerate(self._agents)):
            return ()
        return [
            OwnCompany(agent, self._kind, self._share(item, self._alone(item)), self._share(item, self._with(item, item)))
            for item, agent in enumerate(self._agents)
        ]

    def tests(self) -> list[Dependence]:
        """A test for every agent in the company of every other and of its own kind; chances are those of one test."""
        items = range(len(self._agents))
        found = (self._test(item, other) for item in items for other in items)
        return [test for test in found if test is not None]

    def _with(self, item: int, other: int) -> list[Left]:
        most = 1 if item == other else 0
        return [left for left in self._lefts[item] if left[1].count(other) > most]

    def _alone(self, item: int) -> list[Left]:
        return [left for left in self._lefts[item] if left[1].count(item) == 1]

    def _sat(self, item: int, lefts: Sequence[Left]) -> _Sat:
        empty = [0.0] * len(self._blocks)
        found = _Sat(empty.copy(), empty.copy(), empty.copy(), empty.copy(), {})
        for left in lefts:
            for number, choice, times in self._tables[left]:
                self._count(found, number, item, choice, times)
        return found

    def _count(self, found: _Sat, number: int, item: int, choice: Choice, times: float) -> None:
        parameters, mean, covariance = self._fitted.expected[choice.kind, choice.left].moments
        seats = [seat for seat, one in enumerate(choice.left) if one == item]
        found.matches[number] += times
        found.seats[number] += times * len(seats)
        found.wins[number] += times * choice.chosen.count(item) / len(choice.chosen)
        found.expected[number] += times * sum(mean[seat] for seat in seats)
        for place, parameter in enumerate(parameters):
            slope = times * sum(covariance[seat][place] for seat in seats)
            found.slopes[parameter] = found.slopes.get(parameter, 0.0) + slope

    def _share(self, item: int, lefts: Sequence[Left]) -> CompanyShare | None:
        """The share of an agent in some company, in fair shares."""
        if not lefts:
            return None
        sat, players = self._sat(item, lefts), len(lefts[0][1])
        seats = sum(sat.seats)
        error = players * ratio_error(sat.wins, sat.seats, self._sample.weights)
        share = players * sum(sat.wins) / seats
        bounds = figure(share, error, effective_free(sat.matches, self._sample.free)).interval
        low, high = (max(0.0, bounds.low), bounds.high) if bounds else (None, None)
        return CompanyShare(round(sum(sat.matches)), share, low, high, players * sum(sat.expected) / seats)

    def _test(self, item: int, other: int) -> Dependence | None:
        """The test of one agent in one company; None where that is always or never so, or on too few deals."""
        lefts = self._with(item, other)
        free = self._free(lefts)
        if free < FEWEST_FREE or len(lefts) == len(self._lefts[item]):
            return None
        sat = self._sat(item, lefts)
        if (square := self._error(sat)) < _NOTHING:
            return None
        surplus = sum(sat.wins) - sum(sat.expected)
        chance = 2 * t_tail(abs(surplus) / math.sqrt(square), free)
        matches = sum(sat.matches)
        shares = sum(sat.wins) / matches, sum(sat.expected) / matches
        return Dependence(self._agents[item], self._agents[other], self._kind, *shares, chance)

    def _free(self, lefts: Sequence[Left]) -> int:
        """Degrees of freedom of a figure from the matches of these line-ups."""
        matches: Counter[int] = Counter()
        for left in lefts:
            for number, _, times in self._tables[left]:
                matches[number] += times
        return effective_free(list(matches.values()), self._sample.free)

    def _error(self, sat: _Sat) -> float:
        """The variance of the surplus of wins. The fit follows the same matches, which `slopes` allow for."""
        square = 0.0
        for number, (weight, move) in enumerate(zip(self._sample.weights, self._moves, strict=True)):
            followed = sum(slope * move[place] for place, slope in sat.slopes.items())
            square += weight * (sat.wins[number] - sat.expected[number] - followed) ** 2
        return square


def _firsts(choices: Counter[Choice]) -> Counter[Choice]:
    """The choices of the winners."""
    return Counter({choice: times for choice, times in choices.items() if choice.is_first})


def _move(fitted: Fit, block: Mapping[Choice, float]) -> list[float]:
    """What each parameter loses without the choices of a block, to the first order, which is enough for a correction."""
    gradient = [0.0] * fitted.parameters.size
    for choice, times in block.items():
        for place, share in fitted.parameters.observed(choice):
            gradient[place] += times * share
        parameters, mean, _ = fitted.expected[choice.kind, choice.left].moments
        for place, share in zip(parameters, mean, strict=True):
            gradient[place] -= times * share
    return solve(fitted.lower, gradient)
