"""Resuming: a log is locked first, then verified; then its records are folded into the match that continues. Playback: the
recorded answers of a match, to play the same match again without asking anyone."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from games.core import Event, State, quoted, seat_name
from runner.agents.bot_seats import bot_agent
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, JsonRecord, Report
from runner.agents.spec import Bot, Seat
from runner.errors import LogDamagedError, PausedError, UsageError, in_log
from runner.match.header import HeaderRecord, MatchConfig, PlaybackRecord
from runner.match.match_state import MatchEvent, MatchState, Sink, emit_all
from runner.match.records import AttemptRecord, Record, ResumedRecord
from runner.record.log_paths import pack_of
from runner.record.reader import RECORDING, Log, read_sound_part
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


_SAME = (
    *("game", "rules_version", "rules", "players", "seed", "options", "seats", "prompts", "ask", "ask_forced", "digest"),
    "talk",
)
_TELLING = ("spec", "pack")
"""What says by itself that a seat or a prompt pack is another one."""

Attempts = list[tuple[int, AttemptRecord]]
"""The attempts at a question, each with its position among all attempts of the match."""


@dataclass(frozen=True, slots=True)
class Playback:
    """A recording of replies, or a log: the attempts at each question, whose references are resolved when they are given."""

    log: Log
    answers: Mapping[int, Attempts]

    def check(self, config: MatchConfig, state: State) -> None:
        """UsageError when the match is another one than that of the recording."""
        asked: JsonRecord = json.loads(json.dumps(config.header(state)))
        known: JsonRecord = {**self.log.header, "seats": [Seat.logged(seat).to_json() for seat in self.log.header["seats"]]}
        for name in _SAME:
            if asked.get(name) != known.get(name):
                where, here, there = _difference(name, asked.get(name), known.get(name))
                raise UsageError(
                    f"The recording {self.log.path} is of another match: its {where} is {quoted(there)}, not {quoted(here)}."
                )

    def agents(self, config: MatchConfig) -> list[Agent]:
        """Whoever gives the recorded answers, for every seat but those of bots, which decide by themselves."""
        bots = {number: seat.spec for number, seat in enumerate(config.seats) if isinstance(seat.spec, Bot)}
        attempts = [attempt for found in self.answers.values() for attempt in found]
        turns = _Order(place for place, record in attempts if record["seat"] not in bots)
        return [
            bot_agent(bots[number], config.game) if number in bots else _PlaybackAgent(self, turns)
            for number in range(len(config.seats))
        ]

    def to_json(self) -> PlaybackRecord:
        return {"file": self.log.path.name, "first": self.log.first}


class _Order:
    """The order of all recorded attempts of a match, which the seats keep."""

    def __init__(self, places: Iterable[int]) -> None:
        self._left = deque(sorted(places))
        self._changed = asyncio.Condition()

    async def take(self, place: int) -> None:
        """Take the attempt at a place, once every earlier one was taken."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._left[0] >= place)
            self._left.popleft()
            self._changed.notify_all()


class _PlaybackAgent(Agent):
    """Gives the recorded answers to each question; when they end, the match pauses."""

    def __init__(self, recording: Playback, turns: _Order) -> None:
        self._log, self._turns = recording.log, turns
        self._answers = {number: iter(attempts) for number, attempts in recording.answers.items()}

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The next recorded answer to a question. PausedError when there is none."""
        await asyncio.sleep(0)  # the others are asked first, as they were
        for place, attempt in self._answers.get(ask.number, ()):
            await self._turns.take(place)
            record = cast(JsonRecord, self._log.whole(attempt))
            if record["outcome"] in ("answer", "mistake"):
                return AgentReply.logged(record)
            await report(record)
        raise PausedError(
            f"the recording {self._log.path} ends before {seat_name(ask.seat)} has answered question {ask.number}."
        )


def read_playback(path: Path) -> Playback:
    """The recording or log in a file. UsageError when it cannot be played back, LogDamagedError when it is damaged."""
    log = read_sound_part(path, ("header", RECORDING))
    if log.damage is not None and not log.is_torn:
        raise log.damage
    for name in ("seats", "prompts"):
        if log.latest_header.get(name) != log.header.get(name):
            raise UsageError(f"{path} cannot be played back: its {name} were changed in the middle of the match.")
    found: dict[int, Attempts] = {}
    for place, (_, attempt) in enumerate(log.of_kind("attempt")):
        found.setdefault(attempt["question"], []).append((place, attempt))
    return Playback(log, found)


def _difference(name: str, here: object, there: object) -> tuple[str, object, object]:
    """Where two values differ, as deep as there is a name for it."""
    if isinstance(here, dict) and isinstance(there, dict):
        keys = sorted(here.keys() | there.keys(), key=lambda key: (key not in _TELLING, key))
        key = next(key for key in keys if here.get(key) != there.get(key))
        return _difference(f"{name}.{key}", here.get(key), there.get(key))
    if name == "seats" and isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        seat = next(number for number, (one, other) in enumerate(zip(here, there, strict=True)) if one != other)
        return _difference(f"seat P-{seat}", here[seat], there[seat])
    return name, here, there
