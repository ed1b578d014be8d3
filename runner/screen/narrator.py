"""Narrator: events, attempts, thoughts and table talk as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rich.text import Text

from games.core import PENALTY, PHASE, Event, Remark
from runner.match.records import AttemptRecord, Record
from runner.record.decisions import LoggedDecision
from runner.record.highlights import Highlight, remarks_on_decision
from runner.screen.line_breaks import HangingText
from runner.screen.palette import BAD, HIGHLIGHT, HIGHLIGHT_SIGN, QUIET, TITLE, seat_style
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
from runner.screen.seat_labels import SEAT, label_of, labelled, with_labels

_LONGEST_SAID, _LONGEST_THOUGHTS, _MOST_WORDS = 200, 500, 60
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟«»＂', "'"))
_MARKS = re.compile(r"</?[A-Za-z]{1,20}>|\[/?THINK\]|```\w*|<\|[^|]*\|>")
_STYLES = {PHASE: QUIET, PENALTY: BAD, "round": TITLE, "turn": TITLE, "end": "bold green", "score": "green", "quote": "italic"}


def speech_line(seat: int, label: str, text: str) -> HangingText:
    """What the player at a seat says, as one line that starts with its label."""
    line = HangingText()
    line.append(label, f"bold {seat_style(seat)}").append(": ").append(quotation(text), "italic")
    return line


def quotation(text: str) -> str:
    """A line of a player in quotation marks. It has none inside, so that it cannot seem to end and another one to begin."""
    return f"“{' '.join(clean(text, _LONGEST_SAID).split()).translate(_QUOTES)}”"


def thoughts_line(attempt: AttemptRecord, who: str) -> HangingText | None:
    """The first 60 words of the thoughts behind an attempt, and how many more there are; None where there are none. For
    perspectives that read the seat's answers."""
    words = thoughts(attempt).split(maxsplit=_MOST_WORDS)
    told = clean(" ".join(words[:_MOST_WORDS]), _LONGEST_THOUGHTS)
    more = f" … (+{len(words[_MOST_WORDS].split())} words)" if len(words) > _MOST_WORDS else ""
    return HangingText(f"  {who} thinks: {told}{more}", style=f"{QUIET} italic") if told else None


def thoughts(attempt: AttemptRecord) -> str:
    """The reasoning beside the reply, or else the text before its answer; then the `reason` in the answer."""
    reply = attempt.get("reply") or {}
    beside = str(reply.get("reasoning") or "").strip()
    before = _MARKS.sub(" ", str(reply.get("text") or "").partition("{")[0]).strip()
    return "\n\n".join(dict.fromkeys(filter(None, (beside or before, attempt.get("reason", "").strip()))))


def event_line(event: Event, labels: Sequence[str] = (), remarks: Sequence[Remark] = (), names_audience: bool = True) -> Text:
    """An event as one line, with the labels of seats and its remarks. `names_audience`: a private one names its audience."""
    line = Text(clean(labelled(event, labels)), style=_STYLES.get(event.kind, ""))
    if remarks:
        line = _remarked(line, remarks, labels)
    if names_audience and event.audience is not None:
        line = Text(f"(only {', '.join(label_of(labels, seat) for seat in event.audience)}) ", style=QUIET) + line
    pattern, seats = _seats_in(tuple(labels))
    for found in pattern.finditer(line.plain):
        seat = int(found[1]) if found[1] else seats[found[0]]
        line.stylize(f"bold {seat_style(seat)}", *found.span())
    return line


@cache
def _seats_in(labels: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, int]]:
    """What finds seats and their labels in a line, and the seat of each label."""
    seats = {label: seat for seat, label in enumerate(labels)}
    whole = (rf"(?<!\w){re.escape(label)}(?!\w)" for label in sorted(seats, key=len, reverse=True))
    return re.compile("|".join([*whole, SEAT])), seats


def _remarked(line: Text, remarks: Sequence[Remark], labels: Sequence[str]) -> Text:
    """A line with its remarks in brackets before the full stop, and a sign behind it where one of them is a highlight."""
    is_highlight = any(remark.kind for remark in remarks)
    if said := ", ".join(clean(with_labels(remark.text, labels)) for remark in remarks if remark.text):
        has_stop = line.plain.endswith(".")
        line.right_crop(int(has_stop))
        line = line + Text(f" ({said})", style=HIGHLIGHT if is_highlight else QUIET) + Text("." * has_stop)
    return line + Text(f" {HIGHLIGHT_SIGN}", style=HIGHLIGHT) if is_highlight else line


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

    def label(self, seat: int) -> str:
        """What people read for a seat."""
        return label_of(self.labels, seat)

    def told(self, record: Record, strikes: int) -> list[Text]:
        """What a record tells without the events of the game: an attempt its thoughts and why its answer is invalid, table talk
        its line. What players think and say is a HangingText."""
        if record["kind"] == "talk":
            return [speech_line(record["seat"], self.label(record["seat"]), record["text"])]
        if record["kind"] != "attempt":
            return []
        seat, is_shown = record["seat"], self.has_thoughts and self.perspective.reads(record["seat"])
        thought = thoughts_line(record, self.label(seat)) if is_shown else None
        return [*([thought] if thought is not None else []), *self.outcome(record, strikes)]

    def outcome(self, record: AttemptRecord, strikes: int) -> list[Text]:
        """Why an attempt brought no valid answer, if it brought none; for a mistake of a hidden seat only that it made one."""
        who, why = self.label(record["seat"]), f"({clean(record.get('what'), 40)}): {clean(record.get('why', ''), 300)}"
        if record["outcome"] == "mistake":
            count = f"{record.get('strike', 0) + 1} of {record.get('strikes', strikes)}"
            reason = f" {why}" if self.perspective.reads(record["seat"]) else "."
            return [Text(f"✗ {who}: invalid answer {count}{reason}", style="yellow")]
        if record["outcome"] in ("infrastructure", "configuration"):
            return [Text(f"… {who}: no answer delivered {why}", style=QUIET)]
        return []

    def events(
        self, events: Sequence[Event], remarks: Iterable[Remark] = (), omitted: frozenset[str] = frozenset()
    ) -> list[Text]:
        """Events with their remarks, one line each. Phases are omitted, because the header shows them; `omitted` are the kinds
        that something beside the story shows."""
        return self.lines(self.perspective.visible_remarks(events, remarks, omitted))

    def lines(self, seen: Iterable[tuple[Event, Sequence[Remark]]]) -> list[Text]:
        """Events that the perspective may know, one line each, without phases."""
        return [self._line(event, said) for event, said in seen if event.kind != PHASE]

    def _line(self, event: Event, remarks: Sequence[Remark]) -> Text:
        """An event as one line; in the view of all without its audience, since there a private event is none."""
        return event_line(event, self.labels, remarks, names_audience=not self.perspective.sees_all)

    def highlight(self, highlight: Highlight) -> Text:
        """A highlight as one line: the event with its remark."""
        return self._line(highlight.event, [highlight.remark._replace(kind="")])

    def logged(self, decision: LoggedDecision) -> list[Text]:
        """A decision of a log: its attempts, its events, and the table talk after it."""
        events = self.events(decision.events, remarks_on_decision(decision))
        return [*self.attempts(decision), *events, *self.talk(decision)]

    def attempts(self, decision: LoggedDecision) -> list[Text]:
        """The attempts at a decision of a log."""
        strikes = decision.state.setup.options.strikes
        return [line for attempt in decision.attempts for line in self.told(attempt, strikes)]

    def talk(self, decision: LoggedDecision) -> list[Text]:
        """The table talk after a decision of a log."""
        return [line for record in decision.talk for line in self.told(record, 0)]
