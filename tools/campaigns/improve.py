"""Improve: how often `prompts improve` calls a pack better that is not, and how often it finds a word that helps.

`python -m tools.campaigns.improve` runs search, race, choice and final test as they are, on graded positions of Coup. Prompts
are not worded: a stand-in answers at random, and with the word in its advice it gives the best answer in a part of the
decisions. The coach proposes the word in a part of its proposals.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import games
from games.search.drawing import Drawing
from runner.agents.environment import Environment
from runner.agents.spec import parse_spec
from runner.match.tally import Tally
from runner.workshop import improvement
from runner.workshop.coach import Coach, Proposal
from runner.workshop.exam.exam import ExamSpec
from runner.workshop.exam.exam_results import Answered, ExamResults, best_of
from runner.workshop.exam.positions import Population, Position, PositionSequence
from runner.workshop.improvement import Improvement, ImproveSpec

_GAME, _PLAYERS, _ADVICE, _WORD = "coup", 2, "coup/advice.j2", "patience"


class Pool(NamedTuple):
    """Graded positions, and what they were drawn from."""

    population: Population
    positions: Sequence[Position]


def pool_of(number: int, folder: Path) -> Pool:
    """The first positions of a drawing, kept in a folder."""
    found = PositionSequence(Drawing(games.load(_GAME).begin(_PLAYERS, 0), 1, None), (), folder)
    try:
        return Pool(found.population, [*found.first(number)])
    finally:
        found.close()


@dataclass
class StandIn:
    """A seat and a coach in one run. `strength` is the part of decisions in which the word brings the best answer, `hints` that
    of proposals with the word."""

    pool: Pool
    run: int
    strength: float
    hints: float
    stages: dict[int, list[Position]] = field(default_factory=dict)

    def positions(self, seed: int, number: int) -> list[Position]:
        """The positions of a stage, which has a seed of its own. Those of stages never meet."""
        if seed not in self.stages:
            used = {position["digest"] for own in self.stages.values() for position in own}
            left = [position for position in self.pool.positions if position["digest"] not in used]
            some = random.Random(f"{self.run} {seed}").sample(left, len(self.pool.positions) // 3)
            self.stages[seed] = some
        return self.stages[seed][:number]

    def answered(self, has_word: bool, name: str, position: Position) -> Answered:
        rng = random.Random(f"{self.run} {name} {position['digest']}")
        grade = rng.choice([one for one in position["graded"] if one["answer"] is not None])
        is_best = has_word and rng.random() < self.strength
        return Answered(position, best_of(position) if is_best else grade, Tally(), 1, "")

    async def propose(self, coach: Coach, view: Any, budget: Any, seed: int) -> Proposal:
        word = _WORD if random.Random(f"{self.run} {seed}").random() < self.hints else "care"
        return Proposal(word, f"{view['text']}\n- Play with {word} ({seed}).", 0.0, 0)


class PoolExam:
    """An exam whose positions and answers are those of a stand-in."""

    def __init__(self, stand_in: StandIn, spec: ExamSpec, folder: Path, environment: Environment, **_: object) -> None:
        self._stand_in, self._spec = stand_in, spec
        names = [one.name for one in spec.examined]
        self.results = ExamResults(_GAME, _PLAYERS, names, stand_in.pool.population)

    async def run(self, on_progress: Callable[[ExamResults], object]) -> None:
        spec = self._spec
        texts = [Path(one.spec.pack or "", _ADVICE) if one.spec.pack else None for one in spec.examined]
        has_word = [path is not None and _WORD in path.read_text(encoding="utf-8") for path in texts]
        for position in self._stand_in.positions(spec.seed, spec.decisions):
            sides = zip(has_word, self.results.agents, strict=True)
            self.results.add([self._stand_in.answered(has, name, position) for has, name in sides])
            if spec.until and self.results.is_sure:
                return

    def shown(self, position: Position, has_prompt: bool) -> tuple[str, str]:
        return "", ""

    def close(self) -> None:
        pass


def improved(stand_in: StandIn, decisions: int) -> dict[str, Any]:
    """The document of one run."""
    offline = parse_spec("offline")
    spec = ImproveSpec(pack=None, game=_GAME, seat=offline, coach=offline, players=_PLAYERS, decisions=decisions)
    with (
        TemporaryDirectory() as folder,
        patch.object(improvement, "Exam", partial(PoolExam, stand_in)),
        patch.object(Coach, "propose", lambda *given: stand_in.propose(*given)),
        patch.object(Improvement, "_refusal", lambda *given: ""),
    ):
        found = Improvement(spec, Path(folder), Environment())
        asyncio.run(found.run(lambda what: None))
        document = found.document()
        chosen = next((one for one in document["versions"] if one["version"] == document["chosen"]), None)
        return {**document, "has_word": chosen is not None and _WORD in chosen["difference"]}


def rows(pool: Pool, arguments: argparse.Namespace) -> Iterator[str]:
    """The table: each seat with its runs."""
    seats = [("ignores prompts", arguments.nulls, 0.0)]
    seats += [(f"best answer with the word in {strength:.0%}", arguments.runs, strength) for strength in arguments.strength]
    for name, runs, strength in seats:
        found = [improved(StandIn(pool, run, strength, arguments.hints), arguments.decisions) for run in range(runs)]
        better = sum(one["better"] for one in found)
        right = sum(one["better"] and one["has_word"] for one in found)
        asked = sum(one["decisions"] for one in found) / len(found)
        yield f"| {name} | {runs} | {better} | {right if strength else '-'} | {asked:.0f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nulls", type=int, default=40)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--strength", type=float, nargs="+", default=[0.5])
    parser.add_argument("--hints", type=float, default=0.4)
    parser.add_argument("--decisions", type=int, default=120)
    parser.add_argument("--folder", default="build/improve")
    arguments = parser.parse_args()
    pool = pool_of(3 * arguments.decisions, Path(arguments.folder))
    for line in rows(pool, arguments):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
