"""What happened, as lines to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from games.core import PENALTY, PHASE, Event, seat_name
from runner.match.records import AttemptRecord
from runner.screen.palette import BAD, QUIET, TITLE, seat_style
from runner.screen.safe_text import clean
from runner.screen.scene import Perspective
from runner.screen.thoughts import thoughts_line

_STYLES = {PHASE: QUIET, PENALTY: BAD, "round": TITLE, "end": "bold green", "score": "green", "quote": "italic"}


def event_line(event: Event) -> Text:
    """An event as one line. Private ones carry a mark."""
    line = Text(clean(event.text), style=_STYLES.get(event.kind, ""))
    if event.audience is not None:
        names = ", ".join(seat_name(seat) for seat in event.audience)
        line = Text(f"(only {names}) ", style=QUIET) + line
    for seat in range(len(_SEAT_NAMES)):
        line.highlight_words([_SEAT_NAMES[seat]], style=f"bold {seat_style(seat)}")
    return line


_SEAT_NAMES = tuple(seat_name(seat) for seat in range(10))


def attempt_line(record: AttemptRecord, strikes: int, knows_why: bool = True) -> Text | None:
    """A notice of an attempt that brought no valid answer; None when it did. What was wrong is for those who may know."""
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
class Telling:
    """Tells a match as far as a perspective may know it, on demand with the thoughts of those whose answers it may read."""

    perspective: Perspective
    has_thoughts: bool = False

    def attempt(self, record: AttemptRecord, strikes: int) -> list[Text]:
        """What was thought, and why the answer did not count, if it did not."""
        reads = self.perspective.reads(record["seat"])
        thought = thoughts_line(record) if self.has_thoughts and reads else None
        return [line for line in (thought, attempt_line(record, strikes, reads)) if line is not None]

    def events(self, events: tuple[Event, ...]) -> list[Text]:
        """What happened, a line each; phases alone are left to the header."""
        return [event_line(event) for event in self.perspective.heard(events) if event.kind != PHASE]

    def decision(self, attempts: Iterable[AttemptRecord], events: tuple[Event, ...], strikes: int) -> list[Text]:
        """A decision: the attempts, then what happened."""
        return [line for one in attempts for line in self.attempt(one, strikes)] + self.events(events)


def story_of(
    attempts: Iterable[AttemptRecord], events: tuple[Event, ...], perspective: Perspective, strikes: int
) -> list[Text]:
    """A decision in lines, without thoughts."""
    return Telling(perspective).decision(attempts, events, strikes)
