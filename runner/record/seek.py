"""Seeking in a log: any decision by number, or the next one of some kind, without reading the whole log."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

from games.core import State
from runner.digest import Digester
from runner.match.records import DecisionRecord
from runner.record.decision_lines import DecisionLines
from runner.record.decisions import LoggedDecision
from runner.record.line_index import LogIndex
from runner.record.replay import check_digest, detached, opening, replay_decision

_EVERY = 32
"""Decisions from one kept state to the next."""


class SeekableDecisions:
    """The decisions of a log by number. Some of the states on the way are kept, so that going back is quick."""

    def __init__(self, index: LogIndex) -> None:
        self.index = index
        self.game, state = opening(index.header)
        self._deal = LoggedDecision(0, state, state, state.events, index)
        self._kept: dict[int, State] = {0: detached(state)}
        self.last = len(index.decisions)

    def at(self, number: int) -> LoggedDecision:
        """Decision `number`, its digest checked; 0 is the deal. LogDamagedError when the log does not lead there."""
        if number == 0:
            return self._deal
        *_, decision = self._between(number - 1, number)
        assert decision.record is not None
        check_digest(self.index.decisions[number - 1].line, decision.state, decision.record, Digester())
        return decision

    def up_to(self, number: int, most: int) -> list[LoggedDecision]:
        """The last `most` decisions up to `number`, oldest first; the deal before decision 1."""
        start = max(0, number - most)
        return [*([self._deal] if start == 0 else []), *self._between(start, number)]

    def each(self) -> Iterator[LoggedDecision]:
        """The deal and every decision."""
        yield self._deal
        yield from self._between(0, self.last)

    def find(self, start: int, step: int, wanted: Callable[[LoggedDecision], bool]) -> int | None:
        """The number of the next wanted decision (step 1) or the previous one (step -1); None when there is none."""
        if step > 0:
            return next((decision.number for decision in self._between(start, self.last) if wanted(decision)), None)
        end = start - 1
        while end > 0:
            begin = max(kept for kept in self._kept if kept < end)
            hits = [decision.number for decision in self._between(begin, end) if wanted(decision)]
            if hits:
                return hits[-1]
            end = begin
        return 0 if start > 0 and wanted(self._deal) else None

    def _between(self, start: int, end: int) -> Iterator[LoggedDecision]:
        """The decisions after `start` up to `end`, replayed from the nearest kept state."""
        base = max(kept for kept in self._kept if kept <= start)
        state = self._kept[base]
        for number in range(base + 1, end + 1):
            lines, before = self.index.decisions[number - 1], state
            record = cast(DecisionRecord, self.index.record(lines.line))
            after, events = replay_decision(lines.line, before, record)
            state = detached(after)
            if number % _EVERY == 0:
                self._kept.setdefault(number, state)
            if number > start:
                yield LoggedDecision(number, before, state, events, self.index, lines, partial(self._asked, lines))

    def _asked(self, lines: DecisionLines) -> State:
        """The state in which the seat of a decision was asked."""
        number = bisect_left(self.index.decisions, lines.question or lines.line, key=lambda one: one.line)
        if number == 0:
            return self._deal.state
        *_, decision = self._between(number - 1, number)
        return decision.state
