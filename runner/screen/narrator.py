"""Narrator: events and attempts as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.text import Text

from games.core import PENALTY, PHASE, Event, seat_name
from runner.match.records import AttemptRecord, TalkRecord
from runner.record.decisions import LoggedDecision
from runner.screen.palette import BAD, QUIET, TITLE, seat_style
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
from runner.screen.speech import speech_line
from runner.screen.thoughts import thoughts_line

_STYLES = {PHASE: QUIET, PENALTY: BAD, "round": TITLE, "end": "bold green", "score": "green", "quote": "italic"}


def event_line(event: Event) -> Text:
    """An event as one line. A private event names its audience."""
    line = Text(clean(event.text), style=_STYLES.get(event.kind, ""))
    if event.audience is not None:
        names = ", ".join(seat_name(seat) for seat in event.audience)
        line = Text(f"(only {names}) ", style=QUIET) + line
    for seat in range(len(_SEAT_NAMES)):
        line.highlight_words([_SEAT_NAMES[seat]], style=f"bold {seat_style(seat)}")
    return line


_SEAT_NAMES = tuple(seat_name(seat) for seat in range(10))


def attempt_line(record: AttemptRecord, strikes: int, knows_why: bool = True) -> Text | None:
    """An attempt without a valid answer as one line; None for a valid one. `knows_why`: the reason may be shown."""
    who = seat_name(record["seat"])
    if record["outcome"] == "mistake":
        count = record.get("strike", 0) + 1
        why = f" ({clean(record.get('what'), 40)}): {clean(record.get('why', ''), 300)}" if knows_why else "."
        return Text(f"✗ {who}: invalid answer {count} of {strikes}{why}", style="yellow")
    if record["outcome"] in ("infrastructure", "configuration"):
        what = f"({clean(record.get('what'), 40)}): {clean(record.get('why', ''), 300)}"
        return Text(f"… {who}: no answer delivered {what}", style=QUIET)
    return None


@dataclass(frozen=True, slots=True)
class Narrator:
    """Describes a match as a perspective may know it, optionally with the thoughts of models."""

    perspective: Perspective
    has_thoughts: bool = False

    def attempt(self, record: AttemptRecord, strikes: int) -> list[Text]:
        """The thoughts behind an attempt, and why its answer was invalid, if it was."""
        thought = self.thought(record)
        return ([] if thought is None else [thought]) + self.outcome(record, strikes)

    def thought(self, record: AttemptRecord) -> Text | None:
        """The thoughts behind an attempt, if they may be shown."""
        return thoughts_line(record) if self.has_thoughts and self.perspective.reads(record["seat"]) else None

    def outcome(self, record: AttemptRecord, strikes: int) -> list[Text]:
        """Why the answer of an attempt was invalid, if it was."""
        line = attempt_line(record, strikes, self.perspective.reads(record["seat"]))
        return [] if line is None else [line]

    def talk(self, records: Iterable[TalkRecord], names: Sequence[str]) -> list[Text]:
        """Table talk, one line each. `names` are the players' names by seat."""
        return [speech_line(record["seat"], names[record["seat"]], record["text"]) for record in records]

    def events(self, events: tuple[Event, ...]) -> list[Text]:
        """Events, one line each. Phases are omitted: the header shows them."""
        return [event_line(event) for event in self.perspective.visible_events(events) if event.kind != PHASE]

    def logged(self, decision: LoggedDecision, names: Sequence[str]) -> list[Text]:
        """A decision of a log: its attempts, its events, and the table talk after it."""
        return self.attempts(decision) + self.events(decision.events) + self.talk(decision.talk, names)

    def attempts(self, decision: LoggedDecision) -> list[Text]:
        """The attempts at a decision of a log."""
        strikes = decision.state.setup.options.strikes
        return [line for attempt in decision.attempts for line in self.attempt(attempt, strikes)]
