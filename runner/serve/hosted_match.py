"""Hosted match: one match of the server, played in a task, and what the clients of its seats do."""

import asyncio
import sys
import traceback
from collections.abc import Mapping
from functools import partial
from io import StringIO
from pathlib import Path

from rich.console import Console

from games.core import PHASE, GameFault, State, seat_name
from runner.agents.program_messages import asked, told
from runner.agents.protocol import Agent, AgentReply, DecisionRequest
from runner.agents.waiting_agents import MailboxAgent
from runner.errors import BugError, PausedError, TabletopError, UsageError
from runner.film.perspective import Perspective
from runner.llm.budget import Budget, Reservation, WorstCase
from runner.match.match_state import MatchEvent
from runner.match.records import AttemptRecord, ResultRecord
from runner.record.writer import MatchBudget, Spending
from runner.screen.scene_rich import drawn_table
from runner.session.match_spec import ReadyMatch
from runner.session.session import Session, Source

Answer = dict[str, object]
"""The structured content of a tool's answer."""


class ClientSeat:
    """A seat whose answers a client gives."""

    def __init__(self, number: int, mailbox: MailboxAgent) -> None:
        self.number = number
        self.mailbox = mailbox
        self._verdict: asyncio.Future[Answer] | None = None
        self._posted: tuple[int, object] | None = None

    def post(self, reply: AgentReply) -> asyncio.Future[Answer]:
        """Answer the open question. The future gets the match's verdict: `ok`, or a mistake. The mistake that was judged last,
        sent again, gets its verdict again, once: its client may have lost the reply."""
        assert self.mailbox.ask is not None
        posted = self.mailbox.ask.number, reply.data
        if posted == self._posted and self._verdict is not None:
            self._posted = None
            return self._verdict
        self._posted = posted
        self._verdict = asyncio.get_running_loop().create_future()
        self.mailbox.post(reply)
        return self._verdict

    def judged(self, record: AttemptRecord, usual_strikes: int) -> None:
        """Take in an attempt of this seat, as the match has judged it."""
        verdict: Answer = {"status": "ok"}
        if record["outcome"] == "mistake":
            left = record.get("strikes", usual_strikes) - record.get("strike", 0) - 1
            verdict = {"status": "mistake", "why": record.get("why", ""), "left": left}
        if self._verdict is not None and not self._verdict.done():
            self._verdict.set_result(verdict)

    def turn(self, ask: DecisionRequest) -> Answer:
        """The open question as a client gets it, its mistakes among it."""
        self._posted = None
        fields = asked(ask, 0)
        shown = {name: fields[name] for name in ("view", "question", "schema", "legal", "mistakes")}
        news = told(event for event in ask.told if event.kind != PHASE)["events"]  # the view has the phase
        return {"status": "your_turn", "decision": ask.number, **shown, "told": news}


class PooledBudget(MatchBudget):
    """Reserves each call's maximum in the pool first, then in the match's own budget of `usd` and `tokens`, if it has one."""

    def __init__(self, path: Path, usd: float | None, tokens: int | None, spent: Spending, pool: Budget) -> None:
        super().__init__(path, usd, tokens, spent)
        self._pool = pool
        self._pooled: dict[int, Reservation] = {}

    @property
    def needs_prices(self) -> bool:
        """Whether nothing but the cost of calls bounds them in either budget."""
        return self._pool.needs_prices or super().needs_prices

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve the maximum cost of a call. BudgetSpent when either budget is spent."""
        pooled = await self._pool.reserve(worst, source)
        try:
            reservation = await super().reserve(worst, source)
        except BaseException:
            self._pool.settle(pooled, None, 0, is_answer=False)
            raise
        self._pooled[reservation.number] = pooled
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        """Charge what the call cost to both budgets."""
        if (pooled := self._pooled.pop(reservation.number, None)) is not None:
            self._pool.settle(pooled, usd, tokens, is_answer)
        super().settle(reservation, usd, tokens, is_answer)


class HostedMatch:
    """A match whose clients ask for their turns and answer. It is a sink of its own match. `seconds` is the longest wait for a
    client's answer, `pool` the server's budget."""

    def __init__(self, ready: ReadyMatch, source: Source, seconds: float | None, pool: Budget) -> None:
        self.ready, self.path = ready, source.path
        self._source, self._seconds, self._pool = source, seconds, pool
        self.seats: dict[int, ClientSeat] = {}
        self.id = ""
        self._state: State | None = None
        self._result: ResultRecord | None = None
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

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
        new_budget = partial(PooledBudget, pool=self._pool)
        seated = self._seated()
        async with Session(self.ready, self._source, sinks=[self], seated=seated, new_budget=new_budget) as session:
            for number, agent in enumerate(session.agents):
                if isinstance(agent, MailboxAgent):
                    agent.seconds, agent.changed = self._seconds, self._notify
                    self.seats[number] = ClientSeat(number, agent)
            await session.run()

    def _seated(self) -> Mapping[int, Agent]:
        """Agents that do not follow from their SPECs alone, by their seats."""
        return {}

    def _end(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, TabletopError | GameFault):
            traceback.print_exception(error, file=sys.stderr)
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

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

    async def wait_for_turn(self, seat: ClientSeat, seconds: float) -> Answer:
        """The open question of a seat, once there is one; `not_yet` after some seconds; the result after the end. PausedError
        when the match has stopped before its end."""
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

    async def act(self, seat: ClientSeat, decision: int, reply: AgentReply) -> Answer:
        """The verdict on an answer: `ok`, `mistake`, or `stale` for a decision that is over or being judged. UsageError for a
        decision that was never asked, PausedError when the match has stopped before its end."""
        if decision > seat.mailbox.last:
            raise UsageError(
                f"{seat_name(seat.number)} has not been asked decision {decision}.", remedy="wait_for_turn gives the number."
            )
        if not self.has_ended:
            self._check_running()
        ask = seat.mailbox.ask
        if ask is None or ask.number != decision:
            return {"status": "stale"}
        verdict = seat.post(reply)
        while not verdict.done():
            self._check_running()
            await self._changed.wait()
        return verdict.result()

    def table(self, seat: ClientSeat) -> str:
        """The table as it is drawn for a seat, in lines of at most 100 columns without colours."""
        assert self._state is not None
        config, out = self.ready.config, StringIO()
        names = tuple(map(seat_name, range(len(config.seats))))
        drawn = drawn_table(config.game, Perspective(seat.number).visible(self._state, names))
        Console(file=out, width=100, color_system=None, emoji=False, markup=False, highlight=False).print(drawn)
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines())

    def _check_running(self) -> None:
        if (why := self.why_stopped) is None:
            return
        if isinstance(self._error, GameFault):
            raise BugError(why)
        raise PausedError(why, remedy=f"Continue it by new_match with resume={self.path.name}.")

    @property
    def _error(self) -> BaseException | None:
        return None if self._task is None or not self._task.done() or self._task.cancelled() else self._task.exception()

    @property
    def why_stopped(self) -> str | None:
        """Why the match does not run any more, as a sentence; None while it runs."""
        if self.is_running:
            return None
        error = self._error
        if isinstance(error, GameFault):
            return f"The match failed: {error}. Its log ends with the traceback."
        known = isinstance(error, TabletopError)
        why = str(error) if known else "it failed; the server's standard error has the traceback."
        return f"The match is paused: {'the server stopped it.' if error is None else why}"
