"""The one match loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from games.core import PENALTY, PHASE, Action, Event, IllegalAction, State
from runner.agents.protocol import Agent, Ask, Given, Mistake
from runner.errors import HopelessError, PausedError, TabletopError
from runner.match.config import MatchConfig
from runner.match.counts import Counts
from runner.match.tally import Tally
from runner.match.watcher import Watcher
from runner.record.recorder import Recorder

Decision = Action | None
"""What a seat decided; None when it was struck out."""

MOST_STRIKE_OUTS = 250
"""Strike-outs in a row, of all seats together, after which a match pauses: some games never end on penalties alone."""


class Match:
    """A match between agents, from a state to its end or to a pause."""

    def __init__(
        self, config: MatchConfig, agents: Sequence[Agent], recorder: Recorder, watcher: Watcher, state: State | None = None
    ) -> None:
        self.config = config
        self.state = config.game.state_type.deal(config.setup, None) if state is None else state
        self.tallies = [Tally() for _ in agents]
        self._counts = Counts(config.game, len(agents))
        self._agents = agents
        self._recorder = recorder
        self._watcher = watcher
        self._strike_outs = 0

    async def run(self) -> dict[str, Any]:
        """Play to the end and give the result. TabletopError when the match stops before; what was logged is whole."""
        try:
            self._recorder.begin(self.config, self.state)
            await self._watcher.begun(self)
            await self._tell(self.state.events)
            while not self.state.has_ended:
                await self._step()
        except (TabletopError, asyncio.CancelledError) as stop:
            await self._pause(stop)
            raise
        except OSError as error:
            deaf = PausedError(f"what happens cannot be told any more: {error.strerror}.")
            with suppress(OSError):
                await self._pause(deaf)
            raise deaf from error
        result = self._result()
        self._recorder.result(result)
        await self._recorder.sync()
        await self._watcher.ended(result)
        return result

    async def _pause(self, stop: BaseException) -> None:
        why = str(stop) if isinstance(stop, TabletopError) else "interrupted"
        with suppress(PausedError):  # when the disk is full, what stands in the log is all that will
            self._recorder.pause(why)
        await self._watcher.paused(why)

    # -- one step: ask those who owe a decision, apply what they decided ----------------------------------------------

    async def _step(self) -> None:
        if self._strike_outs >= MOST_STRIKE_OUTS:
            raise HopelessError(f"{MOST_STRIKE_OUTS} decisions in a row, of all seats together, brought no valid answer.")
        seats = self.state.pending if self.config.ask == "simultaneous" else self.state.pending[:1]
        decisions = await self._decide_together(seats)
        for index, seat in enumerate(seats):
            if await self._apply(seat, decisions[index]):
                await self._set_aside(seats[index + 1 :], decisions[index + 1 :])
                return

    async def _decide_together(self, seats: Sequence[int]) -> list[Decision]:
        """What each seat decides, asked at the same time. Where one has to stop, the others' answers still reach the log."""
        if len(seats) == 1:
            return [await self._decide(seats[0])]
        found = await asyncio.gather(*(self._decide(seat) for seat in seats), return_exceptions=True)
        for outcome in found:
            if isinstance(outcome, BaseException):
                raise outcome
        return [outcome for outcome in found if not isinstance(outcome, BaseException)]

    async def _apply(self, seat: int, decision: Decision) -> bool:
        """Take a decision into the match; whether it took the match on to another phase."""
        tally = self.tallies[seat]
        if decision is None:
            self.state, events = self.state.strike_out_with_events(seat)
            tally.penalties += 1
            self._strike_outs += not self._recorder.is_behind  # a match that goes on counts anew
            how = "strike_out"
        else:
            how = "forced" if self._is_forced(seat) else "answer"
            self.state, events = decision.on(self.state).next_with_events()
            tally.decisions += 1
            tally.forced += how == "forced"
            self._strike_outs *= how == "forced"
        self._recorder.decision(seat, decision, how, self.state)
        await self._watcher.decided(seat, decision, how)
        await self._tell(events)
        return any(event.kind == PHASE for event in events)

    async def _set_aside(self, seats: Sequence[int], decisions: Sequence[Decision]) -> None:
        """The phase went on before these were applied: they are moot."""
        for seat, decision in zip(seats, decisions, strict=True):
            self._recorder.moot(seat, decision)
            await self._watcher.decided(seat, decision, "moot")

    async def _tell(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if event.kind == PHASE:
                self._recorder.phase(event.data, self.config.game.phases.by_id(event.data["to"]).name)
            elif event.kind == PENALTY:
                self._recorder.penalty(event.data)
        self._counts.add(self.state, events)
        await self._watcher.moved(self.state, events)

    # -- one decision ------------------------------------------------------------------------------------------------

    def _is_forced(self, seat: int) -> bool:
        return not self.config.ask_forced and len(self.state.actions_of(seat)) == 1

    async def _decide(self, seat: int) -> Decision:
        """The seat's legal action; None after too many invalid answers in a row."""
        state = self.state
        if self._is_forced(seat):
            return state.actions_of(seat)[0]
        ask = self._question(state, seat)
        await self._watcher.asked(seat, ask.number)
        mistakes: tuple[Mistake, ...] = ()
        while len(mistakes) < state.setup.options.strikes:
            outcome = await self._attempt(state, seat, _again(ask, mistakes))
            if isinstance(outcome, Action):
                return outcome
            mistakes = (*mistakes, outcome)
        return None

    def _question(self, state: State, seat: int) -> Ask:
        ask = Ask.of(state, seat)
        return replace(ask, number=self._recorder.question(seat, state, ask.view, ask.question))

    async def _attempt(self, state: State, seat: int, ask: Ask) -> Action | Mistake:
        async def report(record: dict[str, Any]) -> None:
            await self._log_attempt(seat, {"question": ask.number, "seat": seat, **record}, safe=True)

        agent = self._agents[seat]
        given = await agent.answer(ask, report)
        verdict = _judged(state, seat, given)
        facts: dict[str, Any] = {"question": ask.number, "seat": seat, "strike": len(ask.mistakes), **given.facts}
        if isinstance(verdict, Mistake):
            facts.update(outcome="mistake", what=verdict.kind, why=verdict.why, answer=given.data)
        else:
            facts.update(outcome="answer", answer=given.data)
        await self._log_attempt(seat, facts, safe=agent.is_paid)
        return verdict

    async def _log_attempt(self, seat: int, record: dict[str, Any], safe: bool) -> None:
        self.tallies[seat].add_attempt(record)
        self._recorder.attempt(record)
        if safe:
            await self._recorder.sync()
        await self._watcher.attempted(seat, record)

    # -- the result --------------------------------------------------------------------------------------------------

    def _result(self) -> dict[str, Any]:
        state, setup = self.state, self.config.setup
        return {
            "game": self.config.game.name,
            "rules": setup.rules,
            "rules_version": self.config.game.rules_version,
            "seed": setup.seed,
            "players": setup.players,
            "rounds": state.round,
            "scores": list(state.scores),
            "winners": list(state.winners),
            "ending": list(state.ending),
            "seats": [
                {
                    "seat": index,
                    "spec": seat.spec,
                    "name": seat.name,
                    "kind": seat.kind,
                    **tally.to_json(),
                    "measures": self._counts.to_json(index),
                }
                for index, (seat, tally) in enumerate(zip(self.config.seats, self.tallies, strict=True))
            ],
        }


def _again(ask: Ask, mistakes: tuple[Mistake, ...]) -> Ask:
    return replace(ask, mistakes=mistakes) if mistakes else ask


def _judged(state: State, seat: int, given: Given) -> Action | Mistake:
    """The one legality check, whoever answered."""
    if given.mistake is not None:
        return given.mistake
    try:
        return state.read(seat, given.data)
    except IllegalAction as refusal:
        return Mistake("illegal", given.text, str(refusal), refusal.reason, given.data)
