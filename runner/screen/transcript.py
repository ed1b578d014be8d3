"""Transcript: a match as lines of text, while it is played or from its log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from games.core import counted
from games.highlights import remarks_on
from runner.agents.spec import is_rated
from runner.film.perspective import Perspective
from runner.match.header import rules_in_words
from runner.match.match_state import MatchEvent
from runner.match.records import PauseRecord, ResumedRecord
from runner.record.decisions import no_decision
from runner.record.reader import Log
from runner.record.replay import opening, replay
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET, TITLE, seat_text
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.screen.seen_review import SeenReview

_NUMBER = 5


def transcript(log: Log, narrator: Narrator, review: SeenReview | None = None, after: int = 0) -> Iterator[Text]:
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
        for line in (*notes, *_lines(event, narrator), *faults):
            yield Text(label, style=QUIET) + line
            label = " " * (_NUMBER + 1)
    if log.damage is not None:
        raise log.damage


def _lines(event: MatchEvent, narrator: Narrator) -> Sequence[Text]:
    told = narrator.told(event.record, event.match.config.setup.options.strikes)
    return [*told, *narrator.events(event.events, remarks_on(event.match.state, event.events))]


def _title(log: Log, perspective: Perspective) -> Iterator[Text]:
    header = log.header
    game, _ = opening(header)
    facts = f" · {header['players']} players, {clean(rules_in_words(header), 90)}"
    facts += f", seed {header['seed']}" if perspective.sees_all else ""
    facts += ", rated" if is_rated(header["seats"]) else ""
    yield Text(game.title, style=TITLE) + Text(f"{facts}, {clean(header.get('created'), 40)}", style=QUIET)
    for index, seat in enumerate(header["seats"]):
        yield seat_text(index) + Text(f" {clean(seat.get('name'), 200)}")


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
            self._narrator = self._narrator.of(event.match.config.seats)
        for line in _lines(event, self._narrator):
            self._console.print(line, soft_wrap=True)
        self._console.file.flush()
