"""Variance: what the value of the deal and the decisions of known bots save of the variance of one agent's win share.

`python -m tools.campaigns.variance` plays matches of `bot:steady`, which counts as unknown, against bots that are known, and
prints a table of variance ratios: the variance that is left, as a part of that of the plain win share. `ratio` 0.5 means that
half of the matches give the same standard error. The agent has every seat equally often, on separate deals.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from statistics import correlation, mean, stdev
from typing import NamedTuple

import games
from games.core import Policy, Rng
from games.search.playouts import shares_of
from games.search.value_function import VALUE, ValueFunction, bot_weights, correction

AGENT = "steady"
_FIRST_SEED = 10_000


class Played(NamedTuple):
    """A match: the agent's win share, the value of its seat in the deal, and the luck of the bots' decisions."""

    share: float
    deal: float
    bots: float


def play(game: str, players: int, other: str, number: int, value: ValueFunction) -> Played:
    """One match of the agent in seat `number` modulo the players against copies of another bot."""
    rules = games.load(game)
    own, seat = rules.bots[AGENT], number % players
    known: dict[int, Policy] = {one: rules.bots[other] for one in range(players) if one != seat}
    state, rng = rules.begin(players=players, seed=_FIRST_SEED + number), Rng.of("variance", number)
    deal, luck, decisions = value.of(state, "deal")[seat], 0.0, 0
    while pending := state.pending:
        decisions += 1
        action = known.get(pending[0], own)(state, pending[0], rng)
        if pending[0] in known:
            weights = bot_weights(known[pending[0]], state, pending[0], Rng.of("aivat", number, decisions))
            luck += correction(state, pending[0], action.move, weights, known, value, decisions)[seat]
        state = action.next_state
    return Played(shares_of(state)[seat], deal, luck)


def left(found: Sequence[Played]) -> tuple[float, float, float]:
    """The variance ratios with the deal, with the bots' decisions, and with both."""
    shares, deals, bots = (list(column) for column in zip(*found, strict=True))
    by_deal = 1 - _square(shares, deals)
    rest = _residuals(shares, deals), _residuals(bots, deals)
    return by_deal, 1 - _square(shares, bots), by_deal * (1 - _square(*rest))


def _square(one: Sequence[float], other: Sequence[float]) -> float:
    """The squared correlation; 0 where one of them is constant."""
    return correlation(one, other) ** 2 if min(stdev(one), stdev(other)) > 1e-9 else 0.0


def _residuals(values: Sequence[float], by: Sequence[float]) -> list[float]:
    if stdev(by) < 1e-9 or stdev(values) < 1e-9:
        return list(values)
    slope, centre = correlation(values, by) * stdev(values) / stdev(by), mean(by)
    return [value - slope * (one - centre) for value, one in zip(values, by, strict=True)]


def rows(arguments: argparse.Namespace) -> Iterator[str]:
    """A line of the table for each game and each bot."""
    value = VALUE._replace(playouts=arguments.playouts)
    for game in arguments.game:
        for other in arguments.against:
            started = time.process_time()
            found = [play(game, arguments.players, other, number, value) for number in range(arguments.matches)]
            seconds = (time.process_time() - started) / len(found)
            ratios = "".join(f"{ratio:>8.2f}" for ratio in left(found))
            share = mean(one.share for one in found)
            yield f"{game:<16}{'bot:' + other:<12}{len(found):>8}{share:>8.2f}{ratios}{seconds:>10.2f} s"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="+", default=["coup", "cat_in_the_box", "oriflamme", "dixiquote"])
    parser.add_argument("--against", nargs="+", default=["random", "steady"])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--playouts", type=int, default=20)
    arguments = parser.parse_args()
    _tell(f"{'game':<16}{'against':<12}{'matches':>8}{'wins':>8}{'deal':>8}{'bots':>8}{'both':>8}{'a match':>12}")
    for row in rows(arguments):
        _tell(row)


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
