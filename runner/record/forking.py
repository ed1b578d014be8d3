"""Forking: the records of a match up to a decision, for another match that begins with them."""

from __future__ import annotations

from typing import cast

from games.core import IllegalAction
from runner.errors import UsageError
from runner.match.header import ForkRecord
from runner.match.records import Record
from runner.record.decisions import LoggedDecision
from runner.record.reader import Log

Lines = list[tuple[int, Record]]


def kept_lines(log: Log, decision: LoggedDecision) -> Lines:
    """The records before a decision: the earlier decisions, and the questions and attempts that led to them."""
    end = decision.lines.line if decision.lines else 0
    before = [(line, record) for line, record in log.records if not end or line < end]
    waiting: dict[int, int] = {}
    for _, record in before:
        if record["kind"] == "question":
            waiting[record["seat"]] = record["question"]
        elif record["kind"] in ("decision", "moot"):
            waiting.pop(record["seat"], None)
    undecided = set(waiting.values())
    return [(line, record) for line, record in before if _is_kept(record, undecided)]


def _is_kept(record: Record, undecided: set[int]) -> bool:
    if record["kind"] in ("question", "attempt"):
        return record["question"] not in undecided
    return record["kind"] not in ("pause", "resumed")


def question_number(log: Log, decision: LoggedDecision, kept: Lines) -> int | None:
    """The number that the question of a decision has or will have; None where its seat has no choice."""
    if decision.question is not None:
        return decision.question["question"]
    assert decision.seat is not None
    if not log.header["ask_forced"] and len(decision.before.actions_of(decision.seat)) == 1:
        return None
    return sum(record["kind"] == "question" for _, record in kept)


def fork_record(log: Log, decision: LoggedDecision, kept: Lines, action: object = None) -> ForkRecord:
    """What the header of a fork says about its parent, and the answer that was chosen for the decision."""
    question = None if action is None else question_number(log, decision, kept)
    parent = {"match": log.header["match"]} if "match" in log.header else {}
    return cast(ForkRecord, parent) | {
        "parent": log.first,
        "file": log.path.name,
        "at": decision.number,
        "lines": len(kept),
        "seats": log.latest_header["seats"],
        "spent": sum((record.get("charged") or 0.0 for _, record in kept if record["kind"] == "attempt"), 0.0),
        "question": question,
        "action": None if question is None else action,
    }


def check_action(decision: LoggedDecision, data: object) -> None:
    """UsageError when answer data is not legal for a decision."""
    assert decision.seat is not None
    try:
        decision.before.read(decision.seat, data)
    except IllegalAction as refusal:
        raise UsageError(f"--action: {refusal}") from refusal
