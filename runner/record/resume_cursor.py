"""What a log says already, for a match that goes on from it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from runner.errors import LogDamagedError
from runner.record.hash_chain import Record

Lines = Iterable[tuple[int, Record]]


@dataclass(slots=True)
class Known:
    """The records of a log, taken off one by one as the match loop, played again with the logged answers, comes to them.

    `answers` has the attempts of each question, for whoever gives them again; `spent` and `spent_tokens` are what they took
    out of the budget, in USD and in tokens, without what a fork copied: that was its parent's budget.
    """

    has_header: bool = False
    questions: int = 0
    answers: dict[int, list[Record]] = field(default_factory=dict)
    spent: float = 0.0
    spent_tokens: int = 0
    _attempts: dict[int, int] = field(default_factory=dict)
    _told: deque[tuple[int, Record]] = field(default_factory=deque)

    @classmethod
    def of(cls, header: Record, lines: Lines) -> Known:
        """What a header and the records after it say; a fork's header may have an answer chosen beforehand."""
        known = cls(has_header=True)
        fork = header.get("fork") or {}
        for place, (line, record) in enumerate(lines):
            kind = record["kind"]
            if kind == "question":
                known.questions = record["question"] + 1
            elif kind == "attempt":
                known.answers.setdefault(record["question"], []).append(record)
                if place >= fork.get("lines", 0):
                    known.spent += record.get("charged") or 0.0
                    known.spent_tokens += charged_tokens(record)
            elif kind not in ("pause", "resumed"):
                known._told.append((line, record))
        known._attempts = {number: len(attempts) for number, attempts in known.answers.items()}
        if fork.get("question") is not None:
            known.answers.setdefault(fork["question"], [{"outcome": "answer", "answer": fork["action"], "chosen": True}])
        return known

    @property
    def is_behind(self) -> bool:
        """Whether the match loop has yet to come to where the log ends."""
        return bool(self._told)

    def takes(self, record: Record) -> bool:
        """Whether the log has this record already, which then is taken off. LogDamagedError when it has another one."""
        kind = record["kind"]
        if kind == "question":
            return bool(record["question"] < self.questions)
        if kind == "attempt":
            return self._takes_attempt(record["question"])
        if not self._told or kind in ("pause", "resumed"):
            return False
        line, logged = self._told.popleft()
        if logged != record and logged != json.loads(json.dumps(record)):
            raise LogDamagedError(line, f"taken up again, the match says {record} here, and the log {logged}.")
        return True

    def _takes_attempt(self, question: int) -> bool:
        left = self._attempts.get(question, 0)
        self._attempts[question] = left - 1
        return left > 0


def charged_tokens(attempt: Record) -> int:
    """The tokens a logged attempt took out of the budget; those of its reply where it does not say."""
    usage = (attempt.get("reply") or {}).get("usage") or {}
    told = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    return int(attempt.get("charged_tokens", told))
