"""Logged decisions: one decision read back from a log, with its question, its attempts and what it did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from games.core import PENALTY, Event, State
from runner.errors import LogDamagedError, UsageError
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, TalkRecord
from runner.record.decision_lines import DecisionGrouping, DecisionLines
from runner.record.dedup import expand_messages
from runner.record.reader import Log, RecordSource
from runner.record.replay import ReplayedMatch


@dataclass(frozen=True)
class LoggedDecision:
    """Decision `number` of a log, counted from 1: the state `before` it, the state after it, and its game events.

    Number 0 is the deal, which has no lines. Records are read from the log when they are used.
    """

    number: int
    before: State
    state: State
    events: tuple[Event, ...]
    log: RecordSource
    lines: DecisionLines | None = None

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
        """The record of the question; None where the seat was not asked."""
        line = self.lines.question if self.lines else None
        return None if line is None else cast(QuestionRecord, self.log.record(line))

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
    yield from _replayed(log, ReplayedMatch(log), DecisionGrouping())
    if log.damage is not None:
        raise log.damage


def decision_at(log: Log, number: int) -> LoggedDecision:
    """Decision `number` of a log, counted from 1, or the next one that is due. UsageError when there is no such decision,
    LogDamagedError when it would stand after the damage."""
    match, grouping, last = ReplayedMatch(log), DecisionGrouping(), 0
    for decision in _replayed(log, match, grouping):
        last = decision.number
        if last == number > 0:
            return decision
    if log.damage is not None and not log.is_torn:
        raise log.damage
    state = match.state
    if number == last + 1 and state.actor is not None:
        return LoggedDecision(number, state, state, (), log, grouping.open.get(state.actor) or DecisionLines(state.actor))
    raise no_decision(number, last + (not state.has_ended))


def no_decision(number: int, last: int) -> UsageError:
    """The error for a decision that a match does not have; `last` is its last one."""
    has = f"the match has the decisions 1 to {last}" if last else "the match has no decision yet"
    return UsageError(f"--at {number}: {has}.")


def _replayed(log: Log, match: ReplayedMatch, grouping: DecisionGrouping) -> Iterator[LoggedDecision]:
    """The decisions, each when the next one is made or the log ends: its talk is logged after it."""
    number, before = 0, match.state
    last = LoggedDecision(0, before, before, match.deal().events, log)
    try:
        for line, record in log.records:
            event = match.take(line, record)
            if record["kind"] in ("question", "attempt", "decision", "moot", "talk"):
                lines = grouping.take(line, record["kind"], record["seat"], record.get("outcome") == "mistake")
                if lines is not None:
                    yield last
                    number += 1
                    last = LoggedDecision(number, before, match.state, event.events, log, lines)
                    before = match.state
    except LogDamagedError:
        yield last
        raise
    yield last
