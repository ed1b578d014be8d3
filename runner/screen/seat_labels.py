"""Seat labels: what people read for a seat, `ada`, `steady 2`. The rules know seats alone, so labels enter their words here."""

from collections import Counter
from collections.abc import Iterable, Sequence

from games.core.sentence import YOU
from runner.agents.spec import Human, LoggedSeat, Seat, labels
from runner.screen.safe_text import clean

_LONGEST = 60


def labels_of(seats: Sequence[LoggedSeat], own: int | None = None) -> tuple[str, ...]:
    """The label of each seat of a match, or of a log's header or result, safe for a terminal; `you` for a person at `own`."""
    you = reader_of(seats, own)
    return tuple(YOU if seat == you else clean(label, _LONGEST) for seat, label in enumerate(labels(seats)))


def reader_of(seats: Sequence[LoggedSeat], own: int | None) -> int | None:
    """The seat that is `you`: the `own` seat of the reader where a person plays it."""
    return own if own is not None and Seat.of(seats[own]).kind == Human.kind else None


def grouped(names: Iterable[str]) -> list[str]:
    """Names for a title, `3 × bot:steady` for those of several seats."""
    return [name if count == 1 else f"{count} × {name}" for name, count in Counter(names).items()]
