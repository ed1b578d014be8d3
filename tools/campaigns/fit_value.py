"""Fit what a player of Coup can expect (`games.coup.value`) to how matches of `bot:steady` end.

`python -m tools.campaigns.fit_value` plays 80,000 matches, ten minutes of one core, and writes decks/coup_value.json; the same
number of matches gives the same weights. It then prints how well they predict each tenth match, which they were not fitted to:
the mean logarithm of the share that the winner was said to expect, in weights and with equal shares.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import exp, log, sqrt
from pathlib import Path

import games
from games.core import Rng
from games.core.policy import stepping
from games.coup.value import prospects
from games.search.policy import playing_policy
from tools.campaigns.fit import as_data, written

PLAYERS = (2, 3, 4, 4, 5, 6)
ROUNDS = 3
"""How often each match is gone through."""

_RATE = 0.07
_HELD_BACK = 10

Weights = Mapping[Hashable, float]
Seen = Sequence[tuple[int, Sequence[Hashable]]]
"""The living seats at the start of a turn, with what counts for each."""

Match = tuple[list[Seen], int]
"""What was seen at each turn, and who won."""


def matches(number: int) -> Iterator[Match]:
    """Matches of `bot:steady`."""
    game = games.load("coup")
    step = stepping(playing_policy(game))
    names: dict[Hashable, Hashable] = {}
    for one in range(number):
        rng, seen, last = Rng.of("fit", "coup_value", one), list[Seen](), 0
        state = game.begin(players=PLAYERS[one % len(PLAYERS)], seed=rng.next() >> 1)
        while state.pending:
            if state.round != last:
                last = state.round
                seen.append(
                    [
                        (seat, [names.setdefault(name, name) for name in prospect.features()])
                        for seat, prospect in prospects(state)  # type: ignore[arg-type]
                    ]
                )
            state = step(state, rng)
        yield seen, state.winners[0]


def expected(seen: Seen, weights: Weights) -> list[float]:
    """The share of the win that each living seat is said to expect."""
    strengths = [exp(sum(weights.get(name, 0.0) for name in features)) for _, features in seen]
    return [strength / sum(strengths) for strength in strengths]


def fitted(played: Sequence[Match]) -> dict[Hashable, float]:
    """The weights that make the winners likely (gradient ascent, a step a match, smaller where a feature was seen often)."""
    weights = defaultdict[Hashable, float](float)
    squares = defaultdict[Hashable, float](lambda: 1.0)
    for _ in range(ROUNDS):
        for number, (turns, winner) in enumerate(played):
            if number % _HELD_BACK == 0:
                continue
            for name, slope in _slopes(turns, winner, weights).items():
                squares[name] += slope * slope
                weights[name] += _RATE * slope / sqrt(squares[name])
    return weights


def _slopes(turns: Sequence[Seen], winner: int, weights: Weights) -> dict[Hashable, float]:
    found = defaultdict[Hashable, float](float)
    for seen in turns:
        for (seat, features), share in zip(seen, expected(seen, weights), strict=True):
            for name in features:
                found[name] += (seat == winner) - share
    return found


def prediction(played: Sequence[Match], weights: Weights) -> float:
    """The mean logarithm of what the winner was said to expect, in the matches that were held back."""
    found = [
        log(next(share for (seat, _), share in zip(seen, expected(seen, weights), strict=True) if seat == winner))
        for turns, winner in played[::_HELD_BACK]
        for seen in turns
    ]
    return sum(found) / len(found)


def main() -> None:
    """Read the command line, play, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=80_000)
    parser.add_argument("--output", type=Path, default=Path("decks/coup_value.json"), help="the file to write")
    arguments = parser.parse_args()
    played = [*matches(arguments.matches)]
    weights = fitted(played)
    sys.stdout.write(f"{prediction(played, weights):.4f}, with equal shares {prediction(played, {}):.4f}\n")
    arguments.output.write_text(written(as_data(weights)), encoding="utf-8")


if __name__ == "__main__":
    main()
