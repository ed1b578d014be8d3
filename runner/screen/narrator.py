"""Narrator: events and attempts as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from games.core import PENALTY, PHASE, Event, Remark, seat_name
from runner.match.events import MatchEvent
from runner.match.records import AttemptRecord, TalkRecord
from runner.record.decisions import LoggedDecision
from runner.record.highlights import Highlight, remarks_on, remarks_on_decision
from runner.screen.hanging_text import HangingText
from runner.screen.palette import BAD, HIGHLIGHT, HIGHLIGHT_SIGN, QUIET, TITLE, seat_style
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
from runner.screen.seat_labels import label_of, labelled, with_labels
from runner.screen.speech import speech_line
from runner.screen.thoughts import thoughts_line

_STYLES = {PHASE: QUIET, PENALTY: BAD, "round": TITLE, "turn": TITLE, "end": "bold green", "score": "green", "quote": "italic"}


def event_line(event: Event, labels: Sequence[str] = (), remarks: Sequence[Remark] = (), names_audience: bool = True) -> Text:
    """An event as one line, with the labels of seats and its remarks. `names_audience`: a private one names its audience."""
    line = Text(clean(labelled(event, labels)), style=_STYLES.get(event.kind, ""))
    if remarks:
        line = _remarked(line, remarks, labels)
    if names_audience and event.audience is not None:
        names = ", ".join(map(seat_name, event.audience))
        line = Text(f"(only {names}) ", style=QUIET) + line
    for seat in range(len(_SEAT_NAMES)):
        line.highlight_words([label_of(labels, seat), _SEAT_NAMES[seat]], style=f"bold {seat_style(seat)}")
    return line


def _remarked(line: Text, remarks: Sequence[Remark], labels: Sequence[str]) -> Text:
    """A line with its remarks in brackets before the full stop, and a sign behind it where one of them is a highlight."""
    is_highlight = any(remark.kind for remark in remarks)
    if said := ", ".join(clean(with_labels(remark.text, labels)) for remark in remarks if remark.text):
        has_stop = line.plain.endswith(".")
        line.right_crop(int(has_stop))
        line = line + Text(f" ({said})", style=HIGHLIGHT if is_highlight else QUIET) + Text("." * has_stop)
    return line + Text(f" {HIGHLIGHT_SIGN}", style=HIGHLIGHT) if is_highlight else line


_SEAT_NAMES = tuple(seat_name(seat) for seat in range(10))


def attempt_line(record: AttemptRecord, strikes: int, who: str, knows_why: bool = True) -> Text | None:
    """An attempt without a valid answer as one line; None for a valid one. `who` is the seat's label, `knows_why`: the reason
    may be shown."""
    if record["outcome"] == "mistake":
        count = record.get("strike", 0) + 1
        why = f" ({clean(record.get('what'), 40)}): {clean(record.get('why', ''), 300)}" if knows_why else "."
        return Text(f"✗ {who}: invalid answer {count} of {record.get('strikes', strikes)}{why}", style="yellow")
    if record["outcome"] in ("infrastructure", "configuration"):
        what = f"({clean(record.get('what'), 40)}): {clean(record.get('why', ''), 300)}"
        return Text(f"… {who}: no answer delivered {what}", style=QUIET)
    return None


def is_highlight(line: Text) -> bool:
    """Whether an event's line tells a highlight."""
    return line.plain.endswith(f" {HIGHLIGHT_SIGN}")


@dataclass(frozen=True, slots=True)
class Narrator:
    """Describes a match as a perspective may know it, optionally with the thoughts of models. `labels` are those of the seats,
    where players have names."""

    perspective: Perspective
    has_thoughts: bool = False
    labels: tuple[str, ...] = ()

    def of(self, labels: tuple[str, ...]) -> Narrator:
        """The same narrator for a match whose seats have these labels."""
        return replace(self, labels=labels)

    def attempt(self, record: AttemptRecord, strikes: int) -> list[Text]:
        """The thoughts behind an attempt, and why its answer was invalid, if it was."""
        thought = self.thought(record)
        return ([] if thought is None else [thought]) + self.outcome(record, strikes)

    def thought(self, record: AttemptRecord) -> HangingText | None:
        """The thoughts behind an attempt, if they may be shown."""
        seat = record["seat"]
        return thoughts_line(record, self.label(seat)) if self.has_thoughts and self.perspective.reads(seat) else None

    def outcome(self, record: AttemptRecord, strikes: int) -> list[Text]:
        """Why the answer of an attempt was invalid, if it was."""
        line = attempt_line(record, strikes, self.label(record["seat"]), self.perspective.reads(record["seat"]))
        return [] if line is None else [line]

    def talk(self, records: Iterable[TalkRecord]) -> list[HangingText]:
        """Table talk, one line each."""
        return [speech_line(record["seat"], self.label(record["seat"]), record["text"]) for record in records]

    def label(self, seat: int) -> str:
        """What people read for a seat."""
        return label_of(self.labels, seat)

    def change(self, event: MatchEvent) -> list[Text]:
        """What a deal or a decision did, as it happens."""
        return self.events(event.events, remarks_on(event.match.state, event.events))

    def events(
        self, events: Sequence[Event], remarks: Iterable[Remark] = (), omitted: frozenset[str] = frozenset()
    ) -> list[Text]:
        """Events with their remarks, one line each. Phases are omitted, because the header shows them; `omitted` are the kinds
        that something beside the story shows."""
        seen = self.perspective.visible_remarks(events, remarks, omitted)
        return [self._line(event, said) for event, said in seen if event.kind != PHASE]

    def _line(self, event: Event, remarks: Sequence[Remark]) -> Text:
        """An event as one line; in the view of all without its audience, since there a private event is none."""
        return event_line(event, self.labels, remarks, names_audience=not self.perspective.sees_all)

    def highlight(self, highlight: Highlight) -> Text:
        """A highlight as one line: the event with its remark."""
        return self._line(highlight.event, [highlight.remark._replace(kind="")])

    def logged(self, decision: LoggedDecision) -> list[Text]:
        """A decision of a log: its attempts, its events, and the table talk after it."""
        return [
            *self.attempts(decision),
            *self.events(decision.events, remarks_on_decision(decision)),
            *self.talk(decision.talk),
        ]

    def attempts(self, decision: LoggedDecision) -> list[Text]:
        """The attempts at a decision of a log."""
        strikes = decision.state.setup.options.strikes
        return [line for attempt in decision.attempts for line in self.attempt(attempt, strikes)]

    def thoughts(self, decision: LoggedDecision) -> list[HangingText]:
        """The thoughts behind the attempts at a decision of a log that may be shown."""
        if not self.has_thoughts:
            return []
        return [line for attempt in decision.attempts if (line := self.thought(attempt)) is not None]

    def outcomes(self, decision: LoggedDecision) -> list[Text]:
        """The invalid and failed attempts at a decision of a log."""
        strikes = decision.state.setup.options.strikes
        return [line for attempt in decision.attempts for line in self.outcome(attempt, strikes)]
