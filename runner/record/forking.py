"""Branching off: the records of a match up to a decision, for another match that begins with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.core import IllegalAction, State
from runner.errors import UsageError
from runner.record.hash_chain import Record
from runner.record.reader import Log
from runner.record.replay import steps
from runner.record.resume_cursor import Known

Lines = list[tuple[int, Record]]


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a match branches off: before decision `at`, which is `seat`'s, in `state`, with these records kept.

    `question` is the number that the question of this decision will have; None where it is asked nothing.
    """

    at: int
    seat: int
    state: State
    kept: Lines
    question: int | None
    spent: float

    def facts(self, log: Log, action: Any = None) -> dict[str, Any]:
        """What the header of the new log says about the old one, and the answer that was chosen for the decision."""
        is_chosen = action is not None and self.question is not None
        return {
            "parent": log.first,
            "file": log.path.name,
            "at": self.at,
            "lines": len(self.kept),
            "seats": log.latest_header["seats"],
            "spent": self.spent,
            "question": self.question if is_chosen else None,
            "action": action if is_chosen else None,
        }


def branch(log: Log, at: int) -> Branch:
    """Where decision `at` of a log, counted from 1, is about to be made. UsageError when there is no such decision."""
    before: Lines = []
    state, done = None, 0
    for step in steps(log):
        if step.record["kind"] == "decision":
            done += 1
            if done == at and state is not None:
                return _cut(log, at, step.record["seat"], state, before)
        state = step.state
        before.append((step.line, step.record))
    if state is not None and done + 1 == at and state.actor is not None:
        return _cut(log, at, state.actor, state, before)
    last = done + (state is not None and not state.has_ended)
    raise UsageError(f"--at {at}: the match has the decisions 1 to {last}.")


def _cut(log: Log, at: int, seat: int, state: State, before: Lines) -> Branch:
    """Keep what was decided, and the questions and attempts that led to it."""
    waiting: dict[int, int] = {}
    for _, record in before[1:]:
        if record["kind"] == "question":
            waiting[record["seat"]] = record["question"]
        elif record["kind"] in ("decision", "moot"):
            waiting.pop(record["seat"], None)
    left = set(waiting.values())
    kept = [(line, record) for line, record in before[1:] if _is_kept(record, left)]
    is_asked = log.header["ask_forced"] or len(state.actions_of(seat)) > 1
    due = waiting.get(seat, sum(record["kind"] == "question" for _, record in kept))
    return Branch(at, seat, state, kept, due if is_asked else None, Known.of({}, kept).spent)


def _is_kept(record: Record, left: set[int]) -> bool:
    if record["kind"] in ("pause", "resumed"):
        return False
    return record["kind"] not in ("question", "attempt") or record["question"] not in left


def check_action(branch: Branch, data: Any) -> None:
    """UsageError when answer data is not legal for the first decision of a branch."""
    try:
        branch.state.read(branch.seat, data)
    except IllegalAction as refusal:
        raise UsageError(f"--action: {refusal}") from refusal
