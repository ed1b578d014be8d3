"""Match state: what the records of a match mean, and the events that its sinks are told. The same fold follows a match while
it is played and when its log is read."""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, Protocol, Self, TypeAlias, cast

from games.core import PENALTY, PHASE, Action, Event, State
from games.search.measure_counts import MeasureCounts
from runner.agents.protocol import MOST_LINES, Agent, DecisionRequest, TalkLine
from runner.agents.spec import Seat
from runner.llm.skin import Skin
from runner.match.header import HeaderRecord, MatchConfig
from runner.match.open_question import OpenQuestion, Verdict
from runner.match.records import (
    DecisionRecord,
    PenaltyRecord,
    PhaseRecord,
    QuestionRecord,
    Record,
    ResultRecord,
    ResumedRecord,
    SeatResult,
    TalkRecord,
)
from runner.match.tally import SeatTallies, StrikeOuts, Tally


def changed(config: MatchConfig, record: ResumedRecord) -> MatchConfig:
    """A configuration after a match was resumed: its players, its table talk, and the words that models read."""
    if "seats" in record:
        config = replace(config, seats=tuple(map(Seat.of, record["seats"])))
    if "skin" in record:
        config = replace(config, words=Skin(record["skin"] or "", record.get("skin_words", {})))
    return replace(config, talk=record["talk"]) if "talk" in record else config


class TalkWindow:
    """The lines of the seats that decide at the same time. They become public together, whichever way the seats are asked."""

    def __init__(self) -> None:
        self._deciding: set[int] = set()
        self._held: list[TalkRecord] = []

    def open(self, pending: Sequence[int]) -> None:
        """The seats that owe a decision; nothing changes while an earlier window is open."""
        self._deciding = self._deciding or set(pending)

    def decided(self, seat: int, question: int | None, said: str, has_new_phase: bool) -> list[TalkRecord]:
        """The lines that a decision makes public; a new phase ends the window. `question`: the one answered, if any."""
        self._deciding.discard(seat)
        if question is not None and said:
            self._held.append({"kind": "talk", "seat": seat, "question": question, "text": said})
        if has_new_phase:
            self._deciding.clear()
        if self._deciding:
            return []
        public, self._held = self._held, []
        return public


class UntoldEvents:
    """What has happened, how much of it each seat was told, and the last lines of table talk, which all seats have heard."""

    def __init__(self, seats: int) -> None:
        self._events: list[Event] = []
        self._told = [0] * seats
        self._talk: deque[TalkLine] = deque(maxlen=MOST_LINES)

    @property
    def talk(self) -> tuple[TalkLine, ...]:
        return tuple(self._talk)

    def add_talk(self, seat: int, text: str) -> None:
        self._talk.append(said := TalkLine(seat, text))
        self.add([said.event])

    def add(self, events: Iterable[Event]) -> None:
        """Keep events for the seats that may know of them."""
        self._events += events

    def take(self, seat: int) -> tuple[Event, ...]:
        """The events that a seat may know of since the last call, which are told with this one."""
        new, self._told[seat] = self._events[self._told[seat] :], len(self._events)
        return tuple(event for event in new if event.audience is None or seat in event.audience)

    async def end(self, agents: Sequence[Agent], result: ResultRecord | None) -> None:
        """Tell the agents the rest and the result, and have them end, all at the same time."""
        record = None if result is None else dict(result)
        ends = [asyncio.ensure_future(agent.end(self.take(seat), record)) for seat, agent in enumerate(agents)]
        try:
            await asyncio.wait(ends)
        except asyncio.CancelledError:
            await asyncio.wait(ends)  # one that is cancelled before it begins would leave its process
            raise
        for end in ends:
            end.result()


Transition: TypeAlias = tuple[State, tuple[Event, ...]]
"""The state that a decision leads to, and its events."""

Made: TypeAlias = DecisionRequest | Verdict | Transition
"""What the loop has worked out already: the question that it puts, the verdict on an answer, where a decision leads."""


class OutOfOrderError(ValueError):
    """A record that cannot follow those before it; the message says why."""


_DUE = (PHASE, PENALTY, "talk")
"""The kinds of record that a decision brings."""


class MatchState:
    """A match up to its last record: its state, what its seats did, said and have not been told yet, and what is still open.

    `header` is its first record. `open` has the questions without a decision, by seat; `due` the records that the last decision
    brings and that are not there yet; `overtaken` the seats whose decisions are moot, because another one led to a new phase.
    `progress` is the part of the work on each seat's answer that is done, None where it is unknown. `asking` is the state in
    which the seats of the present step are asked. `has_new_phase`: the last decision ended its step. `has_result`: nothing
    can follow.
    """

    def __init__(self, config: MatchConfig, header: HeaderRecord, state: State) -> None:
        self.config, self.header, self.state, self.asking = config, header, state, state
        self.questions, self.has_new_phase, self.has_result = 0, False, False
        self.progress: list[float | None] = [None] * header["players"]
        self.open: dict[int, OpenQuestion] = {}
        self.due: deque[Record] = deque()
        self.overtaken: list[int] = []
        self.measures = MeasureCounts(config.game, header["players"])
        self.players = SeatTallies(header)
        self.strike_outs = StrikeOuts(header["players"])
        self._untold = UntoldEvents(header["players"])
        self._talk_window = TalkWindow()
        self._step: list[int] = []
        self._untold_later: list[Event] = []
        self._enter(state.events)
        if self.players.has_copied_all:
            self._end_copied()

    @classmethod
    def new(cls, config: MatchConfig) -> Self:
        """A match that begins with its deal."""
        state = config.game.state_type.deal(config.setup, None)
        return cls(config, config.header(state), state)

    @property
    def tallies(self) -> list[Tally]:
        return self.players.tallies

    def go_on(self, config: MatchConfig) -> None:
        """Go on from here as `config` says. Earlier strike-outs pause nothing."""
        self.config = config
        self.strike_outs.restart()

    def step(self) -> tuple[int, ...]:
        """The seats that decide now, asked at the same time: those of a step that is under way, else of the next one."""
        if not self._step:
            pending = self.state.pending
            self._talk_window.open(pending)
            self._step = list(pending if self.config.ask == "simultaneous" else pending[:1])
            self.asking, self.overtaken = self.state, []
        return tuple(self._step)

    def action(self, seat: int) -> Action | None:
        """What a seat of the step has decided, None where it was struck out. A seat without a question has no choice."""
        return self.open[seat].action if seat in self.open else self.asking.actions_of(seat)[0]

    def transition(self, record: DecisionRecord) -> Transition:
        """Where the rules lead a decision. IllegalAction when they refuse it."""
        if record["how"] == "strike_out":
            return self.state.strike_out_with_events(record["seat"])
        return self.state.read(record["seat"], record["action"]).next_with_events()

    def take(self, record: Record, made: Made | None = None) -> tuple[Event, ...]:
        """Fold the next record; the events that it brings. `made` is worked out from it if None.
        OutOfOrderError for a record that cannot follow, IllegalAction for a decision that the rules refuse."""
        self.check_order(record)
        left = self.players.add(record)
        events = self._take(record, made)
        if left:
            self._leave(left)
        if self.players.has_copied_all:
            self._end_copied()
        return events

    def check_order(self, record: Record) -> None:
        """What may follow what, in a match that is played as in one that is read. OutOfOrderError for what may not."""
        kind, due = record["kind"], self.due[0] if self.due else None
        if self.has_result:
            raise OutOfOrderError(f"a record of kind {kind} stands after the result")
        if kind in _DUE:
            if due is None or any(record.get(name) != value for name, value in due.items() if name != "name"):
                raise OutOfOrderError(f"the rules say {due or 'nothing'} here, the log says {record}")
        elif due is not None and kind not in ("pause", "resumed"):
            raise OutOfOrderError(f"the log has a record of kind {kind} where {due} is due")
        match record["kind"]:
            case "question":
                self._check_question(record)
            case "attempt":
                question = self.open.get(record["seat"])
                if question is None or question.number != record["question"] or question.answer is not None:
                    raise OutOfOrderError(f"seat {record['seat']} answers question {record['question']}, which it is not asked")
            case "decision":
                self._check_decision(record)
            case "moot":
                seat, question = record["seat"], self.open.get(record["seat"])
                if seat not in self.overtaken or (question is not None and not question.is_decided):
                    raise OutOfOrderError(f"the decision of seat {seat} is moot, and it made none")
            case "result" if not self.state.has_ended:
                raise OutOfOrderError("the log has a result, but the match has not ended")

    def _check_question(self, record: QuestionRecord) -> None:
        seat, most = record["seat"], self.state.setup.options.strikes
        if record["question"] != self.questions:
            raise OutOfOrderError(f"question {self.questions} is due, the log has question {record['question']}")
        if seat not in self.state.pending or seat in self.open:
            raise OutOfOrderError(f"seat {seat} is asked and owes no decision")
        if (strikes := record.get("strikes", most)) not in (1, most):
            raise OutOfOrderError(f"seat {seat} is struck out after {strikes} invalid answers, and the rules say {most}")

    def _check_decision(self, record: DecisionRecord) -> None:
        seat, how, question = record["seat"], record["how"], self.open.get(record["seat"])
        if seat not in self.state.pending:
            raise OutOfOrderError(f"seat {seat} decides and owes no decision")
        if how == "strike_out":
            if question is None or question.mistakes != question.strikes:
                mistakes = question.mistakes if question else 0
                raise OutOfOrderError(f"seat {seat} is struck out after {mistakes} invalid answers")
        elif how not in ("answer", "forced"):
            raise OutOfOrderError(f"seat {seat} decides in a way that is not known: {how}")
        elif question is not None:
            if question.answer is None:
                raise OutOfOrderError(f"the decision of seat {seat} is not what it answered")
        elif how != "forced" or len(self.state.actions_of(seat)) != 1:
            raise OutOfOrderError(f"seat {seat} decides and was not asked")

    def _take(self, record: Record, made: Made | None) -> tuple[Event, ...]:
        match record["kind"]:
            case "question":
                self._ask(record, cast(DecisionRequest | None, made))
            case "attempt":
                self.open[record["seat"]].add(record, cast(Verdict | None, made))
                if record["outcome"] == "mistake" and self.open[record["seat"]].is_decided:
                    self.strike_outs.add(record["seat"])
            case "decision":
                return self._decide(record, cast(Transition, made) if made else self.transition(record))
            case "moot":
                self.open.pop(record["seat"], None)
                self.overtaken = [seat for seat in self.overtaken if seat != record["seat"]]
            case "result":
                self.has_result = True
            case "phase" | "penalty" | "talk":
                self.due.popleft()
                if record["kind"] == "talk":
                    self._untold.add_talk(record["seat"], record["text"])
            case "resumed":
                self.config = changed(self.config, record)
        return ()

    def _ask(self, record: QuestionRecord, asked: DecisionRequest | None) -> None:
        seat = record["seat"]
        self._begin_step(seat)
        state, can_talk, told, talk = self.asking, self.config.talk, self._untold.take(seat), self._untold.talk

        def asking() -> DecisionRequest:
            question = asked or DecisionRequest.of(state, seat, record["question"])
            progress = partial(self.progress.__setitem__, seat)
            return replace(question, can_talk=can_talk, talk=talk, told=told, progress=progress)

        self.open[seat] = OpenQuestion(record, state, can_talk, asking)
        self.progress[seat] = None
        self.questions = record["question"] + 1

    def _decide(self, record: DecisionRecord, made: Transition) -> tuple[Event, ...]:
        seat = record["seat"]
        self._begin_step(seat)
        question = self.open.pop(seat, None)
        self.state, events = made
        if record["how"] == "answer":
            self.strike_outs.clear(seat)
        self._step.remove(seat)
        self.has_new_phase = any(event.kind == PHASE for event in events)
        if self.has_new_phase:
            self.overtaken, self._step = self._step, []
        self._enter(events)
        number, said = (question.number, question.said) if question else (None, "")
        self.due.extend(self._talk_window.decided(seat, number, said, self.has_new_phase))
        return events

    def _begin_step(self, seat: int) -> None:
        if seat not in self._step and seat not in self.step():
            self._step = []
            self.step()

    def _enter(self, events: tuple[Event, ...]) -> None:
        """Take in the events of a deal or a decision. Seats are told them when the step is over."""
        self.measures.add(self.state, events)
        self._untold_later += events
        if not self._step:
            self._tell()
        for event in events:
            if event.kind == PHASE:
                name = self.config.game.phases.by_id(event.data["to"]).name
                self.due.append(cast(PhaseRecord, {"kind": PHASE, **event.data, "name": name}))
            elif event.kind == PENALTY:
                self.due.append(cast(PenaltyRecord, {"kind": PENALTY, **event.data}))

    def _tell(self) -> None:
        self._untold.add(self._untold_later)
        self._untold_later = []

    async def end(self, agents: Sequence[Agent], result: ResultRecord | None) -> None:
        """Tell the agents the rest and the result, and have them end. `result` is None if the match paused."""
        self._tell()
        await self._untold.end(agents, result)

    def result(self) -> ResultRecord:
        state, setup, game = self.state, self.config.setup, self.config.game
        return {
            "kind": "result",
            "game": game.name,
            "rules": setup.rules,
            "rules_version": game.rules_version,
            "seed": setup.seed,
            "players": setup.players,
            "rounds": state.round,
            "scores": list(state.scores),
            "winners": list(state.winners),
            "ending": list(state.ending),
            "seats": [self._seat_result(seat) for seat in range(setup.players)],
        }

    def _seat_result(self, number: int) -> SeatResult:
        seat, players = self.config.seats[number], self.players
        facts = {"seat": number, "spec": seat.spec.text, "name": seat.name, "kind": seat.kind}
        counts = {**players.tallies[number].to_json(), "measures": self.measures.to_json(number)}
        earlier = {"earlier": found} if (found := players.earlier[number]) else {}
        return cast(SeatResult, {**facts, **counts, **earlier})

    def _end_copied(self) -> None:
        """Begin with the part of a fork that is its own, where the copied part ends."""
        self.measures.leave(range(self.header["players"]))
        self._leave(self.players.end_copied())

    def _leave(self, seats: Sequence[int]) -> None:
        """Other players have taken these seats: the strike-outs in a row and what was counted are not theirs."""
        self.measures.leave(seats)
        for seat in seats:
            self.strike_outs.clear(seat)


class MatchEvent(NamedTuple):
    """One thing that happened: its log record, the match after it, and the game events of a deal or a decision. `is_durable`:
    the record has to be on the disk before a sink that stores it returns."""

    record: Record
    match: MatchState
    events: tuple[Event, ...] = ()
    is_durable: bool = False

    @property
    def said(self) -> list[Record]:
        """What players say before the events: an attempt, or the table talk of a decision, whose records come after it."""
        if (kind := self.record["kind"]) == "attempt":
            return [self.record]
        return [one for one in self.match.due if kind == "decision" and one["kind"] == "talk"]


class Sink(Protocol):
    """A receiver of the events of a match, in their order: the log, a screen, a counter.

    A match starts with `header`, or with `resumed` where it continues from a log, and ends with `result` or `pause`.
    """

    async def emit(self, event: MatchEvent) -> None:
        """Take an event. PausedError stops the match."""


async def emit_all(sinks: Sequence[Sink], event: MatchEvent) -> None:
    for sink in sinks:
        await sink.emit(event)
