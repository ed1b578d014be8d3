"""Seat labels: what people read for a seat, `ada (P-0)`. The rules know seats alone, so labels enter the rules' words here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.core import Event, seat_name
from runner.agents.seat import Seat, labels
from runner.screen.safe_text import clean

_LONGEST = 60
_SEAT = r"\bP-(\d+)\b"
_MARK = "P-"


def labels_of(seats: Sequence[Seat]) -> tuple[str, ...]:
    """The label of each seat, safe for a terminal."""
    return tuple(clean(label, _LONGEST) for label in labels(seats))


def called(seats: Sequence[Seat]) -> tuple[str, ...]:
    """The given name of each seat, safe for a terminal; empty for none."""
    return tuple(clean(seat.called, _LONGEST) for seat in seats)


def labels_of_records(records: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The label of each seat in a log's header or result."""
    return labels_of([Seat.of(record) for record in records])


def called_of_records(records: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The given name of each seat in a log's header; empty for none."""
    return called([Seat.of(record) for record in records])


def label_of(labels: Sequence[str], seat: int) -> str:
    """The label of a seat; its number where it has none."""
    return labels[seat] if seat < len(labels) else seat_name(seat)


def labelled(event: Event, labels: Sequence[str]) -> str:
    """The text of an event with labels. The data of the event has what players wrote, and that stays as it is."""
    written = sorted({text for text in _texts(event.data) if _MARK in text}, key=len, reverse=True)
    pattern = re.compile("|".join([*map(re.escape, written), _SEAT]))
    return pattern.sub(lambda found: label_of(labels, int(found[1])) if found[1] else found[0], event.text)


def with_labels(text: str, labels: Sequence[str]) -> str:
    """A text of the rules alone with labels."""
    return re.sub(_SEAT, lambda found: label_of(labels, int(found[1])), text)


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        yield from (text for value in data.values() for text in _texts(value))
    elif isinstance(data, list | tuple):
        yield from (text for value in data for text in _texts(value))
