"""Session: one run of a match, from its first or next question to its end or a pause. Nothing else makes a match run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from runner.agents.factory import seat_agents
from runner.agents.function_agent import FunctionAgent
from runner.agents.protocol import Agent, Person
from runner.agents.seat_kind import AgentContext
from runner.agents.spec import needs_client
from runner.interrupts import endless_hooks_end
from runner.match.events import Sink
from runner.match.loop import Match
from runner.match.records import ResultRecord
from runner.record.log_paths import journal_of
from runner.record.match_budget import MatchBudget, Spending, spending
from runner.record.resume import Recall
from runner.record.writer import LogSink, LogWriter, RecordingLogSink
from runner.session.ready import ReadyMatch
from runner.session.sources import Resumed, Source

if TYPE_CHECKING:
    from runner.llm.budget import Budget
    from runner.llm.client import Client
    from runner.llm.rate_limiter import RateLimiters


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
    new_log_sink: Callable[[LogWriter], LogSink] = field(default=LogSink, kw_only=True)
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
            return self.new_log_sink(writer)
        recording = LogWriter(self.record)
        self._stack.callback(recording.close)
        return RecordingLogSink(writer, recording)


def new_client(budget: Budget, seed: int, mistakes: float, limits_of: RateLimiters | None = None) -> Client:
    """A client of models with a budget and its own offline model. `limits_of` shares rate limits between clients."""
    from runner.llm.client import Client
    from runner.llm.offline import OfflineModel

    return Client(budget=budget, limits_of=limits_of, offline=OfflineModel(seed, mistakes))
