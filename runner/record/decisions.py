"""Logged decisions: one read back from a log, with its question, its attempts, what it did and said, and its highlights."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, cast

import games
from games.core import Event, IllegalAction, OptionError, Remark, State
from games.highlights import Highlight
from runner.errors import LogDamagedError, TabletopError, UsageError
from runner.match.header import ForkRecord
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, Record, ResumedRecord, TalkRecord
from runner.record.line import whole_question
from runner.record.notes import kept_notes
from runner.record.reader import Log, read_sound_part
from runner.record.replay import ReplayedMatch


@dataclass(frozen=True)
class LoggedDecision:
    """Decision `number` of a log, counted from 1: the state `before` it, the state after it, its game events and its records.

    Number 0 is the deal, which has no seat and no records; `line` is 0 where the log ends before the decision. `asked` is the
    state in which the seat was asked: an earlier one than `before` where several seats decided at the same time. `talk` became
    public after the decision and before the next one.
    """

    number: int
    before: State
    state: State
    events: tuple[Event, ...]
    log: Log
    seat: int | None = None
    line: int = 1
    record: DecisionRecord | None = None
    asked_at: int = 0
    asked: State | None = None
    attempts: list[AttemptRecord] = field(default_factory=list)
    talk: list[TalkRecord] = field(default_factory=list)

    @cached_property
    def question(self) -> QuestionRecord | None:
        """The record of the question, with what it leaves to the rules; None where the seat was not asked."""
        if self.asked is None:
            return None
        return whole_question(self.asked_at, cast(QuestionRecord, self.log.record(self.asked_at)), self.asked)

    @property
    def begins_round(self) -> bool:
        return self.before.round != self.state.round


def decisions(log: Log) -> Iterator[LoggedDecision]:
    """The deal and the decisions of a log, every record checked on the way. LogDamagedError at the first that does not fit."""
    yield from _Replay(log).decisions()
    if log.damage is not None:
        raise log.damage


def decision_at(log: Log, number: int) -> LoggedDecision:
    """Decision `number`, from 1, or the next one that is due. UsageError without it, LogDamagedError behind the damage."""
    replay, last = _Replay(log), 0
    for decision in replay.decisions():
        last = decision.number
        if last == number > 0:
            return decision
    if log.damage is not None and not log.is_torn:
        raise log.damage
    state = replay.match.so_far.state
    if number == last + 1 and state.actor is not None:
        return replay.due(number, state.actor)
    raise no_decision(number, last + (not state.has_ended))


def no_decision(number: int | str, last: int) -> UsageError:
    """The error for a decision that a match does not have; `last` is its last one."""
    has = f"the match has the decisions 1 to {last}" if last else "the match has no decision yet"
    return UsageError(f"--at {number}: {has}.")


class DecisionList:
    """The deal and all decisions of a log, by number. `damage` is why there are no more, if the log is damaged."""

    def __init__(self, log: Log) -> None:
        """Replay the match. LogDamagedError when this version cannot."""
        self.log, self.damage = log, log.damage
        replay, self._all = _Replay(log), list[LoggedDecision]()
        self.game = replay.match.so_far.config.game
        try:
            self._all.extend(replay.decisions())
        except LogDamagedError as damage:
            self.damage = damage
        self.last = len(self._all) - 1

    def at(self, number: int) -> LoggedDecision:
        return self._all[number]

    def up_to(self, number: int, most: int) -> list[LoggedDecision]:
        """The last `most` decisions up to `number`, oldest first; the deal before decision 1."""
        return self._all[max(0, number + 1 - most) : number + 1]

    def each(self) -> Iterator[LoggedDecision]:
        return iter(self._all)

    def find(self, start: int, step: int, wanted: Callable[[LoggedDecision], bool]) -> int | None:
        """The number of the next wanted decision (step 1) or the previous one (step -1); None when there is none."""
        others = self._all[start + 1 :] if step > 0 else self._all[:start][::-1]
        return next((decision.number for decision in others if wanted(decision)), None)


class _Replay:
    """A log's records taken one by one: the match, and the question that each seat has not decided yet."""

    def __init__(self, log: Log) -> None:
        self.match = ReplayedMatch(log)
        self._log = log
        self._open: dict[int, LoggedDecision] = {}

    def decisions(self) -> Iterator[LoggedDecision]:
        """The decisions, each when the next one is made or the log ends: its talk is logged after it."""
        match = self.match.so_far
        last = LoggedDecision(0, match.state, match.state, self.match.deal().events, self._log)
        try:
            for line, record in self._log.records:
                event = self.match.take(line, record)
                match record["kind"]:
                    case "question":
                        self._open[record["seat"]] = self._begun(record["seat"], asked_at=line, asked=match.state)
                    case "attempt":
                        self._open[record["seat"]].attempts.append(record)
                    case "moot":
                        self._open.pop(record["seat"], None)
                    case "talk":
                        last.talk.append(record)
                    case "decision":
                        yield last
                        made = self._open.pop(record["seat"], None) or self._begun(record["seat"])
                        made = replace(made, number=last.number + 1, before=last.state, record=record, line=line)
                        last = replace(made, state=match.state, events=event.events)
        except LogDamagedError:
            yield last
            raise
        yield last

    def _begun(self, seat: int, asked_at: int = 0, asked: State | None = None) -> LoggedDecision:
        state = self.match.so_far.state
        return LoggedDecision(0, state, state, (), self._log, seat, line=0, asked_at=asked_at, asked=asked)

    def due(self, number: int, seat: int) -> LoggedDecision:
        """The next decision, where the log ends before it."""
        state = self.match.so_far.state
        return replace(self._open.get(seat) or self._begun(seat), number=number, before=state, state=state)


def kept_lines(log: Log, decision: LoggedDecision) -> list[tuple[int, Record]]:
    """The records before a decision: the earlier decisions, and the questions and attempts that led to them."""
    end = decision.line if decision.seat is not None else 0
    before = [(line, record) for line, record in log.records if not end or line < end]
    waiting: dict[int, int] = {}
    for _, record in before:
        if record["kind"] == "question":
            waiting[record["seat"]] = record["question"]
        elif record["kind"] in ("decision", "moot"):
            waiting.pop(record["seat"], None)
    undecided = set(waiting.values())
    return [(line, _without_players(record)) for line, record in before if _is_kept(record, undecided)]


def _is_kept(record: Record, undecided: set[int]) -> bool:
    if record["kind"] in ("question", "attempt"):
        return record["question"] not in undecided
    return record["kind"] != "pause" and (record["kind"] != "resumed" or not OF_TABLE.isdisjoint(record))


OF_TABLE = {"talk", "skin", "skin_words"}
"""What changes for a whole table where a match is resumed."""


def _without_players(record: Record) -> Record:
    """A record as a fork copies it: of a resumption what changed for the table, as the fork's header has the players."""
    if record["kind"] != "resumed":
        return record
    kept = {"kind", "at", "package", *OF_TABLE}
    return cast(ResumedRecord, {name: value for name, value in record.items() if name in kept})


def question_number(log: Log, decision: LoggedDecision, kept: Sequence[tuple[int, Record]]) -> int | None:
    """The number that the question of a decision has or will have; None where its seat has no choice."""
    if decision.question is not None:
        return decision.question["question"]
    assert decision.seat is not None
    if not log.header["ask_forced"] and len(decision.before.actions_of(decision.seat)) == 1:
        return None
    return sum(record["kind"] == "question" for _, record in kept)


def fork_record(log: Log, decision: LoggedDecision, kept: Sequence[tuple[int, Record]], action: object = None) -> ForkRecord:
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


def remarks_on_decision(decision: LoggedDecision) -> list[Remark]:
    before = decision.before if decision.number else None
    return list(decision.state.game.remarks(before, decision.state, decision.events))


def highlights_in(decision: LoggedDecision, sees_all: bool) -> list[Highlight]:
    """The highlights of a logged decision; only public ones unless `sees_all`."""
    found = [remark for remark in remarks_on_decision(decision) if remark.kind and (sees_all or remark.is_public)]
    return [Highlight(decision.number, decision.before.round, decision.events[remark.event], remark) for remark in found]


def highlights_of(log: Log, sees_all: bool) -> list[Highlight]:
    """The highlights of a log in order; only public ones unless `sees_all`. LogDamagedError where the log is damaged."""
    return [highlight for decision in decisions(log) for highlight in highlights_in(decision, sees_all)]


_FIELDS = ("say", "reason", "notes")


class SaidText(NamedTuple):
    """A text, what kind it is, whose, and before which decision it was written. A `note` is of nobody at the table."""

    decision: int
    seat: int | None
    kind: str
    text: str


def said_in(log: Log) -> Iterator[SaidText]:
    """The texts of a log in order, and the notes that are kept at its decisions."""
    try:
        free = games.load(log.header["game"]).free_text
    except OptionError:
        free = ()
    decision = 1
    for _, record in log.records:
        if record["kind"] == "decision":
            decision += 1
        elif record["kind"] == "attempt":
            reply, answer = record.get("reply") or {}, record.get("answer")
            texts = {name: record.get(name) for name in _FIELDS} | {"thought": reply.get("reasoning")}
            texts |= {name: answer.get(name) for name in free} if isinstance(answer, dict) else {}
            yield from (SaidText(decision, record["seat"], kind, text) for kind, text in texts.items() if isinstance(text, str))
    yield from (SaidText(number, None, "note", text) for number, text in kept_notes(log.path).items())


def found_in(path: Path, words: str) -> list[SaidText]:
    """The texts of a log that contain words, in any case; none for a log that cannot be read."""
    try:
        return [one for one in said_in(read_sound_part(path)) if words.casefold() in one.text.casefold()]
    except TabletopError:
        return []
