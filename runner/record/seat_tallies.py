"""Seat tallies of a log: the counts of each seat's present player, apart from those of the players before it."""

from __future__ import annotations

from collections.abc import Sequence

from runner.match.header import HeaderRecord, SeatRecord
from runner.match.records import Record
from runner.match.tally import EarlierPlayers, Tally


class SeatTallies:
    """Counts of a match, a record at a time. A player leaves its seat where a fork or a resumption names another SPEC.

    `tallies` has the attempts of the present players alone, `whole` those of all; both have every decision of the seat.
    """

    def __init__(self, header: HeaderRecord) -> None:
        players, fork = header["players"], header.get("fork")
        self._copied = fork["lines"] if fork else -1
        self._seats: Sequence[SeatRecord] = fork["seats"] if fork else header["seats"]
        self._own = header["seats"]
        self._attempts = [0] * players
        self.tallies = [Tally() for _ in range(players)]
        self.whole = [Tally() for _ in range(players)]
        self.earlier = [EarlierPlayers() for _ in range(players)]

    def add(self, record: Record) -> None:
        """Count a record, of any kind but shared values."""
        self.end_copied()
        self._copied -= self._copied > 0
        if record["kind"] == "attempt":
            self._attempts[record["seat"]] += 1
            for tallies in (self.tallies, self.whole):
                tallies[record["seat"]].add_attempt(record)
        elif record["kind"] == "decision":
            for tallies in (self.tallies, self.whole):
                tallies[record["seat"]].add_decision(record)
        elif record["kind"] == "resumed" and "seats" in record:
            self._change(record["seats"])

    def end_copied(self) -> None:
        """Seat the fork's own players, if all that it copied is counted."""
        if self._copied == 0:
            self._copied = -1
            self._change(self._own)

    def _change(self, seats: Sequence[SeatRecord]) -> None:
        for number, (before, after) in enumerate(zip(self._seats, seats, strict=True)):
            if before["spec"] != after["spec"]:
                self._leave(number, before)
        self._seats = seats

    def _leave(self, number: int, seat: SeatRecord) -> None:
        tally, attempts = self.tallies[number], self._attempts[number]
        if attempts:
            self.earlier[number] = self.earlier[number].joined_by(seat["spec"], seat["name"], attempts, tally)
        self._attempts[number] = 0
        self.tallies[number] = Tally(decisions=tally.decisions, forced=tally.forced, penalties=tally.penalties)
