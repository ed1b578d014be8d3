"""Seat labels: what people read for a seat, `ada (P-0)`. The rules know seats alone, so labels enter the rules' words here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.core import Event, seat_name
from games.core.scene import Word
from runner.agents.seat import Seat, labels
from runner.agents.spec import Human
from runner.screen.safe_text import clean

_LONGEST = 60
Record = Mapping[str, Any]
"""A seat as a log has it."""
SEAT = r"\bP-(\d+)\b"
"""A seat in a text of the rules."""
_MARK = "P-"
_YOU = re.compile(r"(?<=[.!?] )you\b")
_TO_YOU = re.compile(r"\b[Yy]ou, (\w)")
YOU = "you"
"""What the person who looks on is called."""
_VERB = re.compile(r"(?!as\b)(?:(?<=^ )|(?<= or ))\w+s\b|^'s\b")
_IRREGULAR = {"'s": "r", "has": "have", "is": "are", "was": "were", "does": "do"}


def labels_of(seats: Sequence[Seat | Record], own: int | None = None) -> tuple[str, ...]:
    """The label of each seat of a match, or of a log's header or result, safe for a terminal; that of the person whose `own`
    seat it is says so."""
    found = [*map(_seat, seats)]
    return tuple(
        clean(label, _LONGEST) + " (you)" * (seat == own and found[seat].kind == Human.kind)
        for seat, label in enumerate(labels(found))
    )


def names_at_table(seats: Sequence[Seat | Record], own: int | None) -> tuple[str, ...]:
    """The name of each seat's player beside the seat on the table; `you` for a person whose `own` seat it is."""
    found = [*map(_seat, seats)]
    return tuple(
        one.name if seat != own or one.kind != Human.kind else f"{one.called} (you)" if one.called else "you"
        for seat, one in enumerate(found)
    )


def grouped(names: Iterable[str]) -> list[str]:
    """Names for a title, `3 × bot:steady` for those of several seats."""
    return [name if count == 1 else f"{count} × {name}" for name, count in Counter(names).items()]


def called(seats: Sequence[Seat | Record]) -> tuple[str, ...]:
    """The given name of each seat, safe for a terminal; empty for none."""
    return tuple(clean(_seat(seat).called, _LONGEST) for seat in seats)


def called_by(seats: Sequence[Seat | Record], own: int | None) -> list[str]:
    """The given names, and `you` for the person whose `own` seat it is."""
    people = [_seat(seat).kind == Human.kind for seat in seats]
    return [YOU if seat == own and people[seat] else name for seat, name in enumerate(called(seats))]


def second_person(words: str | Word) -> str | Word:
    """What follows a name, for `you` in its place: `you declare`, `your`."""
    if isinstance(words, Word):
        return words._replace(text=str(second_person(words.text)))
    return _VERB.sub(lambda verb: _IRREGULAR.get(verb[0]) or verb[0][:-1], words)


def _seat(seat: Seat | Record) -> Seat:
    return seat if isinstance(seat, Seat) else Seat.of(seat)


def label_of(labels: Sequence[str], seat: int) -> str:
    """The label of a seat; its number where it has none."""
    return labels[seat] if seat < len(labels) else seat_name(seat)


def labelled(event: Event, labels: Sequence[str]) -> str:
    """The text of an event with labels. The data of the event has what players wrote, and that stays as it is."""
    written = sorted({text for text in _texts(event.data) if _MARK in text}, key=len, reverse=True)
    pattern = re.compile("|".join([*map(re.escape, written), SEAT]))
    return pattern.sub(lambda found: label_of(labels, int(found[1])) if found[1] else found[0], event.text)


def with_labels(text: str, labels: Sequence[str]) -> str:
    """A text of the rules alone with labels."""
    return re.sub(SEAT, lambda found: label_of(labels, int(found[1])), text)


def addressed(text: str, labels: Sequence[str]) -> str:
    """A text of the rules alone for the person whose label is `you`."""
    return _TO_YOU.sub(lambda found: found[1].upper(), _YOU.sub("You", with_labels(text, labels)))


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        yield from (text for value in data.values() for text in _texts(value))
    elif isinstance(data, list | tuple):
        yield from (text for value in data for text in _texts(value))
