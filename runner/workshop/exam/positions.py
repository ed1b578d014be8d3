"""Positions: the decisions that players of an exam are asked, each with its answers graded, at the end of a log."""

import asyncio
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

import games
from games.core import Answer, Rng
from games.scenes import Heading
from games.search.drawing import Candidate, Drawing, Drawn, Step
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.spec import Seat, parse_spec
from runner.digest import canonical, code_of, digest_of, digest_of_state
from runner.errors import PausedError, UsageError
from runner.files import make_folder
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.record.log_folder import Unusable, none_left, of_each_log, unfollowed
from runner.record.log_paths import POSITIONS
from runner.record.reader import Log, read_log
from runner.record.writer import LogSink, LogWriter
from runner.review.decision_review import review_jobs
from runner.worker_processes import in_order
from runner.workshop.exam.kept_lines import KeptLines, kept_lines


class AnswerGrade(TypedDict):
    """An answer (None: too many invalid ones), graded as in `games.search.stakes`."""

    answer: Answer | None
    choice: str
    share: float
    se: float
    loss: float


class Position(TypedDict):
    """A position: decision `at` of `log`. `skipped` candidates were passed over before it; a loss counts `weight` times."""

    match: int
    skipped: int
    log: str
    at: int
    seat: int
    role: str
    phase: str
    digest: str
    """that of the state and the seat"""
    weight: float
    spread: float
    graded: Sequence[AnswerGrade]


def drawn_position(drawing: Drawing, folder: Path, match: int) -> Position | bool:
    """The position of a match of bots, its log written; whether a candidate was passed over where there is none."""
    steps = drawing.steps(match)
    if isinstance(drawn := drawing.draw(match, steps), bool):
        return drawn
    path = folder / f"{match}.jsonl"
    asyncio.run(_write(path, steps, drawn.candidate.at))
    return _position(match, path, drawn)


def met_position(drawing: Drawing, log: Log) -> tuple[Position | None, float, int]:
    """The position of a logged match, the stakes of all its decisions that can be graded, and their number. LogDamagedError
    where it does not follow from the rules."""
    jobs = [job for job in review_jobs(log)[0] if drawing.is_wanted(job.asked, job.seat)]
    drawn, whole = drawing.draw_one([Candidate(job.asked, job.seat, job.number) for job in jobs], log.last)
    return drawn and _position(0, log.path, drawn), whole, len(jobs)


def _position(match: int, path: Path, drawn: Drawn) -> Position:
    (state, seat, at), weight, spread, answers = drawn
    return Position(
        match=match,
        skipped=0,
        log=str(path),
        at=at,
        seat=seat,
        role=state.question(seat).role,
        phase=Heading.of(state).phase,
        digest=f"{digest_of_state(state)}:{seat}",
        weight=weight,
        spread=spread,
        graded=[cast(AnswerGrade, one._asdict()) for one in answers],
    )


@dataclass
class _Scripted(Agent):
    """Gives the answers of a match that has been played; where they end, the log ends."""

    answers: deque[Any] = field(default_factory=deque)
    needs_sync = False

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        if not self.answers:
            raise PausedError("the position is reached.")
        return AgentReply(self.answers.popleft())


async def _write(path: Path, steps: Sequence[Step], at: int) -> None:
    """Write the log of a match up to the step with decision `at`."""
    first = steps[0].asked
    agents, made = [_Scripted() for _ in range(first.setup.players)], 0
    for step in steps:
        for seat, action in step.actions.items():
            if len(step.asked.actions_of(seat)) > 1:
                agents[seat].answers.append(action.to_json())
        if (made := made + len(step.applied)) >= at:
            break
    bot = parse_spec("bot:steady")
    config = MatchConfig(
        games.load(first.game.name), first.setup, (Seat(bot, bot.default_name, bot.kind, {}),) * len(agents), {}
    )
    path.unlink(missing_ok=True)
    writer = LogWriter(path)
    try:
        with suppress(PausedError):
            await Match(config, agents, [LogSink(writer)]).run()
    finally:
        writer.close()


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

_CHUNK = 8
"""Matches that a process gets at a time."""


class PositionSequence:
    """The positions of a drawing, or of logs (`logs`, in an order drawn from the seed), kept in a folder of their own in
    `folder`, found in any folder below it. `population` is what they are drawn from, `left_out` the logs against the rules."""

    def __init__(self, drawing: Drawing, logs: Sequence[Path], folder: Path) -> None:
        self.left_out = list[Unusable]()
        self._logs, setup = list(Rng.of("exam", drawing.seed).shuffled(logs)), drawing.begin.setup
        facts = [setup.to_json(), drawing.seed, drawing.role, [read_log(path).last for path in self._logs]]
        name = digest_of(canonical([*facts, code_of(drawing.begin.game.name)]))[:12]
        self.folder = next((path.parent for path in sorted(folder.rglob(f"{name}/{POSITIONS}"))), folder / "positions" / name)
        self._file, self._kept = KeptLines(self.folder / POSITIONS), list[Position]()
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
            of_logs, unusable = of_each_log(partial(met_position, drawing), self._logs, unfollowed)
            self.left_out += unusable.values()
            if not (found := of_logs.values()):
                raise none_left(self.left_out)
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
