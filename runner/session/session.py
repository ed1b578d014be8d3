"""Session: one run of a match, from its first or next question to its end or a pause, and the log that it writes: a new one,
one that continues, or a fork. Nothing else makes a match run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast
from uuid import uuid4

from games.core import Game, seat_name
from runner.agents.function_agent import FunctionAgent
from runner.agents.protocol import Agent, Person
from runner.agents.seat_kind import AgentContext
from runner.agents.spec import is_rated, needs_client, same_seats, seat_agents
from runner.errors import TabletopError, UsageError
from runner.interrupts import endless_hooks_end
from runner.match.header import HeaderRecord, MatchConfig, logged_skin, now, package_version
from runner.match.loop import Match
from runner.match.match_state import Sink
from runner.match.records import Record, ResultRecord, ResumedRecord
from runner.match.tally import DEFAULT_HOPELESS
from runner.record.decisions import OF_TABLE, LoggedDecision, fork_record, kept_lines
from runner.record.line import references
from runner.record.log_paths import LOGS, journal_of, place_of
from runner.record.reader import Log
from runner.record.replay import opening
from runner.record.resume import Past, Recall
from runner.record.writer import LogSink, LogWriter, MatchBudget, RecordingLogSink, Spending, spending, unlogged
from runner.session.match_spec import ReadyMatch, logged_shared

if TYPE_CHECKING:
    from runner.llm.budget import Budget
    from runner.llm.client import Client
    from runner.llm.rate_limiter import RateLimiters


_SHORT = 12
"""Characters of a digest that people compare."""


def new_log_path(game: Game, folder: Path = LOGS) -> Path:
    """The log file of a new match. Its name is printed where the seed must not be, so it has no seed."""
    return folder / f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}-{uuid4().hex[:8]}.jsonl"


def new_fork_path(parent: Path, at: int) -> Path:
    """The log file of a fork at a decision, beside its parent."""
    place, number = place_of(parent), 1
    while (path := place.with_name(f"{place.stem}-fork{at}-{number}.jsonl")).exists():
        number += 1
    return path


@dataclass
class Source:
    """The log to write, untouched until all else is ready: a new file. `past` is what it holds, None for a new match."""

    path: Path
    past: Past | None = field(default=None, init=False)

    def open(self) -> LogWriter:
        """The writer of the log. UsageError when it cannot be opened."""
        return LogWriter(self.path)


class Resumed(Source):
    """A log that continues where it ended. `writer` holds its lock already; `first` is the record that it was resumed."""

    def __init__(self, writer: LogWriter, log: Log, first: ResumedRecord) -> None:
        super().__init__(log.path)
        self.writer, self.log, self.first = writer, log, first
        self.past = Past(log.header, [*(record for _, record in log.records), first], first)

    @classmethod
    def of(cls, writer: LogWriter, log: Log, ready: ReadyMatch) -> Self:
        """A log that `ready` continues. UsageError when a rated match has changed."""
        return cls(writer, log, _resumed_record(log, ready))

    def open(self) -> LogWriter:
        """Cut off an incomplete last line, and write that the match was resumed. TabletopError leaves the log unlocked."""
        try:
            self.writer.resume_after(self.log)
            self.writer.append(self.first)
        except TabletopError:
            self.writer.close()
            raise
        return self.writer


class Forked(Source):
    """A new log that branches off from another one at a decision; `answer` is chosen for it, None: it is asked for."""

    def __init__(self, path: Path, parent: Log, decision: LoggedDecision, answer: object, ready: ReadyMatch) -> None:
        super().__init__(path)
        kept, self._shared = kept_lines(parent, decision), parent.shared
        own = ready.config.header(opening(parent.header)[1])
        changed = _changes_of_table(parent.header_at(decision.line or None), ready.config)
        self._kept: list[Record] = [record for _, record in kept]
        self._resumed = [cast(ResumedRecord, {**_resumption(), **changed})] if changed else []
        of_parent = {name: value for name, value in parent.header.items() if name in OF_TABLE}
        first = {**{name: value for name, value in own.items() if name not in OF_TABLE}, **of_parent}
        self.first = cast(HeaderRecord, {**first, "fork": fork_record(parent, decision, kept, answer)})
        self.past = Past(self.first, [*self._kept, *self._resumed], self.first)

    def open(self) -> LogWriter:
        """Create the file and copy the records into it. TabletopError leaves no file."""
        writer = LogWriter(self.path)
        try:
            writer.append(self.first)
            for record in self._kept:
                for name in references(record):
                    writer.shared.add(name, self._shared[name])
                writer.append_as_is(record)
            for resumed in self._resumed:
                writer.append(resumed)
        except TabletopError:
            writer.close()
            self.path.unlink(missing_ok=True)
            raise
        return writer


def _resumed_record(log: Log, ready: ReadyMatch) -> ResumedRecord:
    """The record that a match was resumed, with what has changed. UsageError when a rated match has changed."""
    header, config = log.latest_header, ready.config
    seats = [seat.to_json() for seat in config.seats]
    changed: dict[str, object] = {} if same_seats(config.seats, header["seats"]) else {"seats": seats}
    if config.prompts != header["prompts"]:
        changed["prompts"] = config.prompts
    changed |= _changes_of_table(header, config)
    if changed and is_rated(header["seats"]):
        _check_files(log, seats)
        raise UsageError(
            f"The match in {log.path} is rated, so its {' and '.join(changed)} cannot change:"
            " use `tabletop fork` to play on with changes."
        )
    if config.shared.said != logged_shared(header).said:
        changed["shared"] = config.shared.said
    if config.budget and config.budget != header.get("budget", {}):
        changed["budget"] = config.budget
    if config.hopeless != header.get("hopeless", DEFAULT_HOPELESS):
        changed["hopeless"] = config.hopeless
    records = [record for _, record in log.records]
    if journal_of(log.path).exists() and (lost := unlogged(log.path, spending(log.header, records))):
        changed["unlogged"] = lost._asdict()
    return cast("ResumedRecord", {**_resumption(), **changed})


def _resumption() -> dict[str, object]:
    return {"kind": "resumed", "at": now(), "package": package_version()}


def _changes_of_table(before: HeaderRecord, config: MatchConfig) -> dict[str, object]:
    """What changes of table talk and of the words that models read."""
    talk = {} if before.get("talk", False) == config.talk else {"talk": config.talk}
    if logged_skin(before) == config.words:
        return {**talk}
    return {**talk, "skin": config.words.name or None, "skin_words": dict(config.words.words)}


def _check_files(log: Log, seats: Sequence[Mapping[str, object]]) -> None:
    """UsageError for a model file that is not the one of the log."""
    for number, (present, logged) in enumerate(zip(seats, log.latest_header["seats"], strict=True)):
        found, expected = str(present.get("sha256", "")), str(logged.get("sha256", ""))
        if found and expected and found != expected:
            raise UsageError(
                f"The match in {log.path} is rated, so its model files cannot change: {present['model']} of"
                f" {seat_name(number)} has the SHA-256 {found[:_SHORT]}…, and the log has {expected[:_SHORT]}…. Put the logged"
                " file back, or use `tabletop fork` to play on with this one."
            )


@dataclass(eq=False)
class Session:
    """One run of a match: it owns the agents, their client, the log, the journal of its budget, and their closing.

    Without a `source` the match is played from its deal and not logged.

    `screens` follow from the last logged decision on, and `recall` gets what was before; `sinks` get everything. `people` puts
    decisions to people. `client` is one that several matches share, with its own budget; without one the match has its
    own, whose budget `new_budget` makes. `seated` are agents that are
    there already, by their seats. `record` is a new file for the replies alone. `has_begun`: there is a log to resume from.
    """

    ready: ReadyMatch
    source: Source | None = None
    screens: Sequence[Sink] = ()
    sinks: Sequence[Sink] = ()
    recall: Recall | None = field(default=None, kw_only=True)
    people: Person | None = field(default=None, kw_only=True)
    client: Client | None = field(default=None, kw_only=True)
    seated: Mapping[int, Agent] = field(default_factory=dict, kw_only=True)
    new_budget: Callable[[Path, float | None, int | None, Spending], MatchBudget] = field(default=MatchBudget, kw_only=True)
    record: Path | None = field(default=None, kw_only=True)
    agents: list[Agent] = field(default_factory=list, init=False)
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack, init=False)

    def __post_init__(self) -> None:
        self.has_begun = isinstance(self.source, Resumed)

    async def __aenter__(self) -> Self:
        """Make the agents. TabletopError, before any call and before anything is written, for one that is not available."""
        async with AsyncExitStack() as stack:
            stack.enter_context(endless_hooks_end())
            if isinstance(self.source, Resumed):
                stack.callback(self.source.writer.close)
            self.agents = await self._make_agents(stack)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        await self._stack.__aexit__(kind, error, at)

    async def run(self) -> ResultRecord:
        """Play to the end and return the result. TabletopError when the match stops before; the log has what was played."""
        config, agents, begun = self.ready.config, self.agents, None
        past = None if self.source is None else self.source.past
        log = [] if self.source is None else [await self._open_log(self.source)]
        self.has_begun = bool(log)
        if past is not None:
            begun = await past.fold(config, agents, self.screens, self.sinks, self.recall)
            agents = past.seat(agents)
        return await Match(config, agents, [*log, *self.screens, *self.sinks], begun).run()

    async def _make_agents(self, stack: AsyncExitStack) -> list[Agent]:
        ready, config, specs = self.ready, self.ready.config, self.ready.specs
        if ready.playback is not None:
            return ready.playback.agents(config)
        client = self.client
        if client is None and self.source is not None and needs_client(specs):
            client = await stack.enter_async_context(self._own_client(stack, self.source))
        seated = {**{seat: FunctionAgent(function) for seat, function in ready.functions.items()}, **self.seated}
        context = AgentContext(
            config.game,
            config.setup,
            ready.pack,
            ready.environment,
            config.words,
            client,
            ready.spec.mistakes,
            self.people,
            None if self.source is None else self.source.path,
        )
        return await seat_agents(config.seats, context, seated)

    def _own_client(self, stack: AsyncExitStack, source: Source) -> Client:
        past, spec = source.past, self.ready.spec
        spent = Spending(0.0, 0) if past is None else spending(past.header, past.records)
        budget = self.new_budget(journal_of(source.path), spec.budget, spec.budget_tokens, spent)
        stack.callback(budget.close)
        return new_client(budget, self.ready.config.setup.seed, spec.mistakes)

    async def _open_log(self, source: Source) -> LogSink:
        writer = source.open()
        self._stack.callback(writer.close)
        await writer.sync()
        journal_of(source.path).unlink(missing_ok=True)  # what it held is in the log by now
        if self.record is None:
            return LogSink(writer)
        recording = LogWriter(self.record)
        self._stack.callback(recording.close)
        return RecordingLogSink(writer, recording)


def new_client(budget: Budget, seed: int, mistakes: float, limits_of: RateLimiters | None = None) -> Client:
    """A client of models with a budget and its own offline model. `limits_of` shares rate limits between clients."""
    from runner.llm.client import Client
    from runner.llm.offline import OfflineModel

    return Client(budget=budget, limits_of=limits_of, offline=OfflineModel(seed, mistakes))
