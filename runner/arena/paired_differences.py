"""Paired differences: how much more some players have than others on the same deals, looked at after each deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from statistics import fmean

from typing_extensions import TypedDict

from games.statistics.confidence_sequence import ConfidenceSequence
from runner.arena.plan import Plan
from runner.arena.schedule import Fixture, schedule
from runner.match.records import ResultRecord, win_share

ERROR_RATE = 0.05
"""How often anything is called different among equal players, at whatever time one looks."""

Group = tuple[str, ...]
"""Agents by name; a pair of groups is compared agent by agent."""


class PairData(TypedDict):
    """Two players, how much more `a` has than `b` over some deals; its interval, None for too few. `sure`: it excludes 0."""

    a: str
    b: str
    deals: int
    difference: float
    low: float | None
    high: float | None
    sure: bool


@dataclass
class PairedDifference:
    """The difference of two groups over the `deals` on which both play: of each its matches by name. Deals count in their
    order, so that no long match chooses among them. `each` has every deal's value; `values` holds for values from -1 to 1."""

    a: Group
    b: Group
    deals: Sequence[Sequence[str]]
    values: ConfidenceSequence
    each: list[float] = field(default_factory=list)
    _next: int = 0

    def advance(self, found: Mapping[str, Mapping[str, float]], is_over: bool = False) -> None:
        """Take every deal whose matches are found, up to the first that is not; past it if no more will end."""
        for deal in self.deals[self._next :]:
            if all(name in found for name in deal):
                self.each.append(_difference(self.a, self.b, [found[name] for name in deal]))
            elif not is_over:
                return
            self._next += 1

    def look(self) -> ConfidenceSequence:
        """The interval of a difference in the share of the win, which holds at every number of deals."""
        self.values.observe_all(self.each[self.values.count :])
        return self.values

    def data(self, a: str, b: str) -> PairData:
        """The figures of a difference in the share of the win, with names for the groups."""
        found, mean = self.look(), fmean(self.each) if self.each else 0.0
        return PairData(a=a, b=b, deals=found.count, difference=mean, low=found.low, high=found.high, sure=found.sure)


def _difference(a: Group, b: Group, matches: Sequence[Mapping[str, float]]) -> float:
    one, other = ([fmean(match[name] for match in matches if name in match) for name in group] for group in (a, b))
    return fmean(one) - fmean(other)


class Differences:
    """The differences of all pairs in the share of the win, each with its part of the error rate. They are decided when each is
    sure, or surely smaller than the margin."""

    def __init__(self, pairs: Sequence[PairedDifference], margin: float | None = None) -> None:
        self.pairs, self._margin = pairs, margin
        self._found = dict[str, Mapping[str, float]]()

    @classmethod
    def of(cls, fixtures: Iterable[Fixture], pairs: Sequence[tuple[Group, Group]], margin: float | None = None) -> Differences:
        """Each game and number of players has its own differences."""
        deals: dict[tuple[str, int], dict[int, list[Fixture]]] = {}
        for one in fixtures:
            deals.setdefault((one.game, len(one.seats)), {}).setdefault(one.seed, []).append(one)
        each = [(a, b, common) for (a, b), rows in product(pairs, deals.values()) if (common := _common(a, b, rows))]
        rate = ERROR_RATE / max(1, len(each))
        found = [PairedDifference(a, b, common, ConfidenceSequence(-1, 1, rate)) for a, b, common in each]
        return cls(found, margin)

    def add(self, fixture: Fixture, result: ResultRecord) -> None:
        own: dict[str, list[float]] = {}
        for seat, entrant in enumerate(fixture.seats):
            own.setdefault(entrant.name, []).append(win_share(result, seat))
        self._found[fixture.name] = {name: fmean(values) for name, values in own.items()}
        for pair in self.pairs:
            pair.advance(self._found)

    def close(self) -> None:
        """Take the deals after those that will not end, too."""
        for pair in self.pairs:
            pair.advance(self._found, is_over=True)

    @property
    def is_decided(self) -> bool:
        margin = self._margin
        return all((found := one.look()).sure or (margin is not None and found.within(margin)) for one in self.pairs)


def _common(a: Group, b: Group, deals: Mapping[int, Sequence[Fixture]]) -> list[list[str]]:
    """The matches of these agents on each deal that all of them play."""
    found, wanted = list[list[str]](), {*a, *b}
    for fixtures in deals.values():
        own = {fixture.name: {seat.name for seat in fixture.seats} & wanted for fixture in fixtures}
        if set().union(*own.values()) == wanted:
            found.append([name for name, agents in own.items() if agents])
    return found


def differences_of(plan: Plan, margin: float | None = None) -> Differences:
    """Those of all pairs of a plan's agents that meet on common deals; in a gauntlet of one agent, of it and its opponents."""
    names = [agent.name for agent in plan.agents]
    pairs = [*combinations(names, 2)] if len(names) > 1 else [(name, other.name) for name in names for other in plan.opponents]
    return Differences.of(schedule(plan), [((a,), (b,)) for a, b in pairs], margin)
