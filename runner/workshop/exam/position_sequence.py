"""Position sequence: the positions of an exam in their order, kept beside their logs, so that nothing is graded twice."""

from __future__ import annotations

import inspect
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

import games.core
import games.search
from games.core import Rng
from runner.digest import canonical, digest_of, digest_of_state
from runner.errors import UsageError
from runner.files import make_folder
from runner.record.reader import read_log
from runner.worker_processes import in_order
from runner.workshop.exam import positions, stakes
from runner.workshop.exam.kept_lines import KeptLines, kept_lines
from runner.workshop.exam.positions import Drawing, Population, Position

INDEX = "positions.jsonl"
_POSITION, _POPULATION = TypeAdapter(Position), TypeAdapter(Population)
_MOST_MATCHES = 200_000
_HOPELESS = 5_000
"""Matches in a row in which nothing is at stake, after which no more are played."""

_CHUNK = 4
"""Matches that a process gets at a time."""


@cache
def code_of(game: str) -> str:
    """The digest of all that grades a game: its rules and bots, the search, the drawing."""
    state = games.load(game).begin()
    modules = games.core, games.search, inspect.getmodule(type(state))
    folders = [Path(str(module.__file__)).parent for module in modules if module is not None]
    files = [
        *(path for folder in folders for path in sorted(folder.glob("*.py"))),
        Path(stakes.__file__),
        Path(positions.__file__),
    ]
    return digest_of(b"\0".join(path.read_bytes() for path in files) + digest_of_state(state).encode())


class PositionSequence:
    """The positions of a drawing, or of logs (`logs`, in an order drawn from the seed). They are kept in a folder of their own
    in `folder`, found in any folder below it. `population` is what they are drawn from."""

    def __init__(self, drawing: Drawing, logs: Sequence[Path], folder: Path) -> None:
        self._logs = list(Rng.of("exam", drawing.seed).shuffled(logs))
        facts = {**vars(drawing), "logs": [read_log(path).last for path in self._logs], "code": code_of(drawing.game)}
        name = digest_of(canonical(facts))[:12]
        self.folder = next((path.parent for path in sorted(folder.rglob(f"{name}/{INDEX}"))), folder / "positions" / name)
        self._file, self._kept = KeptLines(self.folder / INDEX), list[Position]()
        self._following: Generator[Position] | None = None
        self.population = self._read() or self._begin(drawing)
        self._drawing = replace(drawing, most=self.population["most"])

    def first(self, number: int) -> Iterator[Position]:
        """The first positions; fewer where the logs have no more. They are drawn and graded as they are asked for."""
        yield from self._kept[:number]
        while len(self._kept) < number and not self._logs:
            self._following = self._following or self._drawn()
            self._keep(next(self._following))
            yield self._kept[-1]

    def close(self) -> None:
        """End the processes that grade."""
        if self._following is not None:
            self._following.close()
        self._file.close()

    def _read(self) -> Population | None:
        try:
            lines = kept_lines(self._file.path)
            population = _POPULATION.validate_python(next(lines, {}))
            self._kept = [_POSITION.validate_python({**line, "log": str(self.folder / line["log"])}) for line in lines]
        except (ValidationError, KeyError):
            return None
        return population

    def _begin(self, drawing: Drawing) -> Population:
        """Count what there is to draw from; of logs, draw their positions as well. UsageError where there is nothing."""
        make_folder(self.folder)
        self._kept = []
        self._file.path.unlink(missing_ok=True)
        found, drawn = self._of_logs(drawing) if self._logs else (drawing.pilot(), [])
        if not found["decisions"]:
            of = "decision that can be graded" if drawing.role is None else f"gradable decision of the role {drawing.role}"
            raise UsageError(f"There is no {of} in these matches of {games.load(drawing.game).title}.")
        self._file.write({**found})
        for position in drawn:
            self._keep(position)
        return found

    def _of_logs(self, drawing: Drawing) -> tuple[Population, list[Position]]:
        with closing(in_order(drawing.of_log, self._logs)) as graded:
            found = list(graded)
        decisions = sum(count for _, _, count in found) / len(found)
        players = sum(read_log(path).header["players"] for path in self._logs) / len(found)
        drawn, skipped = list[Position](), 0
        for position, _, _ in found:
            if position is None:
                skipped += 1
            else:
                drawn.append(Position(**{**position, "skipped": skipped}))
                skipped = 0
        bound = max(whole for _, whole, _ in found)
        scale = 1 / decisions if decisions else 0.0
        return Population(most=0, decisions=decisions / players, bound=max(bound, 1e-9), scale=scale), drawn

    def _drawn(self) -> Generator[Position]:
        """The positions of further matches."""
        first = self._kept[-1]["match"] + 1 if self._kept else 0
        matches = range(first, _MOST_MATCHES)
        skipped = idle = 0
        with closing(in_order(partial(self._drawing.candidate, self.folder), matches, _CHUNK)) as working:
            for outcome in working:
                if isinstance(outcome, bool):
                    skipped, idle = skipped + outcome, idle + 1
                    if idle > _HOPELESS:
                        raise UsageError(f"In {_HOPELESS:,} matches in a row no decision had anything at stake.")
                    continue
                yield Position(**{**outcome, "skipped": skipped})
                skipped = idle = 0

    def _keep(self, position: Position) -> None:
        """Keep a position: the logs of drawn ones are in the same folder, others are where they are."""
        log = Path(position["log"])
        self._file.write({**position, "log": str(log.absolute()) if self._logs else log.name})
        self._kept.append(position)
