"""Resuming: a log is locked first, then verified; then its records are folded into the match that continues."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from games.core import Event
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, JsonRecord, Report
from runner.errors import LogDamagedError, UsageError, in_log
from runner.match.config import MatchConfig
from runner.match.events import MatchEvent, Sink, emit_all
from runner.match.header import HeaderRecord
from runner.match.match_state import MatchState
from runner.match.records import Record, ResumedRecord
from runner.record.log_paths import pack_of
from runner.record.reader import Log
from runner.record.replay import match_of
from runner.record.verify import verify_file
from runner.record.writer import LogWriter

Recall = Callable[[MatchEvent], None]
"""Takes an event of the past, which is no news."""


def open_to_resume(path: Path) -> tuple[LogWriter, Log]:
    """The locked writer and the verified log, whose last line may be cut short. UsageError or LogDamagedError when not."""
    if pack_of(path) is not None:
        raise UsageError(
            f"The log {path} is in a pack, which holds only matches that have ended: `tabletop fork` plays on from it."
        )
    writer = LogWriter(path, resume=True)
    try:
        with in_log(path):
            log, _ = verify_file(path)
            if (fork := log.header.get("fork")) and (count := len(log.records)) < (whole := fork["lines"]):
                raise LogDamagedError(1, f"only {count} of {whole} records of its parent were copied: fork again.")
    except BaseException:
        writer.close()
        raise
    return writer, log


@dataclass(frozen=True, slots=True)
class Past:
    """What a log has when its match continues: its header and its records. Screens begin with the record `first`."""

    header: HeaderRecord
    records: Sequence[Record]
    first: HeaderRecord | ResumedRecord

    def seat(self, agents: Sequence[Agent]) -> list[Agent]:
        """The agents; the answer that was chosen when the match was forked is given by nobody else."""
        fork = self.header.get("fork")
        if fork is None or (number := fork["question"]) is None:
            return list(agents)
        return [_ChosenAnswer(agent, number, fork["action"]) for agent in agents]

    async def fold(
        self,
        config: MatchConfig,
        agents: Sequence[Agent],
        screens: Sequence[Sink] = (),
        sinks: Sequence[Sink] = (),
        recall: Recall | None = None,
    ) -> MatchState:
        """The match at the end of its log, to be played on as `config` says. The agents remember their answers. `screens` are
        told of the last decision and what follows, `recall` of what was before; `sinks` of everything."""
        decisions = (place for place, record in enumerate(self.records) if record["kind"] == "decision")
        match, last = match_of(self.header), max(decisions, default=-1)
        match.config = _then(config, match)

        async def tell(after: int, event: MatchEvent) -> None:
            """Tell of an event by its place after the last decision."""
            is_header = event.record["kind"] == "header"
            if after < 0 and recall is not None:
                recall(event)
            if after == 0:
                await emit_all(screens, MatchEvent(self.first, event.match, event.events if is_header else ()))
            if after >= 0 and not is_header:
                await emit_all(screens, event)
            await emit_all(sinks, event)

        await tell(-1 - last, MatchEvent(self.header, match, match.state.events))
        for place, record in enumerate(self.records):
            if record["kind"] == "attempt" and record["outcome"] in ("answer", "mistake"):
                agents[record["seat"]].remember(match.open[record["seat"]].ask, dict(record))
            event = MatchEvent(record, match, match.take(record))
            match.config = _then(config, match)
            if record["kind"] not in ("pause", "resumed"):
                await tell(place - last, event)
        match.go_on(config)
        return match


def _then(config: MatchConfig, match: MatchState) -> MatchConfig:
    """The configuration of what is to come, with the table talk of a match so far."""
    return replace(config, talk=match.config.talk)


class _ChosenAnswer(Agent):
    """Gives the chosen answer to the question with that number, and asks `agent` everything else."""

    def __init__(self, agent: Agent, question: int, answer: object) -> None:
        self.needs_sync = agent.needs_sync
        self._agent, self._question, self._answer = agent, question, answer

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        if ask.number != self._question or ask.mistakes:
            return await self._agent.answer(ask, report)
        self._agent.remember(ask, {"outcome": "answer", "answer": self._answer, "chosen": True})
        return AgentReply(self._answer, facts={"chosen": True})

    def remember(self, ask: DecisionRequest, attempt: JsonRecord) -> None:
        self._agent.remember(ask, attempt)

    async def end(self, told: Sequence[Event], result: JsonRecord | None) -> None:
        await self._agent.end(told, result)
