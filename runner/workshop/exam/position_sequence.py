"""Position sequence: the positions of an exam in their order, kept beside their logs, so that nothing is graded twice."""

import inspect
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

import games.core
import games.search
from games.core import Rng
from games.search.drawing import Drawing
from runner.digest import canonical, digest_of, digest_of_state
from runner.errors import UsageError
from runner.files import make_folder
from runner.record.reader import read_log
from runner.worker_processes import in_order
from runner.workshop.exam.kept_lines import KeptLines, kept_lines
from runner.workshop.exam.positions import Position, drawn_position, met_position

INDEX = "positions.jsonl"


class Population(TypedDict):
    """What positions are drawn from: `most` graded decisions of a match at most, `decisions` of a seat in a match on average. A
    weighted loss is from -`bound` to `bound`; its mean times `scale` is the loss of a decision."""

    most: int
    decisions: float
    bound: float
    scale: float


_POSITION, _POPULATION = TypeAdapter(Position), TypeAdapter(Population)
_MOST_MATCHES = 200_000
_HOPELESS = 5_000
"""Matches in a row in which nothing is at stake, after which no more are played."""

_CHUNK = 4
"""Matches that a process gets at a time."""


@cache
def code_of(game: str) -> str:
    """The digest of all that grades a game: its rules and bots, and the search."""
    state = games.load(game).begin()
    modules = games.core, games.search, inspect.getmodule(type(state))
    folders = [Path(str(module.__file__)).parent for module in modules if module is not None]
    files = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    return digest_of(b"\0".join(path.read_bytes() for path in files) + digest_of_state(state).encode())


class PositionSequence:
    """The positions of a drawing, or of logs (`logs`, in an order drawn from the seed). They are kept in a folder of their own
    in `folder`, found in any folder below it. `population` is what they are drawn from."""

    def __init__(self, drawing: Drawing, logs: Sequence[Path], folder: Path) -> None:
        self._logs, setup = list(Rng.of("exam", drawing.seed).shuffled(logs)), drawing.begin.setup
        facts = [setup.to_json(), drawing.seed, drawing.role, [read_log(path).last for path in self._logs]]
        name = digest_of(canonical([*facts, code_of(drawing.begin.game.name)]))[:12]
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
            found = [_POSITION.validate_python({**line, "log": str(self.folder / line["log"])}) for line in lines]
        except (ValidationError, KeyError):
            return None
        # Two processes may have drawn the same positions at the same time.
        self._kept = [*{(one["match"], one["log"]): one for one in found}.values()]
        return population

    def _begin(self, drawing: Drawing) -> Population:
        """Count what there is to draw from; of logs, draw their positions as well. UsageError where there is nothing."""
        make_folder(self.folder)
        self._file.path.unlink(missing_ok=True)
        self._kept, met, players = list[Position](), list[Position](), drawing.begin.setup.players
        if self._logs:
            with closing(in_order(partial(met_position, drawing), self._logs)) as graded:
                found = list(graded)
            met, decisions = [one for one, _, _ in found if one], sum(count for _, _, count in found) / len(found)
            part = len(found) / max(1, len(met))  # matches without any stakes have no position, and lose nothing
            scale = 1 / (decisions * part) if decisions else 0.0
            bound = max(1e-9, *(whole for _, whole, _ in found))
            population = Population(most=0, decisions=decisions / players, bound=bound, scale=scale)
        else:
            most, each = drawing.pilot()
            population = Population(most=most, decisions=each, bound=1.0, scale=1.0)
        if not population["decisions"] or (self._logs and not met):
            of = f"of the role {drawing.role} " if drawing.role else ""
            raise UsageError(f"No decision {of}in these matches of {drawing.begin.game.title} can be graded and has a stake.")
        self._file.write({**population})
        for position in met:
            self._keep(position)
        return population

    def _drawn(self) -> Generator[Position]:
        """The positions of further matches."""
        matches = range(self._kept[-1]["match"] + 1 if self._kept else 0, _MOST_MATCHES)
        skipped = idle = 0
        with closing(in_order(partial(drawn_position, self._drawing, self.folder), matches, _CHUNK)) as working:
            for outcome in working:
                if not isinstance(outcome, bool):
                    yield Position(**{**outcome, "skipped": skipped})
                    skipped = idle = 0
                    continue
                skipped, idle = skipped + outcome, idle + 1
                if idle > _HOPELESS:
                    raise UsageError(f"In {_HOPELESS:,} matches in a row no decision had anything at stake.")

    def _keep(self, position: Position) -> None:
        """Keep a position: the logs of drawn ones are in the same folder, others are where they are."""
        log = Path(position["log"])
        self._file.write({**position, "log": str(log.absolute()) if self._logs else log.name})
        self._kept.append(position)
