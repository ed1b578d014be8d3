"""Playing a match again from its log: the rules once more, from seed and decisions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import games
from games.core import PENALTY, PHASE, Event, Game, IllegalAction, OptionError, State
from runner.errors import LogDamagedError
from runner.record.chain import Record
from runner.record.digest import digest_of_state
from runner.record.reader import Log


@dataclass(frozen=True, slots=True)
class Step:
    """A record, where it stands, the state after it, and the events when it changed the state."""

    line: int
    record: Record
    state: State
    events: tuple[Event, ...] = ()


def opening(log: Log) -> tuple[Game, State]:
    """The game and the state a log begins with. LogDamagedError when this version does not have them."""
    header = log.header
    try:
        game = games.load(header["game"])
        state = game.begin(header["players"], header["seed"], header["rules"], **header["options"])
    except OptionError as error:
        raise LogDamagedError(1, f"the match cannot be set up again: {error}") from error
    except (KeyError, TypeError) as error:
        raise LogDamagedError(1, f"the header is not complete ({error}).") from error
    if header["rules_version"] != game.rules_version:
        found, have = header["rules_version"], game.rules_version
        raise LogDamagedError(1, f"the match was played by rules version {found} of {game.title}; this is version {have}.")
    if digest_of_state(state) != header["digest"]:
        raise LogDamagedError(1, "the rules deal another match from this seed than the one that was played.")
    return game, state


def steps(log: Log) -> Iterator[Step]:
    """The match again, record by record, every one of them checked. LogDamagedError at the first that does not fit."""
    _, state = opening(log)
    replay = _Replay(log, state)
    yield Step(1, log.header, state, state.events)
    for line, record in log.records:
        yield replay.step(line, record)


class _Replay:
    """The state of a match being played again, and what the log still has to say of its last transition."""

    def __init__(self, log: Log, state: State) -> None:
        self._log = log
        self._state = state
        self._questions = 0
        self._due: deque[Record] = deque()
        self._line = 1
        self._announce(state.events)

    def step(self, line: int, record: Record) -> Step:
        """The step of a record. LogDamagedError when it does not follow from what went before."""
        self._line = line
        kind = record["kind"]
        if kind in ("phase", "penalty"):
            self._check_announced(record)
            return Step(line, record, self._state)
        if self._due and kind != "pause":
            self._fail(f"here the log has to say {self._due[0]}, it has a record of kind {kind}")
        try:
            events = self._follow(kind, record)
        except (KeyError, TypeError, IndexError) as error:
            raise LogDamagedError(line, f"the record of kind {kind} is not complete ({error!r}).") from error
        return Step(line, record, self._state, events)

    def _follow(self, kind: str, record: Record) -> tuple[Event, ...]:
        if kind == "question":
            self._check_question(record)
        elif kind == "decision":
            return self._decide(record)
        elif kind == "result":
            self._check_result(record)
        elif kind not in ("attempt", "moot", "pause"):
            self._fail(f"a record of kind {kind} is not known")
        return ()

    def _check_question(self, record: Record) -> None:
        state, seat = self._state, record["seat"]
        if record["question"] != self._questions:
            self._fail(f"question {self._questions} is due, the log has question {record['question']}")
        self._questions += 1
        if seat not in state.pending:
            self._fail(f"seat {seat} is asked and owes no decision")
        if self._log.expand(record["view"]) != state.view(seat):
            self._fail(f"the rules show seat {seat} another view than the one in the log")

    def _decide(self, record: Record) -> tuple[Event, ...]:
        state, seat, how = self._state, record["seat"], record["how"]
        if seat not in state.pending:
            self._fail(f"seat {seat} decides and owes no decision")
        if how == "strike_out":
            self._state = state.strike_out(seat)
        else:
            try:
                self._state = state.read(seat, record["action"]).next_state
            except IllegalAction as refusal:
                self._fail(f"the rules refuse the decision of seat {seat}: {refusal}")
        if (found := digest_of_state(self._state)) != record["digest"]:
            self._fail(f"the rules lead to another state ({found}) than the one in the log ({record['digest']})")
        events = self._state.events
        self._announce(events)
        return events

    def _announce(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if event.kind in (PHASE, PENALTY):
                self._due.append({"kind": event.kind, **event.data})

    def _check_announced(self, record: Record) -> None:
        due = self._due.popleft() if self._due else None
        if due is None or any(record.get(name) != value for name, value in due.items()):
            self._fail(f"the rules say {due or 'nothing'} here, the log says {record}")

    def _check_result(self, record: Record) -> None:
        state = self._state
        if not state.has_ended:
            self._fail("the log has a result, but the match has not ended")
        for name in ("scores", "winners", "ending"):
            if (found := list(getattr(state, name))) != record[name]:
                self._fail(f"the {name} are {found} by the rules, and {record[name]} in the log")

    def _fail(self, why: str) -> None:
        raise LogDamagedError(self._line, f"{why}.")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verifying found: counts, and whether the match had ended."""

    lines: int
    decisions: int
    attempts: int
    has_ended: bool
    result: dict[str, Any] | None


def verify(log: Log) -> Verdict:
    """Play the whole match again and check everything. LogDamagedError where it does not hold."""
    decisions = attempts = 0
    last = 1
    for step in steps(log):
        last = step.line
        decisions += step.record["kind"] == "decision"
        attempts += step.record["kind"] == "attempt"
    return Verdict(last, decisions, attempts, log.result is not None, log.result)
