"""Replay: the events of a logged match again, from the rules, the seed and the logged decisions."""

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from copy import copy
from typing import NoReturn, cast

import games
from games.core import Action, Game, IllegalAction, OptionError, State, View, quoted
from runner.agents.own_fields import unread
from runner.agents.spec import Seat
from runner.digest import Digester, digest_of_state
from runner.errors import LogDamagedError, in_log
from runner.match.header import HeaderRecord, MatchConfig
from runner.match.match_state import MatchEvent, MatchState, OutOfOrderError, Transition
from runner.match.open_question import OpenQuestion
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, Record, ResultRecord, SeatResult
from runner.record.line import DIGEST, WRONG_VIEW, has_view_digest, view_named, whole_question
from runner.record.reader import Log


def fail(line: int, why: str) -> NoReturn:
    """The log is not what the rules make of it."""
    raise LogDamagedError(line, f"{why}.")


class OtherRulesError(LogDamagedError):
    """This version has other rules than the log, or lacks its game."""


@contextmanager
def _reading(line: int, record: Record) -> Iterator[None]:
    """LogDamagedError for a record that cannot follow, that the rules refuse, or in which something is missing."""
    try:
        yield
    except OutOfOrderError as fault:
        fail(line, str(fault))
    except IllegalAction as refusal:
        seat = cast(DecisionRecord, record)["seat"]
        raise LogDamagedError(line, f"the rules refuse the decision of seat {seat}: {refusal}.") from refusal
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise LogDamagedError(line, f"the record of kind {record['kind']} is not complete ({error!r}).") from error


def opening(header: HeaderRecord) -> tuple[Game, State]:
    """The game and state a log begins with. OtherRulesError when this version lacks them, LogDamagedError for another deal."""
    with _reading(1, header):
        try:
            game = games.load(header["game"])
            if (found := header["rules_version"]) != (have := game.rules_version):
                played = f"the match was played by rules version {found} of {game.title}"
                raise OtherRulesError(1, f"{played}; this is version {have}.")
            state = game.begin(header["players"], header["seed"], header["rules"], **header["options"])
        except OptionError as error:
            raise OtherRulesError(1, f"the match cannot be set up again: {error}") from error
        if digest_of_state(state) != header["digest"]:
            raise LogDamagedError(1, "the rules deal another match from this seed than the one that was played.")
    return game, state


def detached(state: State) -> State:
    """The same state without the way it came about, which would keep every state before it in memory."""
    return copy(state)


def match_of(header: HeaderRecord) -> MatchState:
    """The match that a log begins. LogDamagedError when this version cannot play it."""
    game, state = opening(header)
    with _reading(1, header):
        seats, talk = tuple(map(Seat.of, header["seats"])), header.get("talk", False)
        config = MatchConfig(game, state.setup, seats, {}, header["ask"], header["ask_forced"], talk=talk)
    return MatchState(config, header, state)


def fold(log: Log) -> Iterator[tuple[int, Record, MatchState, Action | None]]:
    """The records of a log with their lines, each with the match before it, which takes it afterwards, and a decision's action.
    Nothing is checked but their order, and that the rules allow every decision: LogDamagedError where they do not."""
    match = match_of(log.header)
    for line, record in log.records:
        action, made = None, None
        with _reading(line, record):
            if record["kind"] == "decision":
                match.check_order(record)
                match.state = state = detached(match.state)
                seat = record["seat"]
                action = None if record["how"] == "strike_out" else state.read(seat, record["action"])
                made = state.strike_out_with_events(seat) if action is None else action.next_with_events()
        yield line, record, match, action
        with _reading(line, record):
            match.take(record, made)


class ReplayedMatch:
    """A match read from its log, a record at a time, every record checked. It emits what the match loop emitted.

    Long values of questions and attempts stay references, as they stand in the log.
    """

    def __init__(self, log: Log) -> None:
        """Open the match. LogDamagedError when this version cannot."""
        self.so_far = match_of(log.header)
        self._log = log
        self._views, self._states = Digester(), Digester()
        self._gained: Set[str] = frozenset()

    def deal(self) -> MatchEvent:
        """The event of the header. Comes before any `take`."""
        return MatchEvent(self.so_far.header, self.so_far, self.so_far.state.events)

    def take(self, line: int, record: Record) -> MatchEvent:
        """The event of the next record. LogDamagedError when it does not fit."""
        so_far = self.so_far
        with _reading(line, record):
            if record["kind"] == "decision":
                so_far.state = detached(so_far.state)
            so_far.check_order(record)
            return MatchEvent(record, so_far, so_far.take(record, self._checked(line, record)))

    def _checked(self, line: int, record: Record) -> Transition | None:
        """Where a decision leads, None for any other record. LogDamagedError for one that the rules contradict."""
        match record["kind"]:
            case "question":
                if not self._is_view(record["view"], record["seat"]):
                    raise LogDamagedError(line, WRONG_VIEW.format(record["seat"]))
            case "attempt" if record["outcome"] == "answer":
                self._check_answer(line, record)
            case "decision":
                return self._check_decision(line, record)
            case "result":
                self._check_result(line, record)
        return None

    def _is_view(self, logged: View, seat: int) -> bool:
        """Whether a logged view is the seat's, perhaps without the fields that views have gained since it was logged."""
        state = self.so_far.state
        view = state.view(seat)
        if has_view_digest(logged):
            older = {name: value for name, value in view.items() if name not in self._gained}
            if self._views.is_digest(logged[DIGEST], older):
                return True
            found = view_named(logged[DIGEST], state, seat)
            self._gained = frozenset() if found is None else view.keys() - found.keys()
            return found is not None
        missing = view.keys() - logged.keys()
        if not (missing <= set(state.game.later_fields) and logged.keys() <= view.keys()):
            return False
        return all(found == view[name] or self._log.expand(found) == view[name] for name, found in logged.items())

    def _check_answer(self, line: int, record: AttemptRecord) -> None:
        question = self.so_far.open[record["seat"]]
        schema, player = self._log.expand(question.record.get("schema")), self.so_far.players.seats[record["seat"]]
        if (why := unread(record, schema, player, question.can_talk)) is not None:
            fail(line, why)

    def _check_decision(self, line: int, record: DecisionRecord) -> Transition:
        question = self.so_far.open.get(record["seat"])
        if question is None or record["how"] == "strike_out":
            made = self.so_far.transition(record)
        elif (action := self._answered(question, record)) is not None:
            made = action.next_with_events()
        else:
            fail(line, f"the decision of seat {record['seat']} is not what it answered")
        if not self._states.is_digest(record.get("digest"), made[0]):
            fail(line, "the rules lead to another state than the one in the log")
        return made

    def _answered(self, question: OpenQuestion, record: DecisionRecord) -> Action | None:
        """The action of a decision; None unless the question was answered with it."""
        try:
            action = None if question.answer is None else self.so_far.state.read(record["seat"], question.answer["answer"])
        except IllegalAction:
            return None
        return action if action is not None and action.to_json() == record["action"] else None

    def _check_result(self, line: int, record: ResultRecord) -> None:
        logged = cast(Mapping[str, object], record)
        for name, found in self.so_far.result().items():
            if name != "seats" and found != logged[name]:
                fail(line, f"the {name} are {found} by the rules, and {logged[name]} in the log")
        for seat, result in enumerate(record["seats"]):
            self._check_seat_result(line, seat, result)

    def _check_seat_result(self, line: int, seat: int, result: SeatResult) -> None:
        logged = cast(Mapping[str, object], result)
        player = cast(Mapping[str, object], self._log.latest_header["seats"][seat])
        for name, fact in (("seat", seat), *((name, player[name]) for name in ("spec", "name", "kind"))):
            if logged[name] != fact:
                fail(line, f"the {name} of seat {seat} is {quoted(fact)} by the header, {quoted(logged[name])} by the result")
        # before there was this field, a seat's counts were those of all its players
        players, has_earlier = self.so_far.players, "earlier" in result
        if has_earlier and result["earlier"] != players.earlier[seat]:
            fail(line, f"the result says that others had seat {seat} before than did")
        tally = (players.tallies if has_earlier else players.whole)[seat]
        for name, count in tally.to_json().items():
            if logged[name] != count:
                fail(line, f"the {name} of seat {seat} add up to {count}, the result says {logged[name]}")
        measured = self.so_far.measures.to_json(seat)
        recounted = {measure.name for measure in self.so_far.measures.game.measures if measure.is_recounted}
        for name, counts in result.get("measures", {}).items():
            if name not in recounted and counts != measured.get(name, counts):
                fail(line, f"{quoted(name)} of seat {seat} is {measured[name]} by the rules, and {counts} in the result")


def replay(log: Log) -> Iterator[tuple[int, MatchEvent]]:
    """The events of a logged match with their line numbers. LogDamagedError at the first record that does not fit."""
    match = ReplayedMatch(log)
    yield 1, match.deal()
    for line, record in log.records:
        yield line, match.take(line, record)


def whole_questions(log: Log) -> Iterator[QuestionRecord]:
    """The questions of a log in order. The match is replayed only where one leaves something to the rules. LogDamagedError when
    the rules do not lead to such a question. Long values stay references."""
    questions = [record for _, record in log.of_kind("question")]
    if not any(has_view_digest(record["view"]) for record in questions):
        yield from questions
        return
    with in_log(log.path):
        for line, record, match, _ in fold(log):
            if record["kind"] == "question":
                yield whole_question(line, record, match.state)
