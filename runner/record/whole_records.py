"""Whole records: questions and attempts with what the log leaves out where a built-in bot was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.core import State
from runner.errors import in_log
from runner.match.records import AttemptRecord, QuestionRecord
from runner.record.bot_questions import whole_question
from runner.record.dedup import is_reference
from runner.record.reader import Log
from runner.record.replay import detached, opening, replay_decision


def whole_questions(log: Log) -> Iterator[QuestionRecord]:
    """The questions of a log in order. The match is replayed only where one leaves something to the rules.

    LogDamagedError when the rules do not lead to such a question. Long values stay references.
    """
    has_references = any(is_reference(record["view"]) for _, record in log.of_kind("question"))
    return _from_rules(log) if has_references else (record for _, record in log.of_kind("question"))


def _from_rules(log: Log) -> Iterator[QuestionRecord]:
    with in_log(log.path):
        state: State = opening(log.header)[1]
        for line, record in log.records:
            if record["kind"] == "decision":
                state = detached(replay_decision(line, state, record)[0])
            elif record["kind"] == "question":
                yield whole_question(line, record, state)


def whole_attempts(log: Log) -> Sequence[tuple[int, AttemptRecord]]:
    """The attempts of a log with their line numbers. A built-in bot's has the time of the decision that follows it."""
    found: list[tuple[int, AttemptRecord]] = []
    time: dict[str, str] = {}
    for line, record in reversed(log.records):
        if record["kind"] == "decision":
            time = {"at": record["at"]} if "at" in record else {}
        elif record["kind"] == "attempt":
            found.append((line, cast(AttemptRecord, {"strike": 0, **record, **time}) if _is_bots(record) else record))
    return found[::-1]


def _is_bots(record: AttemptRecord) -> bool:
    return record["outcome"] == "answer" and "strike" not in record
