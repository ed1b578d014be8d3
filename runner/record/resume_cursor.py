"""Resume cursor: which records a log has already, while the match loop replays the match up to its end."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from runner.agents.protocol import Agent
from runner.agents.resumed import RecordedAgent
from runner.errors import LogDamagedError
from runner.match.header import HeaderRecord
from runner.match.records import AttemptRecord, Record, ResumedRecord
from runner.match.tally import EarlierPlayers
from runner.record.seat_tallies import SeatTallies

Lines = Iterable[tuple[int, Record]]


@dataclass(slots=True)
class ResumeCursor:
    """The records of a log, taken off one by one as the replayed match comes to them.

    `answers` has the attempts at each question, `strikes` how many invalid answers strike out there. `spent` (USD) and
    `spent_tokens` are what the attempts took out of the budget, without those that a fork copied: they were charged to its
    parent's budget. `earlier` has the players who had each seat before.
    """

    answers: dict[int, list[AttemptRecord]] = field(default_factory=dict)
    strikes: dict[int, int | None] = field(default_factory=dict)
    spent: float = 0.0
    spent_tokens: int = 0
    earlier: Sequence[EarlierPlayers] = ()
    _questions: int = 0
    _attempts: dict[int, int] = field(default_factory=dict)
    _others: deque[tuple[int, Record]] = field(default_factory=deque)
    _decisions: int = 0

    @classmethod
    def of(cls, header: HeaderRecord, lines: Lines) -> ResumeCursor:
        """A cursor over the records after a header; the header of a fork may have an answer chosen beforehand."""
        cursor, fork, counts = cls(), header.get("fork"), SeatTallies(header)
        copied = fork["lines"] if fork else 0
        for place, (line, record) in enumerate(lines):
            counts.add(record)
            if record["kind"] == "question":
                cursor._questions = record["question"] + 1
                cursor.strikes[record["question"]] = record.get("strikes")
            elif record["kind"] == "attempt":
                cursor._add_attempt(record, is_charged=place >= copied)
            elif record["kind"] == "resumed":
                cursor._add_unlogged(record, is_charged=place >= copied)
            elif record["kind"] != "pause":
                cursor._others.append((line, record))
                cursor._decisions += record["kind"] == "decision"
        counts.end_copied()
        cursor.earlier = counts.earlier
        cursor._attempts = {number: len(attempts) for number, attempts in cursor.answers.items()}
        if fork and fork["question"] is not None:
            chosen = {"outcome": "answer", "answer": fork["action"], "chosen": True}
            cursor.answers.setdefault(fork["question"], [cast(AttemptRecord, chosen)])
        return cursor

    def _add_attempt(self, record: AttemptRecord, is_charged: bool) -> None:
        self.answers.setdefault(record["question"], []).append(record)
        if is_charged:
            self.spent += record.get("charged") or 0.0
            self.spent_tokens += charged_tokens(record)

    def _add_unlogged(self, record: ResumedRecord, is_charged: bool) -> None:
        lost = record.get("unlogged")
        if lost is not None and is_charged:
            self.spent += lost["usd"]
            self.spent_tokens += lost["tokens"]

    @property
    def is_behind(self) -> bool:
        """Whether the replayed match has yet to come to the last decision of the log."""
        return self._decisions > 0

    def takes(self, record: Record) -> bool:
        """Whether the log has this record, which is then taken off. LogDamagedError when it has another one."""
        if record["kind"] == "header":
            return True
        if record["kind"] == "question":
            return record["question"] < self._questions
        if record["kind"] == "attempt":
            return self._takes_attempt(record["question"])
        return bool(self._others) and record["kind"] != "pause" and self._takes_other(record)

    def _takes_other(self, record: Record) -> bool:
        line, logged = self._others.popleft()
        if not _is_same(logged, record):
            raise LogDamagedError(line, f"when resumed, the match says {record} here, and the log {logged}.")
        self._decisions -= record["kind"] == "decision"
        return True

    def _takes_attempt(self, question: int) -> bool:
        left = self._attempts.get(question, 0)
        self._attempts[question] = left - 1
        return left > 0

    def replaying(self, agents: Sequence[Agent]) -> list[Agent]:
        """The agents, each of which gives the logged answers first."""
        answers = {number: [dict(attempt) for attempt in attempts] for number, attempts in self.answers.items()}
        return [RecordedAgent(agent, answers) for agent in agents]


def _is_same(logged: Record, record: Record) -> bool:
    """Whether a record of the replayed match is the logged one, but for its time and the name of a phase named before."""
    known = {name: value for name, value in logged.items() if name != "at"}
    found = {name: value for name, value in record.items() if name != "at" and (name != "name" or name in logged)}
    return known == found or known == json.loads(json.dumps(found))


def charged_tokens(attempt: AttemptRecord) -> int:
    """The tokens a logged attempt took out of the budget; those of its reply where it does not say."""
    usage = (attempt.get("reply") or {}).get("usage") or {}
    used = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    return int(attempt.get("charged_tokens", used))
