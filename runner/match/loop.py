"""Match loop: asks the seats that owe a decision, applies what they decide, and tells every sink what happens."""

import asyncio
import traceback
from collections.abc import Sequence
from contextlib import suppress

from games.core import Action, State
from runner.agents.protocol import Agent, DecisionRequest
from runner.digest import Digester
from runner.errors import PausedError, TabletopError, exhausted, words_of
from runner.match.header import MatchConfig, now
from runner.match.match_state import Made, MatchEvent, MatchState, Sink, emit_all
from runner.match.open_question import Verdict, decided
from runner.match.records import AttemptRecord, DecisionRecord, PauseRecord, QuestionRecord, Record, ResultRecord

_LONGEST_TRACE = 20_000
"""Characters of a traceback in the log."""


class Match:
    """A match between agents, from `begun` (None: its deal) to its end or a pause. `sinks` get every event, in this order."""

    def __init__(
        self, config: MatchConfig, agents: Sequence[Agent], sinks: Sequence[Sink] = (), begun: MatchState | None = None
    ) -> None:
        self.config = config
        self.so_far = MatchState.new(config) if begun is None else begun
        self._is_new = begun is None
        self._agents = agents
        self._sinks = sinks
        self._digests = Digester()

    async def run(self) -> ResultRecord:
        """Play to the end and return the result. TabletopError when the match stops before; what was logged is whole."""
        result: ResultRecord | None = None
        try:
            return (result := await self._run())
        finally:
            await self.so_far.end(self._agents, result)

    async def _run(self) -> ResultRecord:
        so_far = self.so_far
        try:
            if self._is_new:
                await emit_all(self._sinks, MatchEvent(so_far.header, so_far, so_far.state.events))
            await self._emit_due()
            while not so_far.state.has_ended:
                await self._step()
        except (TabletopError, asyncio.CancelledError) as stop:
            await self._pause(str(stop) if isinstance(stop, TabletopError) else "interrupted")
            raise
        except OSError as error:
            closed = exhausted(error) or PausedError(f"output can no longer be written: {error.strerror}.")
            await self._pause(str(closed))
            raise closed from error
        except Exception as bug:
            await self._pause(words_of(bug), "".join(traceback.format_exception(bug))[-_LONGEST_TRACE:])
            raise
        result = self.so_far.result()
        await self._emit(result, is_durable=True)
        return result

    async def _pause(self, why: str, trace: str = "") -> None:
        """Tell the sinks that the match stops here; `trace` is the traceback of a bug."""
        record: PauseRecord = {"kind": "pause", "why": why, "at": now()}
        if trace:
            record |= {"failed": True, "traceback": trace}
        for sink in self._sinks:
            with suppress(Exception):  # a full disk, a closed pipe or a bug is no reason to keep it from the others
                await sink.emit(MatchEvent(record, self.so_far))

    async def _emit(self, record: Record, made: Made | None = None, is_durable: bool = False) -> None:
        """Fold a record into the match and tell the sinks. `made` is what it was made of."""
        await emit_all(self._sinks, MatchEvent(record, self.so_far, self.so_far.take(record, made), is_durable))

    async def _emit_due(self) -> None:
        """Tell what the last decision has brought: phases, penalties, talk, and the decisions that it has made moot."""
        so_far = self.so_far
        while so_far.due:
            await self._emit(so_far.due[0])
        for seat in tuple(so_far.overtaken):
            action = so_far.action(seat)
            await self._emit({"kind": "moot", "seat": seat, "action": None if action is None else action.to_json()})

    # -- one step: ask those who owe a decision, apply what they decided ----------------------------------------------

    async def _step(self) -> None:
        self.so_far.strike_outs.check(self.config.hopeless, not self.config.plays_on)
        seats = self.so_far.step()
        actions = await self._decide_together(seats)
        for seat, action in zip(seats, actions, strict=True):
            await self._apply(seat, action)
            if self.so_far.has_new_phase:
                return

    async def _decide_together(self, seats: Sequence[int]) -> list[Action | None]:
        """What each seat decides, asked at the same time. If one has to stop, the others' answers still reach the log."""
        if len(seats) == 1:
            return [await self._decide(seats[0])]
        found = await asyncio.gather(*(self._decide(seat) for seat in seats), return_exceptions=True)
        for outcome in found:
            if isinstance(outcome, BaseException):
                raise outcome
        return [outcome for outcome in found if not isinstance(outcome, BaseException)]

    async def _apply(self, seat: int, action: Action | None) -> None:
        """Apply a decision, None: a strike-out."""
        state = self.so_far.state
        record: DecisionRecord = {"kind": "decision", "seat": seat, "how": "strike_out", "action": None, "digest": ""}
        if action is None:
            made = state.strike_out_with_events(seat)
        else:
            record["how"] = "forced" if self._is_forced(state, seat) else "answer"
            record["action"] = action.to_json()
            made = action.on(state).next_with_events()
        record["digest"], record["at"] = self._digests.digest(made[0]), now("milliseconds")
        await self._emit(record, made)
        await self._emit_due()

    # -- one decision ------------------------------------------------------------------------------------------------

    def _is_forced(self, state: State, seat: int) -> bool:
        return not self.config.ask_forced and len(state.actions_of(seat)) == 1

    async def _decide(self, seat: int) -> Action | None:
        """The seat's legal action; None after too many invalid answers in a row."""
        state, agent = self.so_far.asking, self._agents[seat]
        if self._is_forced(state, seat):
            return state.actions_of(seat)[0]
        if seat not in self.so_far.open:
            await self._ask(state, seat)
        question, usual = self.so_far.open[seat], state.setup.options.strikes

        async def take(record: AttemptRecord, verdict: Verdict | None) -> None:
            if verdict is not None and question.strikes != usual:
                record["strikes"] = question.strikes
            await self._emit(record, verdict, is_durable=verdict is None or agent.needs_sync)

        await decided(question, state, agent, take)
        return question.action

    async def _ask(self, state: State, seat: int) -> None:
        ask, usual = DecisionRequest.of(state, seat, self.so_far.questions), state.setup.options.strikes
        question: QuestionRecord = {
            "kind": "question",
            "question": ask.number,
            "seat": seat,
            "phase": state.phase_id,
            "round": state.round,
            "role": ask.question.role,
            "text": ask.question.whole,
            "schema": ask.question.schema,
            "view": ask.view,
        }
        strikes = self.so_far.strike_outs.strikes(seat, usual, self.config.hopeless, not self.config.plays_on)
        if strikes != usual:
            question["strikes"] = strikes
        await self._emit(question, ask)
