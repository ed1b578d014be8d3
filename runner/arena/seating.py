"""Seating: balanced designs for who plays at which table and in which seat."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import gcd
from typing import Literal

Rotation = Literal["full", "balanced", "random"]
Lineup = tuple[int, ...]
"""The agents of a table, by number, in no particular order."""

FULL_UP_TO = 4
_CANDIDATES = 24


def seatings(lineup: Lineup, rotation: Rotation, rng: random.Random) -> list[Lineup]:
    """The orders in which the agents of a table are seated, each once.

    `full` is every order for up to four seats and `balanced` above. `balanced` is Williams' design: as many orders as seats,
    or twice as many; each agent has each seat equally often, and each other agent as a neighbour on either side equally
    often (E. J. Williams, Experimental Designs Balanced for the Estimation of Residual Effects of Treatments, Australian
    Journal of Scientific Research A 2, 1949). `random` is one random order.
    """
    if rotation == "random":
        return [tuple(rng.sample(lineup, len(lineup)))]
    if rotation == "full" and len(lineup) <= FULL_UP_TO:
        return sorted(set(permutations(lineup)))
    return list(dict.fromkeys(tuple(lineup[place] for place in row) for row in williams(len(lineup))))


def williams(size: int) -> Iterator[Lineup]:
    """Williams' design for a number of seats: `size` orders, or twice as many for an odd number."""
    first = [0] * size
    for place in range(1, size):
        first[place] = (place + 1) // 2 if place % 2 else size - place // 2
    for row in [first, first[::-1]] if size % 2 else [first]:
        for shift in range(size):
            yield tuple((value + shift) % size for value in row)


class RoundRobin:
    """Tables at which all agents play each deal equally often and, over the deals, all pairs meet about equally often.

    With fewer agents than seats, all agents sit at every table, some more than once.
    """

    def __init__(self, agents: int, seats: int, seed: int) -> None:
        self._agents = agents
        self._copies, self._drawn = divmod(seats, agents)
        self._tables = agents // gcd(agents, self._drawn) if self._drawn else 1
        self._met: Counter[tuple[int, int]] = Counter()
        self._rng = random.Random(f"round robin {agents} {seats} {seed}")

    def next_deal(self) -> list[Lineup]:
        """The tables of the next deal."""
        all_agents = tuple(range(self._agents)) * self._copies
        if not self._drawn:
            return [all_agents]
        best = min((self._divided() for _ in range(_CANDIDATES)), key=self._cost)
        for table in best:
            self._met.update(combinations(table, 2))
        return [tuple(sorted((*all_agents, *table))) for table in best]

    def _divided(self) -> list[Lineup]:
        """One way to fill the tables: first the agents that have to sit at all that are left, then those that met least."""
        left = [self._tables * self._drawn // self._agents] * self._agents
        met, tables = self._met.copy(), []
        for to_fill in range(self._tables, 0, -1):
            table = [agent for agent in range(self._agents) if left[agent] == to_fill]
            while len(table) < self._drawn:
                free = [agent for agent in range(self._agents) if left[agent] and agent not in table]
                table.append(min(free, key=lambda a: (_meetings(met, a, table), self._rng.random())))
            for agent in table:
                left[agent] -= 1
            table.sort()
            met.update(combinations(table, 2))
            tables.append(tuple(table))
        return tables

    def _cost(self, tables: list[Lineup]) -> int:
        met = self._met.copy()
        for table in tables:
            met.update(combinations(table, 2))
        return sum(count * count for count in met.values())


def _meetings(met: Counter[tuple[int, int]], agent: int, table: Sequence[int]) -> int:
    return sum(met[min(agent, other), max(agent, other)] for other in table)


class Gauntlet:
    """Tables at which each candidate alone meets the same opponents on the same deal.

    Candidates have the first numbers. With more opponents than free seats, the opponents take turns.
    """

    def __init__(self, candidates: int, opponents: int, seats: int, seed: int) -> None:
        self._candidates = candidates
        self._others = RoundRobin(opponents, seats - 1, seed)

    def next_deal(self) -> list[Lineup]:
        """The tables of the next deal."""
        groups = [tuple(self._candidates + other for other in group) for group in self._others.next_deal()]
        return [(candidate, *group) for group in groups for candidate in range(self._candidates)]
