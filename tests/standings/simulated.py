"""Matches between players of known strength, without any game."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import permutations

from games.statistics.deal_sums import RatedMatch, places_of

Order = tuple[int, ...]


def matches(
    strengths: Sequence[float], deals: int, rng: random.Random, luck: float = 0.0, seat: float = 0.0, shared: bool = True
) -> list[RatedMatch]:
    """All orders of seats on each deal (Plackett and Luce's model of placings: strength plus Gumbel noise).

    `luck` is the spread of what a deal gives to its seats, `seat` the worth of the first one. Without `shared` deals every
    match has a deal of its own and seats drawn by chance.
    """
    orders: list[Order] = list(permutations(range(len(strengths))))
    found = []
    for deal in range(deals):
        hands = [rng.gauss(0, luck) for _ in strengths]
        for number, fixed in enumerate(orders):
            order = fixed
            if not shared:
                order, hands = tuple(rng.sample(fixed, len(fixed))), [rng.gauss(0, luck) for _ in strengths]
            found.append(match(strengths, order, hands, seat, rng, str(deal) if shared else f"{deal}-{number}"))
    return found


def match(
    strengths: Sequence[float], order: Order, hands: Sequence[float], seat: float, rng: random.Random, deal: str
) -> RatedMatch:
    worth = [
        strengths[agent] + hands[place] + seat * (place == 0) - math.log(-math.log(rng.random()))
        for place, agent in enumerate(order)
    ]
    best = worth.index(max(worth))
    wins = tuple(float(place == best) for place in range(len(order)))
    return RatedMatch("sim", deal, tuple(f"a{agent}" for agent in order), places_of(worth, [best]), tuple(worth), wins)
