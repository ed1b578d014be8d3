"""What has to hold of each record of a log, given the state of the match before it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, NoReturn

from games.core import PENALTY, PHASE, Event, State
from runner.errors import LogDamagedError
from runner.match.tally import Tally
from runner.record.hash_chain import Record
from runner.record.reader import Log

_ANYTIME = ("pause", "resumed")


def fail(line: int, why: str) -> NoReturn:
    """The log is not what the rules make of it."""
    raise LogDamagedError(line, f"{why}.")


@dataclass(slots=True)
class _Open:
    """A question without a decision yet: what the seat got wrong so far, and its answer that counted."""

    number: int
    mistakes: int = 0
    has_answer: bool = False
    answer: Any = None


class Checks:
    """What the log still has to say, and what it has said so far."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._questions = 0
        self._open: dict[int, _Open] = {}
        self._due: deque[Record] = deque()
        self._tallies = [Tally() for _ in range(log.header["players"])]
        self._has_result = False
        self._checks = {
            "question": self._question,
            "attempt": self._attempt,
            "decision": self._decision,
            "moot": self._moot,
            "result": self._result,
        }

    def announce(self, events: tuple[Event, ...]) -> None:
        """Expect the records of the phases and penalties that a transition brought."""
        for event in events:
            if event.kind in (PHASE, PENALTY):
                self._due.append({"kind": event.kind, **event.data})

    def before(self, line: int, record: Record, state: State) -> None:
        """Check a record by the state before it. LogDamagedError when it does not follow."""
        kind = record["kind"]
        if self._has_result and kind not in _ANYTIME:
            fail(line, f"a record of kind {kind} stands after the result")
        if kind in (PHASE, PENALTY):
            self._announced(line, record)
        elif kind in self._checks:
            if self._due:
                fail(line, f"here the log has to say {self._due[0]}, it has a record of kind {kind}")
            self._checks[kind](line, record, state)
        elif kind not in _ANYTIME:
            fail(line, f"a record of kind {kind} is not known")

    def _announced(self, line: int, record: Record) -> None:
        due = self._due.popleft() if self._due else None
        if due is None or any(record.get(name) != value for name, value in due.items()):
            fail(line, f"the rules say {due or 'nothing'} here, the log says {record}")

    def _question(self, line: int, record: Record, state: State) -> None:
        seat = record["seat"]
        if record["question"] != self._questions:
            fail(line, f"question {self._questions} is due, the log has question {record['question']}")
        self._questions += 1
        if seat not in state.pending or seat in self._open:
            fail(line, f"seat {seat} is asked and owes no decision")
        if self._log.expand(record["view"]) != state.view(seat):
            fail(line, f"the rules show seat {seat} another view than the one in the log")
        self._open[seat] = _Open(record["question"])

    def _attempt(self, line: int, record: Record, state: State) -> None:
        seat, question = record["seat"], self._open.get(record["seat"])
        if question is None or question.number != record["question"] or question.has_answer:
            fail(line, f"seat {seat} answers question {record['question']}, which it is not asked")
        self._tallies[seat].add_attempt(record)
        if record["outcome"] == "mistake":
            question.mistakes += 1
        elif record["outcome"] == "answer":
            question.has_answer, question.answer = True, record["answer"]

    def _decision(self, line: int, record: Record, state: State) -> None:
        seat, how = record["seat"], record["how"]
        if seat not in state.pending:
            fail(line, f"seat {seat} decides and owes no decision")
        if how not in ("answer", "forced", "strike_out"):
            fail(line, f"seat {seat} decides in a way that is not known: {how}")
        question, tally = self._open.pop(seat, None), self._tallies[seat]
        tally.penalties += how == "strike_out"
        tally.decisions += how != "strike_out"
        tally.forced += how == "forced"
        if how == "strike_out":
            if question is None or question.mistakes != state.setup.options.strikes:
                fail(line, f"seat {seat} is struck out after {question.mistakes if question else 0} invalid answers")
        elif question is not None and not (question.has_answer and self._is(question.answer, record, state)):
            fail(line, f"the decision of seat {seat} is not what it answered")
        elif question is None and (how != "forced" or len(state.actions_of(seat)) != 1):
            fail(line, f"seat {seat} decides without having been asked")

    def _is(self, answer: Any, record: Record, state: State) -> bool:
        return answer == record["action"] or bool(state.read(record["seat"], answer).to_json() == record["action"])

    def _moot(self, line: int, record: Record, state: State) -> None:
        self._open.pop(record["seat"], None)

    def _result(self, line: int, record: Record, state: State) -> None:
        self._has_result = True
        if not state.has_ended:
            fail(line, "the log has a result, but the match has not ended")
        facts = {"scores": list(state.scores), "winners": list(state.winners), "ending": list(state.ending)}
        facts |= {"rounds": state.round, **{name: self._log.header[name] for name in ("game", "rules", "seed", "players")}}
        for name, found in facts.items():
            if found != record[name]:
                fail(line, f"the {name} are {found} by the rules, and {record[name]} in the log")
        for seat, tally in enumerate(self._tallies):
            for name, found in tally.to_json().items():
                if record["seats"][seat][name] != found:
                    fail(line, f"the {name} of seat {seat} add up to {found}, the result says {record['seats'][seat][name]}")
