"""Narrator: events, attempts, thoughts and table talk as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from games.core import PENALTY, PHASE, Event, Remark, Sentence, Who, as_told, does, named, seat_name, told
from games.highlights import Highlight
from games.telling import parts_of
from runner.agents.spec import LoggedSeat
from runner.film.film import Line
from runner.film.perspective import Perspective
from runner.match.records import AttemptRecord, Record
from runner.record.decisions import LoggedDecision
from runner.screen.line_breaks import HangingText, hanging
from runner.screen.palette import BAD, HIGHLIGHT, HIGHLIGHT_SIGN, QUIET, TITLE, seat_style
from runner.screen.safe_text import clean
from runner.screen.seat_labels import labels_of, reader_of

_LONGEST_SAID, _LONGEST_THOUGHTS, _LONGEST_LINE, _MOST_WORDS = 200, 500, 1000, 60
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟«»＂', "'"))
_MARKS = re.compile(r"</?[A-Za-z]{1,20}>|\[/?THINK\]|```\w*|<\|[^|]*\|>")
_STYLES = {PHASE: QUIET, PENALTY: BAD, "round": TITLE, "turn": TITLE, "end": "bold green", "score": "green", "quote": "italic"}


def quotation(text: str) -> str:
    """A line of a player in quotation marks. It has none inside, so that it cannot seem to end and another one to begin."""
    return f"“{' '.join(clean(text, _LONGEST_SAID).split()).translate(_QUOTES)}”"


def thoughts_line(attempt: AttemptRecord, thinks: str) -> HangingText | None:
    """The first 60 words of the thoughts behind an attempt, after who `thinks`, and how many more there are; None
    without any. For perspectives that read the seat's answers."""
    words = thoughts(attempt).split(maxsplit=_MOST_WORDS)
    said = clean(" ".join(words[:_MOST_WORDS]), _LONGEST_THOUGHTS)
    more = f" … (+{len(words[_MOST_WORDS].split())} words)" if len(words) > _MOST_WORDS else ""
    return HangingText(f"  {thinks}: {said}{more}", style=f"{QUIET} italic") if said else None


def thoughts(attempt: AttemptRecord) -> str:
    """The reasoning beside the reply, or else the text before its answer; then the `reason` in the answer."""
    reply = attempt.get("reply") or {}
    beside = str(reply.get("reasoning") or "").strip()
    before = _MARKS.sub(" ", str(reply.get("text") or "").partition("{")[0]).strip()
    return "\n\n".join(dict.fromkeys(filter(None, (beside or before, attempt.get("reason", "").strip()))))


def event_line(
    event: Event,
    labels: Sequence[str] = (),
    remarks: Sequence[Remark] = (),
    names_audience: bool = True,
    you: int | None = None,
) -> Text:
    """An event as one line, with the labels of seats and its remarks. `names_audience`: a private one names its audience.
    `you`: the seat of the reader."""
    line = _parts(parts_of(event, labels, you), _STYLES.get(event.kind, ""))
    if remarks:
        line = _remarked(line, remarks, labels)
    if names_audience and event.audience is not None:
        line = _parts(told(Sentence("(only ", *named(event.audience, ","), ") "), labels, you), QUIET) + line
    return line


def _parts(parts: Iterable[tuple[str, int | None]], style: str) -> Text:
    """Words in a style, names in the colours of their seats."""
    line, room = Text(style=style), _LONGEST_LINE
    for said, seat in parts:
        if room > 0:
            line.append(clean(said, room), None if seat is None else f"bold {seat_style(seat)}")
        room -= len(said)
    return line


def _remarked(line: Text, remarks: Sequence[Remark], labels: Sequence[str]) -> Text:
    """A line with its remarks in brackets before the full stop, and a sign behind it where one of them is a highlight."""
    is_highlight = any(remark.kind for remark in remarks)
    if texts := [remark.text for remark in remarks if remark.text]:
        has_stop = line.plain.endswith(".")
        line.right_crop(int(has_stop))
        said = _parts(told(f" ({', '.join(texts)})", labels), HIGHLIGHT if is_highlight else QUIET)
        line = line + said + Text("." * has_stop)
    return line + Text(f" {HIGHLIGHT_SIGN}", style=HIGHLIGHT) if is_highlight else line


def is_highlight(line: Text) -> bool:
    """Whether an event's line tells a highlight."""
    return line.plain.endswith(f" {HIGHLIGHT_SIGN}")


@dataclass(frozen=True, slots=True)
class Narrator:
    """Describes a match as a perspective may know it, optionally with the thoughts of models. `labels` are those of the seats,
    where players have names; `you` is the seat of the person who reads, if they play."""

    perspective: Perspective
    has_thoughts: bool = False
    labels: tuple[str, ...] = ()
    you: int | None = None

    def of(self, seats: Sequence[LoggedSeat], is_played: bool = False) -> Narrator:
        """The same narrator for a match with these seats. `is_played`: the person of its own seat reads."""
        you = reader_of(seats, self.perspective.seat) if is_played else None
        return replace(self, labels=labels_of(seats), you=you)

    def label(self, seat: int) -> str:
        """What people read for a seat."""
        return as_told(seat_name(seat), self.labels, self.you)

    def told(self, record: Record, strikes: int) -> list[Text]:
        """What a record tells without the events of the game: an attempt its thoughts and why its answer is invalid, table talk
        its line. What players think and say is a HangingText."""
        if record["kind"] == "talk":
            who = self.label(record["seat"]), f"bold {seat_style(record['seat'])}"
            return [hanging(Text.assemble(who, ": ", (quotation(record["text"]), "italic")))]
        if record["kind"] != "attempt":
            return []
        seat, is_shown = record["seat"], self.has_thoughts and self.perspective.reads(record["seat"])
        thought = thoughts_line(record, as_told(does(seat, "think"), self.labels, self.you)) if is_shown else None
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

    def framed(self, lines: Iterable[Line], strikes: int, omitted: frozenset[str] = frozenset()) -> list[Text]:
        """The lines of frames; of the `omitted` kinds of events only highlights."""
        told = list[Text]()
        for line in lines:
            if line.moment:
                told += self._later(line)
            elif line.record is not None:
                told += self.told(line.record, strikes)
            kept = [one for one in line.told if one[0].kind not in omitted or any(remark.kind for remark in one[1])]
            told += [Text(" ").join(self.lines(kept))] if len(kept) > 1 else self.lines(kept)
        return told

    def _later(self, line: Line) -> Iterator[Text]:
        """A thought that is told when nothing is hidden any more that it could give away."""
        if self.has_thoughts and line.record is not None and line.record["kind"] == "attempt":
            thinks = as_told(Sentence(Who(line.record["seat"]), f" thought in {line.moment}"), self.labels, self.you)
            thought = thoughts_line(line.record, thinks)
            yield from () if thought is None else (thought,)

    def _line(self, event: Event, remarks: Sequence[Remark]) -> Text:
        """An event as one line; in the view of all without its audience, since there a private event is none."""
        return event_line(event, self.labels, remarks, not self.perspective.sees_all, self.you)

    def highlight(self, highlight: Highlight) -> Text:
        """A highlight as one line: the event with its remark."""
        return self._line(highlight.event, [highlight.remark._replace(kind="")])

    def attempts(self, decision: LoggedDecision) -> list[Text]:
        """The attempts at a decision of a log, and what was said with it."""
        said: list[Record] = [*decision.attempts, *decision.talk]
        return [line for record in said for line in self.told(record, decision.state.setup.options.strikes)]
