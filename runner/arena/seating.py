"""Seating: balanced designs for who plays at which table and in which seat."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, count, permutations
from math import gcd
from operator import itemgetter
from typing import Literal

Rotation = Literal["full", "balanced", "random"]
Lineup = tuple[int, ...]
"""The agents of a table, by number, in no particular order."""

Deals = Iterator[list[Lineup]]
"""The tables of each deal, for ever."""

_Meetings = list[dict[int, int]]
"""For each agent how often it has met others."""

FULL_UP_TO = 4
_CANDIDATES = 24


def seatings(lineup: Lineup, rotation: Rotation, rng: random.Random) -> list[Lineup]:
    """The orders in which the agents of a table are seated, each once. `full` is every order for up to four seats and
    `balanced` above. `balanced` is Williams' design: as many orders as seats, or twice as many; each agent has each seat
    equally often, and each other agent as a neighbour on either side equally often (E. J. Williams, Experimental Designs
    Balanced for the Estimation of Residual Effects of Treatments, Australian Journal of Scientific Research A 2, 1949).
    `random` is one random order."""
    if rotation == "random":
        return [tuple(rng.sample(lineup, len(lineup)))]
    if rotation == "full" and len(lineup) <= FULL_UP_TO:
        return sorted(set(permutations(lineup)))
    return list(dict.fromkeys(tuple(lineup[place] for place in row) for row in williams(len(lineup))))


def williams(size: int) -> Iterator[Lineup]:
    first = [0] * size
    for place in range(1, size):
        first[place] = (place + 1) // 2 if place % 2 else size - place // 2
    for row in [first, first[::-1]] if size % 2 else [first]:
        for shift in range(size):
            yield tuple((value + shift) % size for value in row)


def round_robin(agents: int, seats: int, seed: int) -> Deals:
    """Tables at which all agents play each deal equally often and, over the deals, all pairs meet about equally often. With
    fewer agents than seats, all agents sit at every table, some more than once."""
    copies, drawn = divmod(seats, agents)
    met: _Meetings = [{} for _ in range(agents)]
    rng, everyone = random.Random(f"round robin {agents} {seats} {seed}"), tuple(range(agents)) * copies
    while not drawn:
        yield [everyone]
    while True:
        _, tables, met = min((_divided(agents, drawn, met, rng) for _ in range(_CANDIDATES)), key=itemgetter(0))
        yield [tuple(sorted((*everyone, *table))) for table in tables]


def _divided(agents: int, drawn: int, before: _Meetings, rng: random.Random) -> tuple[int, list[Lineup], _Meetings]:
    """One way to fill the tables: first the agents that have to sit at all that are left, then those that met least. Its
    cost (the increase of the sum of the squared meetings), its tables, and who has met after them."""
    to_play = drawn // gcd(agents, drawn)
    left, met, tables, cost = [to_play] * agents, [row.copy() for row in before], list[Lineup](), 0
    for to_fill in range(agents * to_play // drawn, 0, -1):
        table = [agent for agent in range(agents) if left[agent] == to_fill]
        while len(table) < drawn:
            free = [agent for agent, places in enumerate(left) if places and agent not in table]
            counts = [sum([met[other].get(agent, 0) for other in table]) for agent in free]
            table.append(min(zip(counts, [rng.random() for _ in free], free, strict=True))[2])
        for agent in table:
            left[agent] -= 1
        table.sort()
        for one, other in combinations(table, 2):
            cost += 2 * met[one].get(other, 0) + 1
            met[one][other] = met[other][one] = met[one].get(other, 0) + 1
        tables.append(tuple(table))
    return cost, tables, met


def paired(has_opponents: bool, seats: int, seed: int) -> Deals:
    """Two tables a deal, with the seats in order, on which agents 0 and 1 change places: each has half of the seats, or one
    seat among opponents, who have number 2."""
    for deal in count():
        if has_opponents:
            yield [tuple(agent if seat == deal % seats else 2 for seat in range(seats)) for agent in (0, 1)]
            continue
        share = seats // 2 + (seats % 2 and deal % 2)
        chosen = random.Random(f"seats {seed} {deal}").sample(range(seats), share)
        yield [tuple(first if seat in chosen else 1 - first for seat in range(seats)) for first in (0, 1)]


def gauntlet(candidates: int, opponents: int, seats: int, seed: int) -> Deals:
    """Tables at which each candidate alone meets the same opponents on the same deal. Candidates have the first numbers. With
    more opponents than free seats, the opponents take turns."""
    for deal in round_robin(opponents, seats - 1, seed):
        groups = [tuple(candidates + other for other in group) for group in deal]
        yield [(candidate, *group) for group in groups for candidate in range(candidates)]
