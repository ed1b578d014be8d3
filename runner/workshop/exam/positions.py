"""Positions: the decisions that players of an exam are asked, each with its answers graded, at the end of a log."""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from typing_extensions import TypedDict

import games
from games.core import Answer
from games.search.drawing import Candidate, Drawing, Drawn, Step
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.spec import Seat, parse_spec
from runner.digest import digest_of_state
from runner.errors import PausedError
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.record.reader import read_log
from runner.record.writer import LogSink, LogWriter
from runner.review.decision_review import review_jobs


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


def met_position(drawing: Drawing, path: Path) -> tuple[Position | None, float, int]:
    """The position of a logged match, the stakes of all its decisions that can be graded, and their number. LogDamagedError
    where it does not follow from the rules."""
    log = read_log(path)
    jobs = [job for job in review_jobs(log)[0] if drawing.is_wanted(job.asked, job.seat)]
    drawn, whole = drawing.draw_one([Candidate(job.asked, job.seat, job.number) for job in jobs], log.last)
    return drawn and _position(0, path, drawn), whole, len(jobs)


def _position(match: int, path: Path, drawn: Drawn) -> Position:
    (state, seat, at), weight, spread, answers = drawn
    return Position(
        match=match,
        skipped=0,
        log=str(path),
        at=at,
        seat=seat,
        role=state.question(seat).role,
        phase=state.phase.name,
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
