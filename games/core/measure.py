"""What a game counts about how its seats play, beside scores: bids met, claims that were true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.core.event import Event
from games.core.state import State


class Measure(NamedTuple):
    """Something counted for each seat: a share (hits out of chances), or an amount per match.

    `is_recounted`: earlier versions counted it otherwise, so that older logs may have other counts.
    """

    name: str
    about: str
    is_share: bool = True
    is_recounted: bool = False


class Count(NamedTuple):
    """An addition to a measure of a seat: `hits` out of `chances`, which only a share uses."""

    measure: str
    seat: int
    hits: int
    chances: int = 1


def no_counts(before: State | None, state: State, events: Sequence[Event]) -> Iterable[Count]:
    """The counts of a game without measures."""
    return ()
