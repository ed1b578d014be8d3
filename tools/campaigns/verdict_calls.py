"""Verdict calls: how many answers of a model a verdict on 5 points of win share takes, by matches and by graded decisions.

`python -m tools.campaigns.verdict_calls` has stand-ins of known strength: A is `bot:steady`, B the same with a part of its
answers at random. With `--differs 0.2` both answer one question in five at random before that. Each row adds one step to the
one above: whole matches with a fixed plan and a power of 80 %, decisions drawn evenly, drawn by stakes, A found again, looked
at after each answer.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

import games
from games.core import Rng
from games.search.playouts import shares_of
from games.statistics.confidence_sequence import ConfidenceSequence
from runner.agents.environment import Environment
from runner.agents.spec import parse_spec
from runner.workshop.exam.exam import Exam, ExamSpec
from runner.workshop.exam.examinee import Examined

_DIFFERENCE = 0.05
_BOTH = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
_PLAYERS = 3


class Noise(NamedTuple):
    """How often a stand-in answers at random: on its own, and beside the other one."""

    differs: float
    worse: float


def chosen(game: str, state: Any, seat: int, place: object, who: str, noise: Noise) -> Any:
    """The action of a stand-in. What it answers at random is its own; `bot:steady` has the same random numbers for both."""
    rng = random.Random(f"{who} {place}")
    if rng.random() < noise.differs or (who == "B" and rng.random() < noise.worse):
        return rng.choice(state.actions_of(seat))
    return games.load(game).bots["steady"](state, seat, Rng.of("stand-in", str(place)))


def match(game: str, number: int, who: str, noise: Noise) -> tuple[float, int]:
    """The win share of a stand-in among steady bots, and the decisions that it was asked for. As in a match, everybody's random
    numbers follow from the deal, the seat and the number of the decision."""
    state, own, asked, decided = games.load(game).begin(players=_PLAYERS, seed=number), number % _PLAYERS, 0, 0
    while not state.has_ended:
        seat = state.pending[0]
        steps, decided = f"{number} {decided} {seat}", decided + 1
        options = state.actions_of(seat)
        if seat == own and len(options) > 1:
            asked += 1
            action = chosen(game, state, seat, steps, who, noise)
        else:
            action = games.load(game).bots["steady"](state, seat, Rng.of("other", steps))
        state = action.next_state
    return shares_of(state)[own], asked


def by_matches(game: str, deals: int, noise: Noise) -> tuple[float, float, float]:
    """The difference of A and B, its standard deviation a deal, and the decisions of a match."""
    pairs = [[match(game, number, who, noise) for who in ("A", "B")] for number in range(deals)]
    apart = [one[0] - other[0] for one, other in pairs]
    return fmean(apart), stdev(apart), fmean(asked for pair in pairs for _, asked in pair)


def stand_in(game: str, who: str, noise: Noise) -> Callable[[Any], Any]:
    def answer(ask: Any) -> Any:
        world = ask.world(Rng.of("world", ask.number))
        return chosen(game, world, ask.seat, f"{ask.number} {canonical_view(ask)}", who, noise).to_json()

    return answer


def canonical_view(ask: Any) -> str:
    return str(sorted(ask.view.items(), key=str))


def by_decisions(game: str, positions: int, noise: Noise, folder: Path) -> Any:
    """The results of an exam of both stand-ins."""
    spec = parse_spec("bot:steady")
    examined = [Examined(spec, who, function=stand_in(game, who, noise)) for who in ("A", "B")]
    exam = Exam(ExamSpec(game=game, examined=examined, players=_PLAYERS, decisions=positions), folder, Environment())
    asyncio.run(exam.run(lambda results: None))
    return exam.results


def rows(game: str, arguments: argparse.Namespace) -> Iterator[str]:
    noise = Noise(arguments.differs, arguments.worse)
    mean, spread, length = by_matches(game, arguments.deals, noise)
    matches = 2 * length * (_BOTH * spread / _DIFFERENCE) ** 2
    lost = f"{game}: B wins {100 * mean:.1f} points less by {arguments.deals} deals (spread {spread:.2f})"
    yield f"{lost}, {length:.1f} decisions a match"
    folder, positions = Path(arguments.folder), arguments.positions
    random_one = by_decisions(game, positions, Noise(0.0, 1.0), folder)
    alike = by_decisions(game, positions, Noise(noise.differs, 0.0), folder)
    times = random_one.population["scale"] * random_one.population["decisions"]
    worse, chance = ([one for row in found.answered for one in _values(row)] for found in (random_one, alike))
    loss, error = -fmean(worse) * times, stdev(worse) * times / math.sqrt(len(worse))
    graded = f"{100 * loss:.0f} points less (standard error {100 * error:.0f}) by {positions} decisions"
    yield f"  graded, all answers at random: {graded}"
    if (part := _DIFFERENCE / loss) <= 0:
        return
    variance = part * fmean(one * one for one in worse) + fmean(one * one for one in chance)
    asked = positions / len(worse)
    drawn = variance * (_BOTH * times / _DIFFERENCE) ** 2 * asked
    average, enough = sequential(worse, chance, part, random_one.population["bound"])
    steps = (
        ("matches, fixed plan", matches),
        ("decisions drawn evenly", 2 * drawn * (random_one.gain or 1.0)),
        ("drawn by stakes", 2 * drawn),
        ("A found again", drawn),
        ("stopped when sure, 80 % of verdicts", enough * asked),
        ("stopped when sure, on average", average * asked),
    )
    yield f"  5 points are {100 * part:.0f} % of answers at random"
    for name, calls in steps:
        yield f"  {name:<38}{calls:>10,.0f}{matches / calls:>8.1f}"


def _values(row: Any) -> Iterator[float]:
    position = row[0].position
    yield from [0.0] * position["skipped"]
    yield position["weight"] * (row[0].loss - row[1].loss)


def sequential(worse: list[float], chance: list[float], part: float, bound: float) -> tuple[float, float]:
    """Candidates until the difference is sure, on average and for 80 % of verdicts, with this `part` of answers at random. What
    chance alone does has either sign."""
    found = []
    for seed in range(60):
        rng, sequence = random.Random(seed), ConfidenceSequence(-bound, bound)
        while not sequence.sure and sequence.count < 100_000:
            value = rng.choice((-1, 1)) * rng.choice(chance) + (rng.choice(worse) if rng.random() < part else 0.0)
            sequence.observe(max(-bound, min(bound, value)))
        found.append(sequence.count)
    return fmean(found), sorted(found)[47]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="+", default=["coup", "oriflamme", "cat_in_the_box"])
    parser.add_argument("--worse", type=float, default=0.15)
    parser.add_argument("--differs", type=float, default=0.0)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--folder", default="build/verdict-calls")
    arguments = parser.parse_args()
    for game in arguments.game:
        for line in rows(game, arguments):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
