"""Deal counts: the matches of each deal as counts that can be added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, Self

from runner.standings.choice import Choice, choices_of
from runner.standings.rated_match import RatedMatch

Deal = tuple[str, str]
"""The kind of match and the name of the deal."""


class Totals(NamedTuple):
    """The number of matches and of wins, and the sum of the scores."""

    matches: float = 0.0
    wins: float = 0.0
    score: float = 0.0

    def plus(self, other: Totals) -> Totals:
        """The sums of both."""
        return Totals(self.matches + other.matches, self.wins + other.wins, self.score + other.score)


class Outcome(NamedTuple):
    """How often the first agent of a pair was ahead of the second, behind it, and level with it."""

    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def met(self) -> bool:
        """Whether they were at one table."""
        return any(self)

    @property
    def turned(self) -> Outcome:
        """The outcome for the other one."""
        return Outcome(self.losses, self.wins, self.ties)


class DealCounts:
    """What happened on a deal, or on several: choices, totals of each agent by number, totals of each seat."""

    def __init__(self) -> None:
        self.choices: Counter[Choice] = Counter()
        self.agents: dict[int, Totals] = {}
        self.seats: dict[tuple[str, int], Totals] = {}

    def add(self, match: RatedMatch, numbers: Sequence[int]) -> None:
        """Count a match; `numbers` are those of its agents by seat."""
        self.choices.update(choices_of(match, numbers))
        for seat, number in enumerate(numbers):
            one = Totals(1, match.wins[seat], match.scores[seat])
            self.agents[number] = self.agents.get(number, Totals()).plus(one)
            self.seats[match.kind, seat] = self.seats.get((match.kind, seat), Totals()).plus(one)

    def renumbered(self, numbers: Mapping[int, int]) -> DealCounts:
        """The choices and the totals of agents under other numbers."""
        found = DealCounts()
        found.choices = Counter({choice.renumbered(numbers): times for choice, times in self.choices.items()})
        found.agents = {numbers[number]: totals for number, totals in self.agents.items()}
        return found

    @classmethod
    def summed(cls, parts: Iterable[DealCounts]) -> Self:
        """The counts of several deals."""
        whole = cls()
        for part in parts:
            whole.choices.update(part.choices)
            for number, totals in part.agents.items():
                whole.agents[number] = whole.agents.get(number, Totals()).plus(totals)
            for seat, totals in part.seats.items():
                whole.seats[seat] = whole.seats.get(seat, Totals()).plus(totals)
        return whole


class Counts:
    """The counts of each deal, and the outcomes of each pair of agents, by number, the smaller one first."""

    def __init__(self, agents: Iterable[str]) -> None:
        self.agents = tuple(sorted(set(agents)))
        self.deals: dict[Deal, DealCounts] = {}
        self.pairs: dict[tuple[int, int], Outcome] = {}
        self.matches = 0
        self._number = {agent: number for number, agent in enumerate(self.agents)}

    @classmethod
    def of(cls, matches: Sequence[RatedMatch]) -> Self:
        """The counts of some matches."""
        counts = cls(agent for match in matches for agent in match.agents)
        for match in matches:
            counts.add(match)
        return counts

    def add(self, match: RatedMatch) -> None:
        """Count a match on its deal."""
        numbers = [self._number[agent] for agent in match.agents]
        self.matches += 1
        self.deals.setdefault((match.kind, match.deal), DealCounts()).add(match, numbers)
        for one, other in combinations(sorted(range(len(numbers)), key=numbers.__getitem__), 2):
            if numbers[one] != numbers[other]:
                self._meet((numbers[one], numbers[other]), match.places[other] - match.places[one])

    def of_kind(self, kind: str) -> Counts:
        """The counts of the deals of one kind, with the agents that played them; without outcomes of pairs."""
        deals = {deal: part for deal, part in self.deals.items() if deal[0] == kind}
        played = sorted({number for part in deals.values() for number in part.agents})
        found = Counts(self.agents[number] for number in played)
        found.deals = {deal: part.renumbered({old: new for new, old in enumerate(played)}) for deal, part in deals.items()}
        return found

    def _meet(self, pair: tuple[int, int], lead: int) -> None:
        wins, losses, ties = self.pairs.get(pair, Outcome())
        self.pairs[pair] = Outcome(wins + (lead > 0), losses + (lead < 0), ties + (lead == 0))
