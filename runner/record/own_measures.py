"""Own measures: the measures of a log's last players alone, without what a fork copied or earlier players of the seats did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from runner.errors import LogDamagedError
from runner.match.counts import MeasureCounts
from runner.match.header import HeaderRecord, SeatRecord
from runner.record.reader import Log
from runner.record.replay import opening, replay_decision

Measures = dict[str, list[int]]
"""Hits and chances by the name of the measure."""

_NONE = (0, 0)


def own_measures(log: Log) -> list[Measures]:
    """The measures of each seat; of a match without forks or changed players those of its result.

    A match that has not ended has none. Those of other matches follow from the rules, so that they are empty where this version
    has other rules than the log.
    """
    if log.result is None:
        return [{} for _ in log.header["seats"]]
    if has_own(log):
        with suppress(LogDamagedError):
            return _replayed(log)
        return [{} for _ in log.header["seats"]]
    return [dict(seat.get("measures", {})) for seat in log.result["seats"]]


def has_own(log: Log) -> bool:
    """Whether the result's measures are not those of the last players alone."""
    return "fork" in log.header or any("seats" in record for _, record in log.of_kind("resumed"))


def _replayed(log: Log) -> list[Measures]:
    game, state = opening(log.header)
    found = _OwnCounts(MeasureCounts(game, log.header["players"]), log.header)
    found.counts.add(state, state.events)
    for place, (line, record) in enumerate(log.records):
        found.begin(place)
        if record["kind"] == "resumed" and "seats" in record:
            found.sit(record["seats"])
        elif record["kind"] == "decision":
            state, events = replay_decision(line, state, record)
            found.counts.add(state, events)
    return found.to_json()


class _OwnCounts:
    """The counts of a match so far, and what they were when each seat's present player sat down."""

    def __init__(self, counts: MeasureCounts, header: HeaderRecord) -> None:
        self.counts = counts
        self._copied = header["fork"]["lines"] if "fork" in header else 0
        self._seats: Sequence[SeatRecord] = header["seats"]
        self._before: list[Measures] = [{} for _ in header["seats"]]

    def begin(self, place: int) -> None:
        """Count from here on, if this is the first record that a fork did not copy."""
        if place == self._copied > 0:
            self._leave(range(len(self._seats)))

    def sit(self, seats: Sequence[SeatRecord]) -> None:
        """Change the players."""
        pairs = enumerate(zip(self._seats, seats, strict=True))
        self._leave(number for number, (before, after) in pairs if before["spec"] != after["spec"])
        self._seats = seats

    def _leave(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._before[number] = {name: list(counts) for name, counts in self.counts.to_json(number).items()}

    def to_json(self) -> list[Measures]:
        return [self._own(number) for number in range(len(self._seats))]

    def _own(self, number: int) -> Measures:
        before, now = self._before[number], self.counts.to_json(number)
        return {name: [a - b for a, b in zip(counts, before.get(name, _NONE), strict=True)] for name, counts in now.items()}
