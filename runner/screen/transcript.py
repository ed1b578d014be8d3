"""Transcript: a logged match as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from games.core import State, counted
from runner.agents.seat import is_rated
from runner.match.events import MatchEvent
from runner.match.records import PauseRecord, ResumedRecord
from runner.record.decisions import no_decision
from runner.record.reader import Log
from runner.record.replay import opening, replay
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET, TITLE, seat_text
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
from runner.screen.seat_labels import labels_of
from runner.screen.seen_review import SeenReview

_NUMBER = 5


def transcript(log: Log, narrator: Narrator, review: SeenReview | None = None, after: int = 0) -> Iterator[Text]:
    """The match as lines, each decision with its number, faults with what was better; from the start, or `after` a decision.

    UsageError when the log does not have that decision, LogDamagedError after the last valid line.
    """
    last = sum(1 for _ in log.of_kind("decision"))
    if after > last:
        raise no_decision(after, last)
    yield from _title(log, narrator.perspective)
    number, before = 0, opening(log.header)[1]
    strikes = before.setup.options.strikes
    for _, event in replay(log):
        if event.record["kind"] in ("header", "resumed"):
            narrator = narrator.of(labels_of(event.match.config.seats))
        is_decision = event.record["kind"] == "decision"
        number += is_decision
        label = f"{number:>{_NUMBER}} " if is_decision else " " * (_NUMBER + 1)
        faults = _faults(review, number, before, narrator.perspective) if is_decision else []
        before = event.match.state
        if number < after or (number == after and is_decision):
            continue
        for line in (*_event_lines(event, narrator, strikes), *faults):
            yield Text(label, style=QUIET) + line
            label = " " * (_NUMBER + 1)
    if log.damage is not None:
        raise log.damage


def _faults(review: SeenReview | None, number: int, before: State, perspective: Perspective) -> list[Text]:
    graded = None if review is None else review.graded(number, before, perspective)
    return [graded.line] if graded is not None and graded.sign else []


def _event_lines(event: MatchEvent, narrator: Narrator, strikes: int) -> Sequence[Text]:
    record = event.record
    if record["kind"] == "pause" or record["kind"] == "resumed":
        return [_note(record)]
    if record["kind"] == "talk":
        return narrator.talk([record])
    return narrator.attempt(record, strikes) if record["kind"] == "attempt" else narrator.change(event)


def _title(log: Log, perspective: Perspective) -> Iterator[Text]:
    header = log.header
    game, _ = opening(header)
    facts = f" · {header['players']} players, rules {header['rules']}"
    facts += f", seed {header['seed']}" if perspective.sees_all else ""
    facts += ", rated" if is_rated(header["seats"]) else ""
    yield Text(game.title, style=TITLE) + Text(f"{facts}, {clean(header.get('created'), 40)}", style=QUIET)
    for index, seat in enumerate(header["seats"]):
        yield seat_text(index) + Text(f" {clean(seat.get('name'), 200)}")


_NOTES = {"pause": "paused", "resumed": "resumed"}


def _note(record: PauseRecord | ResumedRecord) -> Text:
    why = f": {clean(record['why'], 300)}" if record["kind"] == "pause" and record["why"] else ""
    return Text(f"-- {_NOTES[record['kind']]} {clean(record.get('at'), 40)}{why}", style=QUIET)


def verdict_line(decisions: int, has_ended: bool) -> str:
    """The verdict on a valid log, as one sentence."""
    end = "the match has ended" if has_ended else "the match is unfinished and can be resumed"
    return f"Sound: {counted(decisions, 'decision')} {'replays' if decisions == 1 else 'replay'} as logged; {end}."
