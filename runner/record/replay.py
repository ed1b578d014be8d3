"""Replay: the events of a logged match again, from the rules, the seed and the logged decisions."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

import games
from games.core import Action, Event, Game, IllegalAction, OptionError, State
from runner.agents.seat import Seat
from runner.digest import Digester, digest_of_state
from runner.errors import LogDamagedError
from runner.match.config import MatchConfig
from runner.match.counts import MeasureCounts
from runner.match.events import MatchEvent
from runner.match.header import HeaderRecord, SeatRecord
from runner.match.records import DecisionRecord, Record
from runner.match.tally import Tally
from runner.record.audit import Audit, fail
from runner.record.reader import Log
from runner.record.seat_tallies import SeatTallies

Events = tuple[Event, ...]


def opening(header: HeaderRecord) -> tuple[Game, State]:
    """The game and the state a log begins with. LogDamagedError when this version does not have them."""
    try:
        game = games.load(header["game"])
        if header["rules_version"] != game.rules_version:
            found, have = header["rules_version"], game.rules_version
            raise LogDamagedError(1, f"the match was played by rules version {found} of {game.title}; this is version {have}.")
        state = game.begin(header["players"], header["seed"], header["rules"], **header["options"])
        if digest_of_state(state) != header["digest"]:
            raise LogDamagedError(1, "the rules deal another match from this seed than the one that was played.")
    except OptionError as error:
        raise LogDamagedError(1, f"the match cannot be set up again: {error}") from error
    except (KeyError, TypeError) as error:
        raise _incomplete(1, header, error) from error
    return game, state


def replay_decision(line: int, state: State, record: DecisionRecord, action: Action | None = None) -> tuple[State, Events]:
    """The state that the decision on a line leads to, and its events. LogDamagedError when the rules refuse it.

    `action` is the record's action, if it was read already.
    """
    try:
        seat, how = record["seat"], record["how"]
        if seat not in state.pending:
            fail(line, f"seat {seat} decides and owes no decision")
        if how == "strike_out":
            return state.strike_out_with_events(seat)
        return (action or state.read(seat, record["action"])).next_with_events()
    except IllegalAction as refusal:
        raise LogDamagedError(line, f"the rules refuse the decision of seat {seat}: {refusal}.") from refusal
    except (KeyError, TypeError) as error:
        raise _incomplete(line, record, error) from error


def _incomplete(line: int, record: Record, error: Exception) -> LogDamagedError:
    return LogDamagedError(line, f"the record of kind {record['kind']} is not complete ({error!r}).")


def check_digest(line: int, state: State, record: DecisionRecord, digester: Digester) -> None:
    """LogDamagedError when a decision's digest is not that of the state it led to."""
    logged = record.get("digest")
    if not digester.is_digest(logged, state):
        fail(line, "the rules lead to another state than the one in the log")


def detached(state: State) -> State:
    """The same state without the way it came about, which would keep every state before it in memory."""
    return copy(state)


class ReplayedMatch:
    """A match read from its log, a record at a time, every record checked. It emits what the match loop emitted.

    Long values of questions and attempts stay references, as they stand in the log.
    """

    def __init__(self, log: Log) -> None:
        """Open the match. LogDamagedError when this version cannot."""
        game, self.state = opening(log.header)
        self._header = log.header
        self._counts = SeatTallies(log.header)
        self._measures = MeasureCounts(game, log.header["players"])
        self._measures.add(self.state, self.state.events)
        self._audit, self._digester = Audit(log, self._counts, self._measures), Digester()
        self._audit.expect(self.state.events)
        try:
            seats = _seats(log.header["seats"])
            self.config = MatchConfig(game, self.state.setup, seats, {}, log.header["ask"], log.header["ask_forced"])
            self.config = replace(self.config, talk=log.header.get("talk", False))
        except (KeyError, TypeError) as error:
            raise _incomplete(1, log.header, error) from error

    @property
    def tallies(self) -> list[Tally]:
        """The counts of each seat's present player."""
        return self._counts.tallies

    @property
    def progress(self) -> list[float | None]:
        """Unknown for every seat: a log has answers, not the work on them."""
        return [None for _ in self.tallies]

    def deal(self) -> MatchEvent:
        """The event of the header. Comes before any `take`."""
        return MatchEvent(self._header, self, self.state.events)

    def take(self, line: int, record: Record) -> MatchEvent:
        """The event of the next record. LogDamagedError when it does not fit."""
        events: Events = ()
        try:
            if record["kind"] == "decision":
                self.state = detached(self.state)
            self._audit.check(line, record, self.state)
            self._counts.add(record)
            if record["kind"] == "decision":
                events = self._decide(line, record)
            elif record["kind"] == "resumed" and "seats" in record:
                self.config = replace(self.config, seats=_seats(record["seats"]))
        except (KeyError, TypeError, IndexError) as error:
            raise _incomplete(line, record, error) from error
        return MatchEvent(record, self, events)

    def _decide(self, line: int, record: DecisionRecord) -> Events:
        self.state, events = replay_decision(line, self.state, record, self._audit.action)
        check_digest(line, self.state, record, self._digester)
        self._measures.add(self.state, events)
        self._audit.expect(events)
        return events


def _seats(seats: list[SeatRecord]) -> tuple[Seat, ...]:
    return tuple(map(Seat.of, seats))


def replay(log: Log) -> Iterator[tuple[int, MatchEvent]]:
    """The events of a logged match with their line numbers. LogDamagedError at the first record that does not fit."""
    match = ReplayedMatch(log)
    yield 1, match.deal()
    for line, record in log.records:
        yield line, match.take(line, record)
