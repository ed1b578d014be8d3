"""Playing a match again from its log: the rules once more, from seed and decisions."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

import games
from games.core import Event, Game, IllegalAction, OptionError, State
from runner.digest import Digester, digest_of_state
from runner.errors import LogDamagedError
from runner.record.audit import Checks, fail
from runner.record.hash_chain import Record
from runner.record.reader import Log

Events = tuple[Event, ...]


class Step(NamedTuple):
    """A record, where it stands, the state after it, and the events when it changed the state."""

    line: int
    record: Record
    state: State
    events: Events = ()


def opening(header: Record) -> tuple[Game, State]:
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
        raise LogDamagedError(1, f"the header is not complete ({error!r}).") from error
    return game, state


def follow(line: int, state: State, record: Record) -> tuple[State, Events]:
    """The state that the decision on a line leads to, and what happened. LogDamagedError when the rules refuse it."""
    try:
        seat, how = record["seat"], record["how"]
        if seat not in state.pending:
            fail(line, f"seat {seat} decides and owes no decision")
        if how == "strike_out":
            return state.strike_out_with_events(seat)
        return state.read(seat, record["action"]).next_with_events()
    except IllegalAction as refusal:
        raise LogDamagedError(line, f"the rules refuse the decision of seat {seat}: {refusal}.") from refusal
    except (KeyError, TypeError) as error:
        raise incomplete(line, record, error) from error


def incomplete(line: int, record: Record, error: Exception) -> LogDamagedError:
    """What to say of a record that lacks something."""
    return LogDamagedError(line, f"the record of kind {record['kind']} is not complete ({error!r}).")


def check_digest(line: int, state: State, record: Record, digester: Digester) -> None:
    """LogDamagedError when a decision's digest is not that of the state it led to."""
    logged = record.get("digest")
    if not digester.is_digest(logged, state):
        fail(line, f"the rules lead to another state ({digest_of_state(state)}) than the one in the log ({logged})")


def detached(state: State) -> State:
    """The same state without the way it came about, which would keep every state before it in memory."""
    return copy(state)


class Replay:
    """A match played again from a log, a record at a time, every one of them checked."""

    def __init__(self, log: Log) -> None:
        """Open the match. LogDamagedError when this version cannot."""
        self.game, self.state = opening(log.header)
        self._checks, self._digester = Checks(log), Digester()
        self._checks.announce(self.state.events)
        self.first = Step(1, log.header, self.state, self.state.events)

    def take(self, line: int, record: Record) -> Step:
        """The step that a record makes. LogDamagedError when it does not fit."""
        events: Events = ()
        try:
            self._checks.before(line, record, self.state)
            if record["kind"] == "decision":
                self.state, events = follow(line, detached(self.state), record)
                check_digest(line, self.state, record, self._digester)
                self._checks.announce(events)
        except (KeyError, TypeError, IndexError) as error:
            raise incomplete(line, record, error) from error
        return Step(line, record, self.state, events)


def steps(log: Log) -> Iterator[Step]:
    """The match again, record by record. LogDamagedError at the first that does not fit."""
    replay = Replay(log)
    yield replay.first
    for line, record in log.records:
        yield replay.take(line, record)
