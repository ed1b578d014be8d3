"""A logged match as moments one can go to in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.core import PENALTY, State
from runner.digest import Digester
from runner.record.hash_chain import Record
from runner.record.line_index import Decided, LogIndex
from runner.record.replay import Events, check_digest, detached, follow, opening

_EVERY = 32
"""Decisions from one remembered state to the next."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The match after decision `number` (0: before the first): `before` it, `state` after it, and what happened."""

    number: int
    before: State
    state: State
    events: Events
    decided: Decided | None = None

    @property
    def has_penalty(self) -> bool:
        """Whether somebody was struck out."""
        return any(event.kind == PENALTY for event in self.events)

    @property
    def has_challenge(self) -> bool:
        """Whether somebody contested something."""
        return any("challenge" in event.kind for event in self.events)

    @property
    def has_strike(self) -> bool:
        """Whether an answer did not count."""
        return self.decided is not None and self.decided.strikes > 0

    @property
    def has_points(self) -> bool:
        """Whether a score changed."""
        return self.before.scores != self.state.scores

    @property
    def begins_round(self) -> bool:
        """Whether another round began."""
        return self.before.round != self.state.round


class Moments:
    """The moments of a log. States on the way are remembered now and then, so that going back is quick."""

    def __init__(self, index: LogIndex) -> None:
        self.index = index
        self.game, state = opening(index.header)
        self._first = Moment(0, state, state, state.events)
        self._kept: dict[int, State] = {0: detached(state)}
        self.last = len(index.decisions)

    def at(self, number: int) -> Moment:
        """The moment after decision `number`, its digest proved. LogDamagedError when the log does not lead there."""
        if number == 0:
            return self._first
        *_, moment = self._from(number - 1, number)
        assert moment.decided is not None
        check_digest(moment.decided.line, moment.state, self.record(moment), Digester())
        return moment

    def find(self, start: int, step: int, wanted: Callable[[Moment], bool]) -> int | None:
        """The number of the next moment (step 1) or the one before (step -1) that is wanted; None when there is none."""
        if step > 0:
            return next((moment.number for moment in self._from(start, self.last) if wanted(moment)), None)
        end = start - 1
        while end > 0:
            begin = max(kept for kept in self._kept if kept < end)
            hits = [moment.number for moment in self._from(begin, end) if wanted(moment)]
            if hits:
                return hits[-1]
            end = begin
        return 0 if start > 0 and wanted(self._first) else None

    def record(self, moment: Moment) -> Record:
        """The record of a moment's decision."""
        assert moment.decided is not None
        return self.index.record(moment.decided.line)

    def _from(self, start: int, end: int) -> Iterator[Moment]:
        """The moments after `start`, which is remembered or reached from what is, to `end`."""
        base = max(kept for kept in self._kept if kept <= start)
        state = self._kept[base]
        for number in range(base + 1, end + 1):
            decided = self.index.decisions[number - 1]
            before = state
            after, events = follow(decided.line, before, self.index.record(decided.line))
            state = detached(after)
            if number % _EVERY == 0:
                self._kept.setdefault(number, state)
            if number > start:
                yield Moment(number, before, state, events, decided)
