"""Transcript: a match as lines of text, or for programs of JSON, while it is played or from its log."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from games.core import Event, State, counted, seat_name
from games.highlights import remarks_on
from runner.agents.spec import is_rated
from runner.film.perspective import Perspective
from runner.match.header import rules_in_words
from runner.match.match_state import MatchEvent, MatchState
from runner.match.records import AttemptRecord, PauseRecord, ResumedRecord
from runner.record.decisions import no_decision
from runner.record.reader import Log
from runner.record.replay import opening, replay
from runner.screen.narrator import Narrator, thoughts
from runner.screen.palette import QUIET, TITLE, seat_text
from runner.screen.safe_text import clean, plain
from runner.screen.seat_labels import labels_of

if TYPE_CHECKING:
    from runner.screen.seen_review import SeenReview

_NUMBER = 5


Comments = Mapping[int, Sequence[str]]
"""What a caster says, by decision."""
NO_COMMENTS: Comments = {}


def transcript(
    log: Log, narrator: Narrator, review: SeenReview | None = None, after: int = 0, comments: Comments = NO_COMMENTS
) -> Iterator[Text]:
    """The match as lines, each decision with its number, faults with what was better; from the start, or `after` a decision.
    UsageError when the log does not have that decision, LogDamagedError after the last valid line."""
    last = sum(1 for _ in log.of_kind("decision"))
    if after > last:
        raise no_decision(after, last)
    yield from _title(log, narrator.perspective)
    number, before = 0, opening(log.header)[1]
    for _, event in replay(log):
        record = event.record
        if record["kind"] in ("header", "resumed"):
            narrator = narrator.of(event.match.config.seats)
        is_decision = record["kind"] == "decision"
        number += is_decision
        label = f"{number:>{_NUMBER}} " if is_decision else " " * (_NUMBER + 1)
        graded = review.graded(number, before, narrator.perspective) if review is not None and is_decision else None
        before = event.match.state
        if number < after or (number == after and is_decision):
            continue
        notes = [_note(record)] if record["kind"] in ("pause", "resumed") else []
        faults = [graded.line] if graded is not None and graded.sign else []
        said = [caster_line(one) for one in comments.get(number, ())] if is_decision else []
        for line in (*notes, *_lines(event, narrator), *faults, *said):
            yield Text(label, style=QUIET) + line
            label = " " * (_NUMBER + 1)
    if log.damage is not None:
        raise log.damage


def caster_line(text: str) -> Text:
    """What a caster says, as one line."""
    return plain(text, f"{QUIET} italic")


def _lines(event: MatchEvent, narrator: Narrator) -> Sequence[Text]:
    strikes = event.match.config.setup.options.strikes
    told = [line for record in event.said for line in narrator.told(record, strikes)]
    return [*told, *narrator.events(event.events, remarks_on(event.match.state, event.events))]


def _title(log: Log, perspective: Perspective) -> Iterator[Text]:
    header = log.header
    game, _ = opening(header)
    facts = f" · {header['players']} players, {clean(rules_in_words(header), 90)}"
    facts += f", seed {header['seed']}" if perspective.sees_all else ""
    facts += ", rated" if is_rated(header["seats"]) else ""
    yield Text(game.title, style=TITLE) + Text(f"{facts}, {clean(header.get('created'), 40)}", style=QUIET)
    for index, (seat, label) in enumerate(zip(header["seats"], labels_of(header["seats"]), strict=True)):
        name = clean(seat.get("name"), 200)
        yield seat_text(index) + Text(f" {label}" + (f" ({name})" if name != label else ""))


def _note(record: PauseRecord | ResumedRecord) -> Text:
    what, why = ("paused", record["why"]) if record["kind"] == "pause" else ("resumed", "")
    return Text(f"-- {what} {clean(record.get('at'), 40)}{f': {clean(why, 300)}' if why else ''}", style=QUIET)


def verdict_line(decisions: int, has_ended: bool) -> str:
    """The verdict on a valid log, as one sentence."""
    end = "the match has ended" if has_ended else "the match is unfinished and can be resumed"
    return f"Sound: {counted(decisions, 'decision')} {'replays' if decisions == 1 else 'replay'} as logged; {end}."


class PlainOutput:
    """Sink that prints one line an event, unwrapped and without colour."""

    def __init__(self, console: Console, narrator: Narrator) -> None:
        self._console, self._narrator = console, narrator

    async def emit(self, event: MatchEvent) -> None:
        """Print what the event brings."""
        if event.record["kind"] in ("header", "resumed"):
            self._narrator = self._narrator.of(event.match.config.seats, is_played=True)
        for line in _lines(event, self._narrator):
            self._console.print(line, soft_wrap=True)
        self._console.file.flush()

    def comment(self, text: str, seen: Perspective) -> None:
        """Print what a caster says, who knows what these lines do."""
        self._console.print(caster_line(text), soft_wrap=True)
        self._console.file.flush()


# -- for programs ---

_ATTEMPT = ("outcome", "strike", "try", "latency", "charged")
_ATTEMPT_OF_OWN = ("what", "why", "answer")
_LONGEST = 20_000


_Facts = dict[str, object]


class JsonEvents:
    """Sink that hands `write` one line for each thing that the perspective may know."""

    def __init__(self, perspective: Perspective, has_thoughts: bool, write: Callable[[str], None] | None = None) -> None:
        self._perspective, self._has_thoughts, self._write = perspective, has_thoughts, write or _print

    async def emit(self, event: MatchEvent) -> None:
        """Write the lines of an event."""
        for name, facts in (*self._of_record(event), *self._told(event.match.state, event.events)):
            self._write(json.dumps({"event": name, **facts}))

    def _of_record(self, event: MatchEvent) -> Iterator[tuple[str, _Facts]]:
        """What a record tells. A seat with one legal answer is not asked; only those who may read a seat know its answers."""
        record, sees_all = event.record, self._perspective.sees_all
        match record["kind"]:
            case "header" | "resumed":
                yield "begun", self._begun(event.match)
            case "question" if self._perspective.reads(record["seat"]):
                yield "asked", {"seat": seat_name(record["seat"])} | ({"question": record["question"]} if sees_all else {})
            case "attempt" if record["outcome"] != "answer" or self._perspective.reads(record["seat"]):
                yield "attempt", self._attempt(record)
            case "decision":
                is_known = record["action"] is not None and self._perspective.reads(record["seat"])
                facts: _Facts = {"seat": seat_name(record["seat"]), "how": self._perspective.how(record)}
                yield "decided", facts | ({"action": record["action"]} if is_known else {})
            case "talk":
                yield "talk", {"seat": seat_name(record["seat"]), "text": record["text"]}
            case "moot":
                yield "decided", {"seat": seat_name(record["seat"]), "how": "moot"}
            case "pause":
                yield "paused", {"why": record["why"]}
            case "result":
                hidden = () if sees_all else ("measures",)
                seats = [{name: value for name, value in seat.items() if name not in hidden} for seat in record["seats"]]
                yield "ended", {"result": {name: value for name, value in record.items() if name != "kind"} | {"seats": seats}}

    def _begun(self, match: MatchState) -> _Facts:
        setup, state = match.config.setup, match.state
        facts: _Facts = {"game": match.config.game.name, "rules": setup.rules, "players": setup.players}
        facts |= {"seed": setup.seed} if self._perspective.sees_all else {}
        seats = [{"seat": seat_name(at), "name": seat.name, "kind": seat.kind} for at, seat in enumerate(match.config.seats)]
        return {**facts, "seats": seats, "view": self._perspective.name, "round": state.round, "phase": state.phase.name}

    def _attempt(self, record: AttemptRecord) -> _Facts:
        reads = self._perspective.reads(record["seat"])
        names = (*_ATTEMPT, *_ATTEMPT_OF_OWN) if reads else _ATTEMPT
        facts: _Facts = {name: value for name in names if (value := record.get(name)) is not None}
        usage = (record.get("reply") or {}).get("usage") or {}
        facts |= {name: usage[name] for name in ("prompt_tokens", "completion_tokens") if name in usage}
        if self._has_thoughts and reads and (thought := thoughts(record)[:_LONGEST]):
            facts["thoughts"] = thought
        return {"seat": seat_name(record["seat"]), **facts}

    def _told(self, state: State, events: tuple[Event, ...]) -> Iterator[tuple[str, _Facts]]:
        for event, remarks in self._perspective.visible_remarks(events, remarks_on(state, events)):
            facts: _Facts = {"kind": event.kind, "text": event.text, "data": event.data}
            if remarks:
                facts["remarks"] = [{"text": remark.text, "kind": remark.kind} for remark in remarks]
            if event.audience is not None:
                facts["only"] = [seat_name(seat) for seat in event.audience]
            yield "told", {**facts, "round": state.round, "phase": state.phase.name}


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
