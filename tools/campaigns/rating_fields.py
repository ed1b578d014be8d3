"""Rating fields: tournaments between agents of known strength under the Plackett-Luce model with ties, without any game."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from games.core import Placing
from games.statistics.deal_sums import RatedMatch

SHARED = 0.5
"""The share of matches that have the luck of their deal instead of luck for themselves.

Such matches of a deal depend on one another, and each by itself follows the model exactly.
"""


class Field(NamedTuple):
    """Log strengths, seats, and how matches are played: all agents play each of the `rounds` of a deal, if the seats allow it.

    `tied` is the model's parameter for ties of two.
    """

    strengths: tuple[float, ...]
    seats: int
    placing: Placing
    rounds: int = 6
    tied: float = 0.0

    def tournament(self, deals: int, rng: random.Random) -> Iterator[RatedMatch]:
        """The matches of some deals."""
        agents = range(len(self.strengths))
        for deal in range(deals):
            luck = rng.random()
            for _ in range(self.rounds):
                order = rng.sample(agents, len(agents))
                for start in range(0, len(order) - self.seats + 1, self.seats):
                    own = random.Random(luck) if rng.random() < SHARED else rng
                    yield self._match(sorted(order[start : start + self.seats]), str(deal), own)

    def _match(self, agents: Sequence[int], deal: str, rng: random.Random) -> RatedMatch:
        places, left = [0] * len(agents), list(range(len(agents)))
        while left:
            chosen = self._chosen(agents, left, rng)
            for seat in chosen:
                places[seat] = 1 + len(agents) - len(left)
            left = [seat for seat in left if seat not in chosen]
        winners = places.count(1)
        wins = tuple((place == 1) / winners for place in places)
        scores = tuple(float(-place) for place in places)
        names = tuple(f"a{agent}" for agent in agents)
        return RatedMatch("sim", deal, names, tuple(places), scores, wins, (), self.placing)

    def _chosen(self, agents: Sequence[int], left: Sequence[int], rng: random.Random) -> tuple[int, ...]:
        """One stage of the model."""
        sizes = (1, 2) if self.tied else (1,)
        sets = [chosen for size in sizes for chosen in combinations(left, size)]
        weights = [
            math.exp(sum(self.strengths[agents[seat]] for seat in chosen) / len(chosen))
            * (self.tied if len(chosen) == 2 else 1)
            for chosen in sets
        ]
        return rng.choices(sets, weights)[0]
