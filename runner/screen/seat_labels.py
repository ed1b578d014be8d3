"""Seat labels: what people read for a seat, `ada (P-0)`. The rules know seats alone, so labels enter the rules' words here."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.core.sentence import YOU
from runner.agents.spec import Human, Seat, labels
from runner.screen.safe_text import clean

_LONGEST = 60
LoggedSeat = Mapping[str, Any]
"""A seat as a log has it."""


def labels_of(seats: Sequence[Seat | LoggedSeat]) -> tuple[str, ...]:
    """The label of each seat of a match, or of a log's header or result, safe for a terminal."""
    return tuple(clean(label, _LONGEST) for label in labels([*map(_seat, seats)]))


def reader_of(seats: Sequence[Seat | LoggedSeat], own: int | None) -> int | None:
    """The seat that is `you`: the `own` seat of the reader where a person plays it."""
    return own if own is not None and _seat(seats[own]).kind == Human.kind else None


def names_at_table(seats: Sequence[Seat | LoggedSeat], own: int | None) -> tuple[str, ...]:
    """The name of each seat's player beside the seat on the table; `you` for a person whose `own` seat it is."""
    you, found = reader_of(seats, own), [*map(_seat, seats)]
    return tuple(one.name if seat != you else f"{one.called} (you)" if one.called else YOU for seat, one in enumerate(found))


def grouped(names: Iterable[str]) -> list[str]:
    """Names for a title, `3 × bot:steady` for those of several seats."""
    return [name if count == 1 else f"{count} × {name}" for name, count in Counter(names).items()]


def called(seats: Sequence[Seat | LoggedSeat], own: int | None = None) -> list[str]:
    """The given name of each seat, safe for a terminal, empty for none; `you` for the person whose `own` seat it is."""
    you = reader_of(seats, own)
    return [YOU if seat == you else clean(_seat(one).called, _LONGEST) for seat, one in enumerate(seats)]


def _seat(seat: Seat | LoggedSeat) -> Seat:
    return seat if isinstance(seat, Seat) else Seat.of(seat)
