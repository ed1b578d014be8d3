"""Logged decisions: one decision read back from a log, with its question, its attempts and what it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from games.core import PENALTY, Event, State
from runner.errors import LogDamagedError, UsageError
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, Record, TalkRecord
from runner.record.bot_questions import whole_question
from runner.record.decision_lines import DecisionGrouping, DecisionLines
from runner.record.dedup import expand_messages, is_reference
from runner.record.reader import Log, RecordSource
from runner.record.replay import ReplayedMatch


@dataclass(frozen=True)
class LoggedDecision:
    """Decision `number` of a log, counted from 1: the state `before` it, the state after it, and its game events.

    Number 0 is the deal, which has no lines. Records are read from the log when they are used. `asked` gives the state in which
    the seat was asked: an earlier one than `before` where several seats decided at the same time.
    """

    number: int
    before: State
    state: State
    events: tuple[Event, ...]
    log: RecordSource
    lines: DecisionLines | None = None
    asked: Callable[[], State] | None = None

    @property
    def seat(self) -> int | None:
        """The seat that decided; None for the deal."""
        return None if self.lines is None else self.lines.seat

    @property
    def line(self) -> int:
        """The line of the decision; 1 for the deal."""
        return self.lines.line if self.lines else 1

    @cached_property
    def record(self) -> DecisionRecord | None:
        """The record of the decision; None for the deal, and where the log ends before it."""
        return cast(DecisionRecord, self.log.record(self.lines.line)) if self.lines and self.lines.line else None

    @cached_property
    def question(self) -> QuestionRecord | None:
        """The record of the question, with what it leaves to the rules; None where the seat was not asked."""
        line = self.lines.question if self.lines else None
        if line is None:
            return None
        record = cast(QuestionRecord, self.log.record(line))
        if not is_reference(record["view"]):
            return record
        return whole_question(line, record, self.asked() if self.asked else self.before)

    @cached_property
    def attempts(self) -> list[AttemptRecord]:
        """The attempts at the question."""
        return [cast(AttemptRecord, self.log.record(line)) for line in self.lines.attempts] if self.lines else []

    @cached_property
    def talk(self) -> list[TalkRecord]:
        """The table talk that became public after the decision, before the next one."""
        return [cast(TalkRecord, self.log.record(line)) for line in self.lines.talk] if self.lines else []

    def messages(self, attempt: AttemptRecord) -> list[dict[str, str]]:
        """The exact messages that an attempt sent; none where no model was asked."""
        return expand_messages(attempt, self.log.shared)

    @property
    def has_penalty(self) -> bool:
        """Whether a seat was struck out."""
        return any(event.kind == PENALTY for event in self.events)

    @property
    def has_challenge(self) -> bool:
        """Whether a claim was challenged."""
        return any("challenge" in event.kind for event in self.events)

    @property
    def has_strike(self) -> bool:
        """Whether an answer was invalid."""
        return self.lines is not None and self.lines.strikes > 0

    @property
    def has_points(self) -> bool:
        """Whether a score changed."""
        return self.before.scores != self.state.scores

    @property
    def begins_round(self) -> bool:
        """Whether another round began."""
        return self.before.round != self.state.round


def decisions(log: Log) -> Iterator[LoggedDecision]:
    """The deal and the decisions of a log, every record checked on the way. LogDamagedError at the first that does not fit."""
    yield from _Replay(log).decisions()
    if log.damage is not None:
        raise log.damage


def decision_at(log: Log, number: int) -> LoggedDecision:
    """Decision `number` of a log, counted from 1, or the next one that is due. UsageError when there is no such decision,
    LogDamagedError when it would stand after the damage."""
    replay, last = _Replay(log), 0
    for decision in replay.decisions():
        last = decision.number
        if last == number > 0:
            return decision
    if log.damage is not None and not log.is_torn:
        raise log.damage
    state = replay.match.state
    if number == last + 1 and state.actor is not None:
        return replay.due(number, state.actor)
    raise no_decision(number, last + (not state.has_ended))


def no_decision(number: int, last: int) -> UsageError:
    """The error for a decision that a match does not have; `last` is its last one."""
    has = f"the match has the decisions 1 to {last}" if last else "the match has no decision yet"
    return UsageError(f"--at {number}: {has}.")


class _Replay:
    """A log's records taken one by one: the match, which lines belong together, and the state in which each seat was asked."""

    def __init__(self, log: Log) -> None:
        self.match = ReplayedMatch(log)
        self._log = log
        self._grouping = DecisionGrouping()
        self._asked: dict[int, State] = {}

    def decisions(self) -> Iterator[LoggedDecision]:
        """The decisions, each when the next one is made or the log ends: its talk is logged after it."""
        before = self.match.state
        last = LoggedDecision(0, before, before, self.match.deal().events, self._log)
        try:
            for line, record in self._log.records:
                event = self.match.take(line, record)
                lines = self._grouped(line, record)
                if lines is not None:
                    yield last
                    state, asked = self.match.state, self._state_of(lines.seat)
                    last = LoggedDecision(last.number + 1, before, state, event.events, self._log, lines, asked)
                    before = state
        except LogDamagedError:
            yield last
            raise
        yield last

    def _grouped(self, line: int, record: Record) -> DecisionLines | None:
        """The lines of the decision that a record completes."""
        if record["kind"] == "question":
            self._asked[record["seat"]] = self.match.state
        if record["kind"] in ("question", "attempt", "decision", "moot", "talk"):
            return self._grouping.take(line, record["kind"], record["seat"], record.get("outcome") == "mistake")
        return None

    def _state_of(self, seat: int) -> Callable[[], State]:
        state = self._asked.get(seat, self.match.state)
        return lambda: state

    def due(self, number: int, seat: int) -> LoggedDecision:
        """The next decision, where the log ends before it."""
        state, lines = self.match.state, self._grouping.open.get(seat) or DecisionLines(seat)
        return LoggedDecision(number, state, state, (), self._log, lines, self._state_of(seat))
