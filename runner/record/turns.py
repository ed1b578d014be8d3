"""A logged match decision by decision, each with what was asked and answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from games.core import State
from runner.record.hash_chain import Record
from runner.record.reader import Log
from runner.record.replay import Events, steps


@dataclass(frozen=True, slots=True)
class Turn:
    """Decision `number` (0: the opening, which has no record): its question and attempts, what happened, and the states."""

    number: int
    before: State
    state: State
    events: Events
    line: int = 1
    record: Record | None = None
    question: Record | None = None
    attempts: list[Record] = field(default_factory=list)

    @property
    def seat(self) -> int | None:
        """The seat that decided."""
        return None if self.record is None else int(self.record["seat"])


def turns(log: Log) -> Iterator[Turn]:
    """The turns of a log, every record checked on the way. LogDamagedError at the first that does not fit."""
    asked: dict[int, tuple[Record, list[Record]]] = {}
    number, before = 0, None
    for step in steps(log):
        record, kind = step.record, step.record["kind"]
        if before is None:
            yield Turn(0, step.state, step.state, step.events)
        elif kind == "question":
            asked[record["seat"]] = (record, [])
        elif kind == "attempt":
            asked[record["seat"]][1].append(record)
        elif kind == "moot":
            asked.pop(record["seat"], None)
        elif kind == "decision":
            number += 1
            question, attempts = asked.pop(record["seat"], (None, []))
            yield Turn(number, before, step.state, step.events, step.line, record, question, attempts)
        before = step.state
    if log.damage is not None:
        raise log.damage
