"""Anytime: how often a confidence sequence errs, and how many values it takes, next to a plan of a fixed number.

`python -m tools.campaigns.anytime` looks after every value of 2,000 sequences of pairs of equal players, then at pairs of
players that differ. A pair of wins is -1, 0 or 1 with a standard deviation of 0.55; a pair of graded decisions is mostly 0.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing import Pool
from statistics import NormalDist

from games.statistics.confidence_sequence import ConfidenceSequence

Draw = Callable[[random.Random], float]
_POWER = 0.8


def of_wins(mean: float) -> Draw:
    def draw(rng: random.Random) -> float:
        place = rng.random()
        return 1.0 if place < 0.15 + mean / 2 else -1.0 if place < 0.3 else 0.0

    return draw


def of_grades(mean: float) -> Draw:
    """A pair of grades, which differs in one decision of five."""
    return lambda rng: max(-1.0, min(1.0, rng.gauss(5 * mean, 0.12))) if rng.random() < 0.2 else 0.0


KINDS = {"wins": of_wins, "grades": of_grades}


def first_sure(draw: Draw, seed: int, most: int) -> int | None:
    """After how many values the sequence is sure; None: not with the most that it is given."""
    rng, found = random.Random(seed), ConfidenceSequence()
    for number in range(1, most + 1):
        found.observe(draw(rng))
        if found.sure:
            return number
    return None


def fixed_plan(draw: Draw, mean: float) -> int:
    """Values that a plan of a fixed number takes for the same power."""
    rng = random.Random(0)
    values = [draw(rng) for _ in range(20_000)]
    middle = sum(values) / len(values)
    variance = sum((value - middle) ** 2 for value in values) / len(values)
    both = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(_POWER)
    return math.ceil(variance * (both / mean) ** 2)


def _sure(task: tuple[str, float, int, int]) -> int | None:
    kind, mean, seed, most = task
    return first_sure(KINDS[kind](mean), seed, most)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--nulls", type=int, default=2_000)
    options.add_argument("--values", type=int, default=500, help="looked at in each null")
    options.add_argument("--repetitions", type=int, default=300, help="of each difference")
    chosen = options.parse_args()
    with Pool() as pool:
        sure = partial(pool.map, _sure, chunksize=10)
        for kind in KINDS:
            nulls = sure([(kind, 0.0, seed, chosen.values) for seed in range(chosen.nulls)])
            wrong = sum(one is not None for one in nulls)
            say(f"{kind}: {wrong} of {chosen.nulls} nulls called different ({wrong / chosen.nulls:.1%})")
        for kind, mean in (("wins", 0.2), ("wins", 0.1), ("wins", 0.05), ("grades", 0.02), ("grades", 0.01)):
            plan = fixed_plan(KINDS[kind](mean), mean)
            tasks = [(kind, mean, seed, 12 * plan) for seed in range(chosen.repetitions)]
            found = sorted(one or 12 * plan for one in sure(tasks))
            middle, enough = found[len(found) // 2], found[math.ceil(_POWER * len(found)) - 1]
            say(
                f"{kind}, difference {mean}: fixed plan {plan:,}; sure after {middle:,} in half of them, {enough:,} in"
                f" {_POWER:.0%}, {sum(found) / len(found):,.0f} on average"
            )


if __name__ == "__main__":
    main()
