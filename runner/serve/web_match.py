"""Web match: a match whose people sit at browsers, and what each of them gets to see of it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from games.core import Event, IllegalAction, State, as_told, quoted
from games.core.question import Step
from games.menu import is_written, without_choices
from games.scenes import Heading, scene_of
from games.search.policy import playouts_of
from runner.agents.bot_seats import bot_agent
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.spec import Bot, Human, parse_spec
from runner.agents.waiting_agents import MailboxAgent
from runner.errors import PausedError, TabletopError, UsageError
from runner.export.page.match_page import pieces_of
from runner.export.scene_nodes import Tables
from runner.film.film import Film, Frame
from runner.film.perspective import Perspective
from runner.llm.budget import Budget
from runner.match.match_state import MatchEvent, MatchState
from runner.match.records import Record
from runner.record.reader import read_log
from runner.review.costliest import Costliest, costliest
from runner.screen.narrator import Narrator, quotation
from runner.screen.result import costliest_line, verdict
from runner.screen.safe_text import clean, clean_block
from runner.screen.seat_labels import labels_of, reader_of
from runner.serve.hosted_match import Answer, ClientSeat, HostedMatch
from runner.serve.sitting_down import Sitter, seated
from runner.session.match_spec import ReadyMatch
from runner.session.session import Source
from runner.worker_processes import ProcessPool

FOR_SPECTATORS = "This link is for spectators: it cannot play."

WebFacts = dict[str, Any]
"""JSON-able values by name."""

_Told = tuple[State, State, tuple[Event, ...], list[Record]]
"""The states before and after a record, the events that it brought, and what is told before them: the lines that were said
with the answer, or an attempt."""
_FRAMES = 16
"""The newest frames that a browser gets."""

_STORY = 80
"""The newest lines of the story that a browser gets with each change."""

AWAY_PACE = 4.0
"""Seconds after which a bot decides for a person who is away: the others can follow, and the person can come back."""

_GRADING = 5.0
"""Seconds of grading for each person after the end."""


class TableRules(BaseModel):
    """How a table treats its people. `seconds` is the longest wait for an answer; None: for ever. Then the match pauses, or the
    bot `away` plays for the person until they come back. `shows_all`: spectators see every card. `gathers`: the match begins
    when all its people have sat down and said what they are called."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seconds: Annotated[float, Field(ge=5, le=7 * 86_400)] | None = None
    away: Annotated[str, Field(max_length=40)] = ""
    shows_all: bool = False
    gathers: bool = False


class AwayMailbox(MailboxAgent):
    """The seat of a person for whom a bot answers while they are away."""

    def __init__(self, stand_in: Agent | None, name: str) -> None:
        super().__init__()
        self._stand_in, self._name = stand_in, name
        self.is_away = False

    @property
    def patience(self) -> float | None:
        """Seconds that the next question waits: a few while the person is away."""
        return min(AWAY_PACE, self.seconds) if self.is_away and self.seconds is not None else self.seconds

    def come_back(self) -> None:
        """The person answers themselves again; an open question has its whole time again."""
        self.is_away = False
        if self.ask is not None and self.seconds is not None and self._bound is not None and not self._bound.expired():
            self._bound.reschedule(asyncio.get_running_loop().time() + self.seconds)

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The person's answer, or the bot's when none comes in time. PausedError where no bot stands in."""
        try:
            return await super().answer(ask, report)
        except PausedError:
            if self._stand_in is None:
                raise
        self.is_away = True
        self.changed()
        reply = await self._stand_in.answer(ask, report)
        return replace(reply, reason=f"{self._name} stands in for a person who is away.")


class WebMatch(HostedMatch):
    """A match of the web server. `sat` are the people who sit there, where it waits for them; else None."""

    def __init__(self, ready: ReadyMatch, source: Source, rules: TableRules, pool: Budget, processes: ProcessPool) -> None:
        super().__init__(ready, source, rules.seconds, pool)
        self.rules, self.processes = rules, processes
        self.sat: Mapping[int, Sitter] | None = None
        self.version, self.is_held = 0, False
        self.match: MatchState | None = None
        self._told: list[_Told] = []
        self._views: dict[tuple[int | None, bool], _View] = {}
        self._costliest: dict[int, Costliest] = {}
        self._reactions: list[tuple[int, int | None, str]] = []
        self._grading: asyncio.Task[None] | None = None

    @classmethod
    def check(cls, rules: TableRules, ready: ReadyMatch) -> None:
        """UsageError for a bot that cannot stand in."""
        if rules.away:
            bot = parse_spec(rules.away)
            if not isinstance(bot, Bot):
                raise UsageError(f"{quoted(rules.away)} cannot play for people who are away: name a bot, as bot:steady.")
            bot.check(ready.config.game, ready.environment, ())

    async def begin(self) -> None:
        """Start the match, unless it waits for its people. TabletopError when it cannot start."""
        if not self.gathers:
            await super().begin()

    async def begin_gathered(self) -> None:
        """Start the match as its people sit there. TabletopError when it cannot start."""
        if self.gathers and not self.is_running:
            await super().begin()

    @property
    def gathers(self) -> bool:
        """Whether the match waits for its people to sit down."""
        return self.sat is not None and self.match is None

    @property
    def missing(self) -> list[int]:
        """The seats of the people whom it waits for."""
        return [seat for seat in self.ready.people if seat not in (self.sat or {})]

    def sit(self, seat: int, sitter: Sitter) -> dict[int, Sitter]:
        """Somebody takes a seat, or changes what they said of themselves; all who sit there. UsageError for a wrong name."""
        sat = {**(self.sat or {}), seat: sitter}
        self.ready, self.sat = seated(self.ready, sat), sat
        return sat

    def _seated(self) -> Mapping[int, Agent]:
        found = dict[int, Agent]()
        for seat, spec in enumerate(self.ready.specs):
            if isinstance(spec, Human):
                found[seat] = AwayMailbox(self._bot(parse_spec(self.rules.away)), self.rules.away)
            elif isinstance(spec, Bot) and playouts_of(spec.name) is not None:
                found |= {seat: agent} if (agent := self._bot(spec)) else {}
        return found

    def _bot(self, spec: object) -> Agent | None:
        return bot_agent(spec, self.ready.config.game, self.processes) if isinstance(spec, Bot) else None

    def _notify(self) -> None:
        self.version += 1
        super()._notify()

    def tell(self) -> None:
        """Let everybody see what the server has changed."""
        self._notify()

    async def changed_after(self, version: int) -> None:
        """Wait until there is something newer to see."""
        while self.version == version:
            await self._changed.wait()

    async def emit(self, event: MatchEvent) -> None:
        """Take in what happened in the match."""
        self.match = event.match
        before = self._told[-1][1] if self._told else event.match.state
        if event.events or event.said:
            self._told.append((before, event.match.state, event.events, event.said))
        await super().emit(event)
        if event.record["kind"] == "result" and self.seats:
            self._grading = asyncio.create_task(self._grade())

    async def _grade(self) -> None:
        while self.is_running:  # the log is closed then
            await self._changed.wait()
        work = partial(_graded, str(self.path), _GRADING)
        for seat in self.seats:
            with suppress(TabletopError):
                found = await asyncio.wrap_future(self.processes.submit(work, seat))
                if found is not None:
                    self._costliest[seat] = found
                    self._notify()

    async def pause(self) -> None:
        """Stop the match where it is. Its log can be resumed."""
        if self._grading is not None:
            self._grading.cancel()
        await super().pause()

    # -- what people do ----

    def client(self, seat: int | None) -> ClientSeat:
        """The client that answers for a seat. UsageError where nobody at a browser does."""
        if seat is None or seat not in self.seats:
            raise UsageError(FOR_SPECTATORS)
        return self.seats[seat]

    def come_back(self, seat: ClientSeat) -> None:
        """A person is there again and answers themselves from the next question on."""
        assert isinstance(seat.mailbox, AwayMailbox)
        if seat.mailbox.is_away:
            seat.mailbox.come_back()
            self._notify()

    def react(self, seat: int | None, name: str) -> None:
        """Show everybody how a player, or a spectator (None), reacts, with the last four before. The log does not have it."""
        self._reactions = [*self._reactions[-4:], (self.version, seat, name)]
        self._notify()

    async def decide(self, seat: ClientSeat, number: int, choice: int | None, written: WebFacts, say: str) -> Answer:
        """The verdict on an answer: `ok`, `stale`, or `mistake` with the reason. Only legal answers reach the match, as at a
        terminal: a mistake costs nothing."""
        ask = seat.mailbox.ask
        if ask is None or ask.number != number:
            return {"status": "stale"}
        choices, answer = ask.question.choices, written
        if choice is not None:
            if not 0 <= choice < len(choices):
                return {"status": "mistake", "why": "There is no such choice."}
            answer = choices[choice].answer
        try:
            ask.check(answer)
        except IllegalAction as refusal:
            return {"status": "mistake", "why": clean_block(as_told(str(refusal), self._called, seat.number))}
        return await self.act(seat, number, AgentReply(answer, say=say))

    @property
    def _called(self) -> tuple[str, ...]:
        return labels_of(self.ready.config.seats)

    # -- what people see ----

    def seen_by(self, seat: int | None, is_first: bool = False) -> WebFacts:
        """All that a seat, or a spectator, may see now: the table as elements, the story, the open question, the result.
        `is_first`: the story from its beginning on, and of a match without people the frames too."""
        if self.match is None:
            return self._gathered(seat)
        has_ended = self.has_ended
        key = seat, has_ended
        if key not in self._views:
            eye = Perspective(seat, sees_all=has_ended or (seat is None and self.rules.shows_all))
            self._views = {known: view for known, view in self._views.items() if known[0] != seat}
            self._views[key] = _View(eye, seat, self.match, self.ready)
        shown = self._views[key].shown(self.match, self._told, is_first, None if is_first and not self.seats else _FRAMES)
        client = None if seat is None else self.seats.get(seat)
        facts: WebFacts = {"version": self.version, "own": seat, "talk": self.ready.config.talk, "over": None}
        why = None if has_ended else self.why_stopped
        facts["paused"] = why and as_told(why, self._called, seat)
        facts["turn"] = self._turn(client) if client is not None else None
        if self._result is not None:
            facts["over"] = {"text": verdict(self._result), "winners": self._result["winners"]}
            if seat is not None and (found := self._costliest.get(seat)) is not None:
                facts["costliest"] = costliest_line(found, self._called, seat).plain
        away = [one.number for one in self.seats.values() if isinstance(one.mailbox, AwayMailbox) and one.mailbox.is_away]
        left = [[one.number, one.mailbox.left] for one in self.seats.values() if one.mailbox.left is not None]
        return {**shown, **facts, "waiting": self.waiting, "left": left, "away": away, "reactions": self._reactions}

    def _gathered(self, own: int | None) -> WebFacts:
        seats = self.ready.config.seats
        facts = zip(labels_of(seats), seats, strict=True)
        shown = [{"label": label, "name": clean(one.called, 40), "who": clean(one.spec.who, 40)} for label, one in facts]
        return {
            "version": self.version,
            "own": own,
            "title": self.ready.config.game.title,
            "seats": shown,
            "missing": self.missing,
        }

    @property
    def waiting(self) -> list[int]:
        """The seats that the table waits for: those that have not answered, or not sat down."""
        if self.gathers:
            return self.missing
        if self.match is None or not self.is_running or self.has_ended:
            return []
        return [seat for seat, question in self.match.open.items() if not question.is_decided]

    @property
    def why_stopped(self) -> str | None:
        """Why the match does not run any more, as a sentence; None while it runs."""
        return "The host has paused the match." if self.is_held and not self.is_running else super().why_stopped

    def _turn(self, client: ClientSeat) -> WebFacts | None:
        """The open question of a seat: its choices step by step, or the fields of what is to be written."""
        if (ask := client.mailbox.ask) is None:
            return None
        question, names, you = ask.question, self._called, client.number
        asked = clean_block(without_choices(question, names, you))
        turn: WebFacts = {"number": ask.number, "phase": ask.phase, "question": asked}
        if is_written(question) or not question.choices:
            fields = question.schema["properties"].items()
            turn["fields"] = [[name, clean(field.get("description"), 300), field.get("enum")] for name, field in fields]
        else:
            turn["choices"] = [[_step(step, names, you) for step in one.steps] for one in question.choices]
            answers = [one.answer for one in question.choices]
            turn["passing"] = answers.index(question.passing) if question.passing in answers else None
        return turn


def _step(step: Step, names: Sequence[str], you: int) -> list[object]:
    name, effect = (as_told(text, names, you) for text in (step.name, step.effect))
    return [clean(step.what, 40), clean(name, 100), clean_block(effect), [clean(one, 100) for one in step.on]]


def _graded(log: str, seconds: float, seat: int) -> Costliest | None:
    return costliest(read_log(Path(log)), seat, seconds)


def _where(heading: Heading) -> tuple[str, str]:
    return f"{heading.round_word.capitalize()} {heading.round}", heading.phase


class _View:
    def __init__(self, eye: Perspective, own: int | None, match: MatchState, ready: ReadyMatch) -> None:
        self._eye, self._own, self._ready = eye, own, ready
        seats = ready.config.seats
        self._players, self._you = labels_of(seats), reader_of(seats, own)
        self._names = self._players if eye.sees_all else labels_of(seats, own)
        self._labels = [label + " (you)" * (seat == self._you) for seat, label in enumerate(self._players)]
        self._narrator = Narrator(eye, labels=self._players, you=self._you)
        self._film = Film(ready.config.game, eye, self._names, has_motion=True)
        self._story: list[list[object]] = []
        self._frames: list[tuple[int, Frame]] = []
        self._read, self._round = 0, -1

    def shown(self, match: MatchState, told: Sequence[_Told], is_whole: bool, most: int | None) -> WebFacts:
        """The table, the story, its newest lines or the whole, and the newest frames, at most `most`: the number of each, the
        line of the story up to which it tells, its table, where the match is then, for how long it is shown, in units of
        speed, and whether something is on its way in it."""
        for one in told[self._read :]:
            self._tell(*one)
        self._read = len(told)
        game, state = self._ready.config.game, match.state
        tables = Tables(self._names)
        root = tables.table(scene_of(game, self._eye.visible(state, self._names)))
        begin = max(0, len(self._frames) - most) if most else 0
        frames = [
            [number, end, tables.table(one.scene), *_where(one.header), one.weight, one.is_moving]
            for number, (end, one) in enumerate(self._frames[begin:], begin)
        ]
        first = 0 if is_whole else max(0, len(self._story) - _STORY)
        return {
            "title": game.title,
            **dict(zip(("round", "phase"), _where(Heading.of(state)), strict=True)),
            "frames": frames,
            "seats": [
                {"name": name, "label": label, "who": clean(seat.spec.who, 40)}
                for name, label, seat in zip(self._players, self._labels, self._ready.config.seats, strict=True)
            ],
            "elements": tables.data,
            "table": root,
            "first": first,
            "story": self._story[first:],
        }

    def _tell(self, before: State, after: State, events: tuple[Event, ...], said: Sequence[Record]) -> None:
        self._add([line for record in said for line in self._said(record)], before.round)
        for frame in self._film.cut(before, after, events, ()) if events else ():
            told = (event for line in frame.lines for event, _ in line.told)
            self._add([self._line(event) for event in told], frame.header.round)
            self._frames.append((len(self._story), frame))

    def _add(self, lines: list[list[object]], number: int) -> None:
        if lines and number != self._round:
            self._round = number
            self._story.append(["round", f"{self._ready.config.game.round_word.capitalize()} {number}"])
        self._story += lines

    def _line(self, event: Event) -> list[object]:
        """A line of the story: a kind, then pieces, in which a number is a seat."""
        is_secret = event.audience is not None and not self._eye.sees_all
        return ["secret" if is_secret else "line", *pieces_of(event, len(self._players), self._you)]

    def _said(self, record: Record) -> Iterator[list[object]]:
        if record["kind"] == "talk":
            yield ["talk", record["seat"], quotation(record["text"])]
        elif record["kind"] == "attempt":
            for line in self._narrator.outcome(record, self._ready.config.setup.options.strikes):
                yield ["fault", line.plain]
