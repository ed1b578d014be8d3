"""Told events: what a seat may know of what happened, as its client gets it."""

from __future__ import annotations

from games.core import PHASE, Event, seat_name
from runner.match.records import TalkRecord
from runner.screen.perspective import Perspective
from runner.screen.speech import quotation

Told = dict[str, object]
"""One event: its `kind`, a sentence, and the same as data."""


def told_events(events: tuple[Event, ...], seat: int) -> list[Told]:
    """The events that a seat may know, without phases: its view has the present one."""
    seen = Perspective(seat).visible_events(events)
    return [{"kind": event.kind, "text": event.text, "data": event.data} for event in seen if event.kind != PHASE]


def told_talk(record: TalkRecord) -> Told:
    """A line of table talk, as a quotation."""
    text = f"{seat_name(record['seat'])} says: {quotation(record['text'])}"
    return {"kind": "talk", "text": text, "data": {"seat": record["seat"], "text": record["text"]}}
