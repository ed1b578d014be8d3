"""Narrator: events and attempts as lines of text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from games.core import PENALTY, PHASE, Event, seat_name
from runner.match.records import AttemptRecord
from runner.screen.palette import BAD, QUIET, TITLE, seat_style
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
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
        return Text(f"✗ {who}: invalid answer {count} of {record.get('strikes', strikes)}{why}", style="yellow")
    if record["outcome"] in ("infrastructure", "configuration"):
        what = f"({clean(record.get('what'), 40)}): {clean(record.get('why', ''), 300)}"
        return Text(f"… {who}: no answer delivered {what}", style=QUIET)
    return None


@dataclass(frozen=True, slots=True)
class Narrator:
    """Describes a match as a perspective may know it, optionally with the reasoning of models."""

    perspective: Perspective
    has_thoughts: bool = False

    def attempt(self, record: AttemptRecord, strikes: int) -> list[Text]:
        """The reasoning of an attempt, and why its answer was invalid, if it was."""
        reads = self.perspective.reads(record["seat"])
        thought = thoughts_line(record) if self.has_thoughts and reads else None
        return [line for line in (thought, attempt_line(record, strikes, reads)) if line is not None]

    def events(self, events: tuple[Event, ...]) -> list[Text]:
        """Events, one line each. Phases are omitted: the header shows them."""
        return [event_line(event) for event in self.perspective.visible_events(events) if event.kind != PHASE]

    def decision(self, attempts: Iterable[AttemptRecord], events: tuple[Event, ...], strikes: int) -> list[Text]:
        """A decision: its attempts, then its events."""
        return [line for one in attempts for line in self.attempt(one, strikes)] + self.events(events)


def decision_lines(
    attempts: Iterable[AttemptRecord], events: tuple[Event, ...], perspective: Perspective, strikes: int
) -> list[Text]:
    """A decision as lines of text, without reasoning."""
    return Narrator(perspective).decision(attempts, events, strikes)
