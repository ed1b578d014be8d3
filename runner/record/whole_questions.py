"""Whole questions: the questions of a log with what it leaves out where a built-in bot was asked."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import State
from runner.errors import in_log
from runner.match.records import QuestionRecord
from runner.record.bot_questions import whole_question
from runner.record.reader import Log
from runner.record.replay import detached, opening, replay_decision
from runner.record.view_digest import has_view_digest


def whole_questions(log: Log) -> Iterator[QuestionRecord]:
    """The questions of a log in order. The match is replayed only where one leaves something to the rules.

    LogDamagedError when the rules do not lead to such a question. Long values stay references.
    """
    has_digests = any(has_view_digest(record["view"]) for _, record in log.of_kind("question"))
    return _from_rules(log) if has_digests else (record for _, record in log.of_kind("question"))


def _from_rules(log: Log) -> Iterator[QuestionRecord]:
    with in_log(log.path):
        state: State = opening(log.header)[1]
        for line, record in log.records:
            if record["kind"] == "decision":
                state = detached(replay_decision(line, state, record)[0])
            elif record["kind"] == "question":
                yield whole_question(line, record, state)
