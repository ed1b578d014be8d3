"""Match loop: asks the seats that owe a decision, applies what they decide, and tells every sink what happens."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, cast

from games.core import PENALTY, PHASE, Action, Event, State
from runner.agents.protocol import Agent, Ask, Given
from runner.agents.talk import clean_line
from runner.digest import digest_of_state
from runner.errors import PausedError, TabletopError, words_of
from runner.match.config import MatchConfig
from runner.match.counts import MeasureCounts
from runner.match.events import MatchEvent, Sink, emit_all
from runner.match.header import now
from runner.match.hopeless import StrikeOuts
from runner.match.judgement import attempt_record, judge
from runner.match.records import (
    AttemptRecord,
    DecisionRecord,
    PauseRecord,
    PenaltyRecord,
    PhaseRecord,
    QuestionRecord,
    Record,
    ResultRecord,
    SeatResult,
)
from runner.match.talk_window import TalkWindow
from runner.match.tally import EarlierPlayers, Tally
from runner.match.untold import UntoldEvents

NOTHING_LOGGED: Mapping[int, int | None] = MappingProxyType({})
"""The logged strikes of a match that starts from its deal."""

_LONGEST_TRACE = 20_000
"""Characters of a traceback in the log."""


class Decision(NamedTuple):
    """What a seat decided, None when it was struck out; the question that it answered, if any, and what it says with it."""

    action: Action | None
    question: int | None = None
    say: str = ""


class Match:
    """A match between agents, from a state to its end or to a pause. `sinks` get every event, in this order.

    `earlier` has the players who had each seat before; their attempts are replayed first and do not count for the last one.
    `logged_strikes`: for each question that the log has already, how many invalid answers strike out; None: as many as usual.
    """

    def __init__(
        self,
        config: MatchConfig,
        agents: Sequence[Agent],
        sinks: Sequence[Sink] = (),
        state: State | None = None,
        earlier: Sequence[EarlierPlayers] = (),
        logged_strikes: Mapping[int, int | None] = NOTHING_LOGGED,
    ) -> None:
        self.config = config
        self.state = config.game.state_type.deal(config.setup, None) if state is None else state
        self.tallies = [Tally() for _ in agents]
        self.progress: list[float | None] = [None for _ in agents]
        self._earlier = list(earlier) or [EarlierPlayers() for _ in agents]
        self._left_of_earlier = [players.attempts for players in self._earlier]
        self._counts = MeasureCounts(config.game, len(agents))
        self._agents = agents
        self._sinks = sinks
        self._questions = 0
        self._talk_window = TalkWindow()
        self._untold = UntoldEvents(len(agents))
        self._strike_outs = StrikeOuts(len(agents), config.hopeless, not config.plays_on)
        self._logged_strikes = logged_strikes

    async def run(self) -> ResultRecord:
        """Play to the end and return the result. TabletopError when the match stops before; what was logged is whole."""
        result: ResultRecord | None = None
        try:
            return (result := await self._run())
        finally:
            await self._untold.end(self._agents, result)

    async def _run(self) -> ResultRecord:
        try:
            await self._emit_change(self.config.header(self.state), self.state.events)
            while not self.state.has_ended:
                await self._step()
        except (TabletopError, asyncio.CancelledError) as stop:
            await self._pause(str(stop) if isinstance(stop, TabletopError) else "interrupted")
            raise
        except OSError as error:
            closed = PausedError(f"output can no longer be written: {error.strerror}.")
            await self._pause(str(closed))
            raise closed from error
        except Exception as bug:
            trace = "".join(traceback.format_exception(bug))[-_LONGEST_TRACE:]
            await self._pause(words_of(bug), trace)
            raise
        result = self._result()
        await self._emit(result, is_durable=True)
        return result

    async def _pause(self, why: str, trace: str = "") -> None:
        """Tell the sinks that the match stops here; `trace` is the traceback of a bug."""
        record: PauseRecord = {"kind": "pause", "why": why, "at": now()}
        if trace:
            record |= {"failed": True, "traceback": trace}
        for sink in self._sinks:
            with suppress(Exception):  # a full disk, a closed pipe or a bug is no reason to keep it from the others
                await sink.emit(MatchEvent(record, self))

    # -- telling the sinks -------------------------------------------------------------------------------------------

    async def _emit(self, record: Record, events: tuple[Event, ...] = (), is_durable: bool = False) -> None:
        await emit_all(self._sinks, MatchEvent(record, self, events, is_durable))

    async def _emit_change(self, record: Record, events: tuple[Event, ...]) -> None:
        """Emit the record of a deal or a decision, then those of the phases and penalties that it brought."""
        self._counts.add(self.state, events)
        self._untold.add(events)
        await self._emit(record, events)
        for event in events:
            if event.kind == PHASE:
                name = self.config.game.phases.by_id(event.data["to"]).name
                await self._emit(cast(PhaseRecord, {"kind": PHASE, **event.data, "name": name}))
            elif event.kind == PENALTY:
                await self._emit(cast(PenaltyRecord, {"kind": PENALTY, **event.data}))

    # -- one step: ask those who owe a decision, apply what they decided ----------------------------------------------

    async def _step(self) -> None:
        self._strike_outs.check()
        self._talk_window.open(self.state.pending)
        seats = self.state.pending if self.config.ask == "simultaneous" else self.state.pending[:1]
        decisions = await self._decide_together(seats)
        for index, seat in enumerate(seats):
            if await self._apply(seat, decisions[index]):
                await self._emit_moot(seats[index + 1 :], decisions[index + 1 :])
                return

    async def _decide_together(self, seats: Sequence[int]) -> list[Decision]:
        """What each seat decides, asked at the same time. If one has to stop, the others' answers still reach the log."""
        if len(seats) == 1:
            return [await self._decide(seats[0])]
        found = await asyncio.gather(*(self._decide(seat) for seat in seats), return_exceptions=True)
        for outcome in found:
            if isinstance(outcome, BaseException):
                raise outcome
        return [outcome for outcome in found if not isinstance(outcome, BaseException)]

    async def _apply(self, seat: int, decision: Decision) -> bool:
        """Apply a decision; whether it took the match to another phase."""
        record: DecisionRecord = {"kind": "decision", "seat": seat, "how": "strike_out", "action": None, "digest": ""}
        if decision.action is None:
            self.state, events = self.state.strike_out_with_events(seat)
        else:
            record["how"] = "forced" if self._is_forced(seat) else "answer"
            record["action"] = decision.action.to_json()
            self.state, events = decision.action.on(self.state).next_with_events()
            if record["how"] == "answer":
                self._strike_outs.clear(seat)
        record["digest"], record["at"] = digest_of_state(self.state), now("milliseconds")
        self.tallies[seat].add_decision(record)
        await self._emit_change(record, events)
        has_new_phase = any(event.kind == PHASE for event in events)
        for line in self._talk_window.decided(seat, decision.question, decision.say, has_new_phase):
            self._untold.add_talk(line["seat"], line["text"])
            await self._emit(line)
        return has_new_phase

    async def _emit_moot(self, seats: Sequence[int], decisions: Sequence[Decision]) -> None:
        """The phase went on before these were applied: they are moot, and so is what was said with them."""
        for seat, decision in zip(seats, decisions, strict=True):
            action = decision.action
            await self._emit({"kind": "moot", "seat": seat, "action": None if action is None else action.to_json()})

    # -- one decision ------------------------------------------------------------------------------------------------

    def _is_forced(self, seat: int) -> bool:
        return not self.config.ask_forced and len(self.state.actions_of(seat)) == 1

    async def _decide(self, seat: int) -> Decision:
        """The seat's legal action; no action after too many invalid answers in a row."""
        state = self.state
        if self._is_forced(seat):
            return Decision(state.actions_of(seat)[0])
        strikes = self._strikes(seat)
        ask, agent = await self._question(state, seat, strikes), self._agents[seat]
        report = partial(self._report, ask)
        while True:
            given = self._said(await agent.answer(ask, report))
            verdict, is_of_earlier = judge(state, seat, given), self._left_of_earlier[seat] > 0
            record = attempt_record(ask, given, verdict)
            if strikes != state.setup.options.strikes:
                record["strikes"] = strikes
            await self._emit_attempt(record, agent.is_paid)
            if isinstance(verdict, Action):
                return Decision(verdict, ask.number, given.say)
            ask = replace(ask, mistakes=(*ask.mistakes, verdict))
            if len(ask.mistakes) >= strikes:
                if not is_of_earlier:
                    self._strike_outs.add(seat, given.is_replayed)
                return Decision(None)

    def _said(self, given: Given) -> Given:
        """An answer with its line of talk as the table hears it; without one where there is no talk."""
        said = clean_line(given.say) if self.config.talk else ""
        return given if said == given.say else replace(given, say=said)

    def _strikes(self, seat: int) -> int:
        """How many invalid answers to the next question strike the seat out."""
        usual = self.state.setup.options.strikes
        if self._questions in self._logged_strikes:
            return self._logged_strikes[self._questions] or usual
        return self._strike_outs.strikes(seat, usual)

    async def _question(self, state: State, seat: int, strikes: int) -> Ask:
        told = self._untold.take(seat)
        ask = replace(Ask.of(state, seat, self._questions), can_talk=self.config.talk, talk=self._untold.talk, told=told)
        ask, self.progress[seat] = replace(ask, progress=partial(self.progress.__setitem__, seat)), None
        self._questions += 1
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
        if strikes != state.setup.options.strikes:
            question["strikes"] = strikes
        await self._emit(question)
        return ask

    async def _report(self, ask: Ask, record: dict[str, object]) -> None:
        """An attempt that brought no answer."""
        found = {"kind": "attempt", "question": ask.number, "seat": ask.seat, **record, "at": now("milliseconds")}
        await self._emit_attempt(cast(AttemptRecord, found), is_durable=True)

    async def _emit_attempt(self, record: AttemptRecord, is_durable: bool) -> None:
        seat = record["seat"]
        if self._left_of_earlier[seat]:
            self._left_of_earlier[seat] -= 1
        else:
            self.tallies[seat].add_attempt(record)
        await self._emit(record, is_durable=is_durable)

    # -- the result --------------------------------------------------------------------------------------------------

    def _result(self) -> ResultRecord:
        state, setup = self.state, self.config.setup
        return {
            "kind": "result",
            "game": self.config.game.name,
            "rules": setup.rules,
            "rules_version": self.config.game.rules_version,
            "seed": setup.seed,
            "players": setup.players,
            "rounds": state.round,
            "scores": list(state.scores),
            "winners": list(state.winners),
            "ending": list(state.ending),
            "seats": [self._seat_result(seat) for seat in range(setup.players)],
        }

    def _seat_result(self, number: int) -> SeatResult:
        seat = self.config.seats[number]
        facts = {"seat": number, "spec": seat.spec.text, "name": seat.name, "kind": seat.kind}
        counts = {**self.tallies[number].to_json(), "measures": self._counts.to_json(number)}
        earlier = {"earlier": list(players)} if (players := self._earlier[number].players) else {}
        return cast(SeatResult, {**facts, **counts, **earlier})
