"""Hosted match: one match of the server, played in a task, and what the clients of its seats do."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.core import State, seat_name
from runner.agents.environment import Settings
from runner.agents.factory import seat_agents
from runner.agents.mailbox_agent import MailboxAgent
from runner.agents.protocol import Agent, Given
from runner.agents.seat import is_rated
from runner.agents.spec import needs_client
from runner.errors import PausedError, TabletopError, UsageError
from runner.llm.budget import Budget
from runner.match.config import MatchConfig
from runner.match.events import MatchEvent
from runner.match.loop import Match
from runner.match.records import ResultRecord
from runner.prompting.pack import PromptPack
from runner.record.call_journal import Spending, journal_of
from runner.record.log_sink import LogSink
from runner.record.log_target import LogTarget, sinks_of
from runner.serve.client_seat import Answer, ClientSeat
from runner.serve.pooled_budget import PooledBudget
from runner.serve.table_text import table_text

if TYPE_CHECKING:
    from runner.llm.client import Client


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What a hosted match is played with. `seconds`: the longest wait for a client's answer; `pool`: the server's budget."""

    config: MatchConfig
    target: LogTarget
    pack: PromptPack
    settings: Settings
    seconds: float
    pool: Budget


class HostedMatch:
    """A match whose clients ask for their turns and answer. It is a sink of its own match."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self.seats: dict[int, ClientSeat] = {}
        self.id = ""
        self._state: State | None = None
        self._result: ResultRecord | None = None
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # -- its life ----------------------------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Start the match, and return once it has dealt. TabletopError when it cannot start."""
        self._task = asyncio.create_task(self._play())
        self._task.add_done_callback(self._end)
        while self._state is None and self.is_running:
            await self._changed.wait()
        if self._state is None:
            await self._task

    async def pause(self) -> None:
        """Stop the match where it is. Its log can be resumed."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    @property
    def is_running(self) -> bool:
        """Whether the match is still running, which includes waiting for an answer."""
        return self._task is not None and not self._task.done()

    @property
    def has_ended(self) -> bool:
        """Whether there is a result."""
        return self._result is not None

    async def _play(self) -> None:
        plan = self.plan
        cursor = plan.target.cursor
        async with AsyncExitStack() as stack:
            agents = await self._agents(stack)
            self._take_seats(agents)
            writer = plan.target.open()
            stack.callback(writer.close)
            journal_of(plan.target.path).unlink(missing_ok=True)  # what it held is in the log by now
            sinks = [*sinks_of(plan.target, LogSink(writer), []), self]
            replaying = cursor.replaying(agents)
            await Match(plan.config, replaying, sinks, earlier=cursor.earlier, logged_strikes=cursor.strikes).run()

    async def _agents(self, stack: AsyncExitStack) -> list[Agent]:
        plan, config = self.plan, self.plan.config
        specs = [seat.spec for seat in config.seats]
        client = await stack.enter_async_context(self._client(stack)) if needs_client(specs) else None
        rated, reasons = is_rated([seat.to_json() for seat in config.seats]), [seat.reason for seat in config.seats]
        how = plan.pack, plan.settings, client, rated, None, reasons, plan.target.path
        return await seat_agents(specs, config.game, config.setup, *how)

    def _client(self, stack: AsyncExitStack) -> Client:
        from runner.llm.client import Client
        from runner.llm.offline import OfflineModel

        target, config = self.plan.target, self.plan.config
        spent = Spending(target.cursor.spent, target.cursor.spent_tokens)
        budget = PooledBudget(target.path, config.budget, spent, self.plan.pool)
        stack.callback(budget.close)
        mistakes = max(float(str(seat.facts.get("mistakes", 0.0))) for seat in config.seats)
        return Client(budget=budget, offline=OfflineModel(config.setup.seed, mistakes))

    def _take_seats(self, agents: Sequence[Agent]) -> None:
        for number, agent in enumerate(agents):
            if isinstance(agent, MailboxAgent):
                agent.seconds, agent.changed = self.plan.seconds, self._notify
                self.seats[number] = ClientSeat(number, agent)

    def _end(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, TabletopError):
            traceback.print_exception(error, file=sys.stderr)
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    # -- as a sink ---------------------------------------------------------------------------------------------------

    async def emit(self, event: MatchEvent) -> None:
        """Take in what happened in the match."""
        record, self._state = event.record, event.match.state
        if record["kind"] == "header":
            self.id = record.get("match", "")
        elif record["kind"] == "attempt" and record["seat"] in self.seats:
            self.seats[record["seat"]].judged(record, self._state.setup.options.strikes)
        elif record["kind"] == "result":
            self._result = record
        self._notify()

    # -- calls of clients --------------------------------------------------------------------------------------------

    async def wait_for_turn(self, seat: ClientSeat, seconds: float) -> Answer:
        """The open question of a seat, once there is one; `not_yet` after some seconds; the result after the end.

        PausedError when the match has stopped before its end.
        """
        try:
            async with asyncio.timeout(seconds):
                while (answer := self._answer(seat)) is None:
                    await self._changed.wait()
        except TimeoutError:
            return {"status": "not_yet"}
        return answer

    def _answer(self, seat: ClientSeat) -> Answer | None:
        if self._result is not None:
            return {"status": "over", "result": {name: value for name, value in self._result.items() if name != "kind"}}
        self._check_running()
        return None if seat.mailbox.ask is None else seat.turn(seat.mailbox.ask)

    async def act(self, seat: ClientSeat, decision: int, given: Given) -> Answer:
        """The verdict on an answer: `ok`, `mistake`, or `stale` for a decision that is over or being judged.

        UsageError for a decision that was never asked, PausedError when the match has stopped before its end.
        """
        if decision > seat.mailbox.last:
            raise UsageError(
                f"{seat_name(seat.number)} has not been asked decision {decision}.", remedy="wait_for_turn gives the number."
            )
        if not self.has_ended:
            self._check_running()
        ask = seat.mailbox.ask
        if ask is None or ask.number != decision:
            return {"status": "stale"}
        verdict = seat.post(given)
        while not verdict.done():
            self._check_running()
            await self._changed.wait()
        return verdict.result()

    def table(self, seat: ClientSeat) -> str:
        """The table as a seat sees it."""
        assert self._state is not None
        return table_text(self.plan.config, self._state, seat.number)

    def _check_running(self) -> None:
        assert self._task is not None
        if self._task.done():
            why = "the server stopped it." if self._task.cancelled() else _why(self._task.exception())
            raise PausedError(
                f"The match is paused: {why}", remedy=f"Continue it by new_match with resume={self.plan.target.path.name}."
            )


def _why(error: BaseException | None) -> str:
    if isinstance(error, TabletopError):
        return str(error)
    return "it failed; the server's standard error has the traceback."
