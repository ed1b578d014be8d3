"""What a game counts about how its seats play, beside scores: bids met, claims that were true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.core.event import Event
from games.core.state import State


class Measure(NamedTuple):
    """Something that is counted for each seat. A share is so many out of so many; what is none is an amount a match."""

    name: str
    about: str
    is_share: bool = True


class Count(NamedTuple):
    """So much more of a measure for a seat: `hits` out of `chances`, which mean nothing where the measure is no share."""

    measure: str
    seat: int
    hits: int
    chances: int = 1


def no_counts(before: State | None, state: State, events: Sequence[Event]) -> Iterable[Count]:
    """For a game that counts nothing."""
    return ()
