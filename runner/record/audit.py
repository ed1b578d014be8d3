"""Log audit: checks each record of a log against the rules, given the state of the match before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn, cast

from games.core import PENALTY, PHASE, Action, Event, IllegalAction, State, View, quoted
from runner.digest import Digester
from runner.errors import LogDamagedError
from runner.match.counts import MeasureCounts
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, Record, ResultRecord, SeatResult
from runner.match.talk_window import TalkWindow
from runner.record.bot_questions import WRONG_VIEW, view_named
from runner.record.logged_answer import unread
from runner.record.reader import Log
from runner.record.seat_tallies import SeatTallies
from runner.record.view_digest import DIGEST, has_view_digest


def fail(line: int, why: str) -> NoReturn:
    """The log is not what the rules make of it."""
    raise LogDamagedError(line, f"{why}.")


@dataclass(slots=True)
class _OpenQuestion:
    """A question without a decision yet: how many invalid answers strike out, how many there were, and the valid answer with
    its line of talk."""

    number: int
    strikes: int
    mistakes: int = 0
    has_answer: bool = False
    answer: object = None
    say: str = ""


class Audit:
    """The records that the log still has to bring, and those it has brought. `tallies` are the counts of the seats.

    `action` is the action of the last decision, where that was the answer to a question.
    """

    def __init__(self, log: Log, tallies: SeatTallies, measures: MeasureCounts) -> None:
        self._log = log
        self._tallies = tallies
        self._measures = measures
        self._questions = 0
        self._open: dict[int, _OpenQuestion] = {}
        self._views = Digester()
        self._due: deque[dict[str, object]] = deque()
        self._has_result = False
        self.action: Action | None = None
        self._talk_window = TalkWindow()
        self._decided: tuple[int, int | None, str] | None = None

    def expect(self, events: tuple[Event, ...]) -> None:
        """Expect the records of the phases and penalties that a transition brought, and of the talk that is public after it."""
        for event in events:
            if event.kind in (PHASE, PENALTY):
                self._due.append({"kind": event.kind, **event.data})
        if self._decided is not None:
            has_new_phase = any(event.kind == PHASE for event in events)
            self._due.extend(dict(line) for line in self._talk_window.decided(*self._decided, has_new_phase))

    def check(self, line: int, record: Record, state: State) -> None:
        """Check a record by the state before it. LogDamagedError when it does not follow."""
        kind = record["kind"]
        if self._has_result:
            fail(line, f"a record of kind {kind} stands after the result")
        if kind in ("pause", "resumed"):
            return
        if kind in (PHASE, PENALTY, "talk"):
            self._check_expected(line, record)
        elif self._due:
            fail(line, f"the log has a record of kind {kind} where {self._due[0]} is due")
        else:
            self._check_step(line, record, state)

    def _check_expected(self, line: int, record: Record) -> None:
        due = self._due.popleft() if self._due else None
        if due is None or any(record.get(name) != value for name, value in due.items()):
            fail(line, f"the rules say {due or 'nothing'} here, the log says {record}")

    def _check_step(self, line: int, record: Record, state: State) -> None:
        match record["kind"]:
            case "question":
                self._check_question(line, record, state)
            case "attempt":
                self._check_attempt(line, record)
            case "decision":
                self._check_decision(line, record, state)
            case "moot":
                self._open.pop(record["seat"], None)
            case "result":
                self._check_result(line, record, state)
            case kind:
                fail(line, f"a record of kind {kind} is not known")

    def _check_question(self, line: int, record: QuestionRecord, state: State) -> None:
        seat = record["seat"]
        if record["question"] != self._questions:
            fail(line, f"question {self._questions} is due, the log has question {record['question']}")
        self._questions += 1
        if seat not in state.pending or seat in self._open:
            fail(line, f"seat {seat} is asked and owes no decision")
        if not self._is_view(record["view"], state, seat):
            raise LogDamagedError(line, WRONG_VIEW.format(seat))
        most = state.setup.options.strikes
        strikes = record.get("strikes", most)
        if strikes not in (1, most):
            fail(line, f"seat {seat} is struck out after {strikes} invalid answers, and the rules say {most}")
        self._open[seat] = _OpenQuestion(record["question"], strikes)

    def _is_view(self, logged: View, state: State, seat: int) -> bool:
        """Whether a logged view is the seat's, perhaps without the fields that views have gained since it was logged."""
        if has_view_digest(logged):
            is_named = self._views.is_digest_of_data(logged[DIGEST], state.view(seat))
            return is_named or view_named(logged[DIGEST], state, seat) is not None
        view = state.view(seat)
        missing = view.keys() - logged.keys()
        if not (missing <= set(state.game.later_fields) and logged.keys() <= view.keys()):
            return False
        return all(found == view[name] or self._log.expand(found) == view[name] for name, found in logged.items())

    def _check_attempt(self, line: int, record: AttemptRecord) -> None:
        seat, question = record["seat"], self._open.get(record["seat"])
        if question is None or question.number != record["question"] or question.has_answer:
            fail(line, f"seat {seat} answers question {record['question']}, which it is not asked")
        if record["outcome"] == "mistake":
            question.mistakes += 1
        elif record["outcome"] == "answer":
            can_talk = self._log.header.get("talk", False)
            if (why := unread(record, can_talk)) is not None:
                fail(line, why)
            question.has_answer, question.answer = True, record["answer"]
            question.say = record.get("say", "") if can_talk else ""

    def _check_decision(self, line: int, record: DecisionRecord, state: State) -> None:
        seat, how = record["seat"], record["how"]
        if seat not in state.pending:
            fail(line, f"seat {seat} decides and owes no decision")
        if how not in ("answer", "forced", "strike_out"):
            fail(line, f"seat {seat} decides in a way that is not known: {how}")
        self._talk_window.open(state.pending)
        question = self._open.pop(seat, None)
        self.action = None
        self._decided = (seat, question.number, question.say) if question else (seat, None, "")
        if how == "strike_out":
            if question is None or question.mistakes != question.strikes:
                fail(line, f"seat {seat} is struck out after {question.mistakes if question else 0} invalid answers")
        elif question is not None:
            self.action = _answered(question, record, state)
            if self.action is None:
                fail(line, f"the decision of seat {seat} is not what it answered")
        elif how != "forced" or len(state.actions_of(seat)) != 1:
            fail(line, f"seat {seat} decides and was not asked")

    def _check_result(self, line: int, record: ResultRecord, state: State) -> None:
        self._has_result = True
        if not state.has_ended:
            fail(line, "the log has a result, but the match has not ended")
        header, logged = self._log.latest_header, cast(Mapping[str, object], record)
        facts: dict[str, object] = {"rounds": state.round, "game": header["game"], "rules": header["rules"]}
        facts |= {"seed": header["seed"], "players": header["players"], "rules_version": header["rules_version"]}
        facts |= {"scores": list(state.scores), "winners": list(state.winners), "ending": list(state.ending)}
        for name, found in facts.items():
            if found != logged[name]:
                fail(line, f"the {name} are {found} by the rules, and {logged[name]} in the log")
        for seat, result in enumerate(record["seats"]):
            self._check_seat_result(line, seat, result)

    def _check_seat_result(self, line: int, seat: int, result: SeatResult) -> None:
        logged = cast(Mapping[str, object], result)
        player = cast(Mapping[str, object], self._log.latest_header["seats"][seat])
        for name, fact in (("seat", seat), *((name, player[name]) for name in ("spec", "name", "kind"))):
            if logged[name] != fact:
                fail(line, f"the {name} of seat {seat} is {quoted(fact)} by the header, {quoted(logged[name])} by the result")
        has_earlier = "earlier" in result  # before there was this field, a seat's counts were those of all its players
        if has_earlier and result["earlier"] != list(self._tallies.earlier[seat].players):
            fail(line, f"the result says that others had seat {seat} before than did")
        tally = (self._tallies.tallies if has_earlier else self._tallies.whole)[seat]
        for name, count in tally.to_json().items():
            if logged[name] != count:
                fail(line, f"the {name} of seat {seat} add up to {count}, the result says {logged[name]}")
        measured = self._measures.to_json(seat)
        for name, counts in result.get("measures", {}).items():
            if counts != measured.get(name, counts):
                fail(line, f"{quoted(name)} of seat {seat} is {measured[name]} by the rules, and {counts} in the result")


def _answered(question: _OpenQuestion, record: DecisionRecord, state: State) -> Action | None:
    """The action of a decision; None unless the question was answered with it."""
    try:
        action = state.read(record["seat"], question.answer) if question.has_answer else None
    except IllegalAction:
        return None
    return action if action is not None and action.to_json() == record["action"] else None
