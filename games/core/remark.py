"""Remarks on events: what is true behind them. They are for people who watch a match, and never for its seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from games.core.event import Event


class Remark(NamedTuple):
    """What somebody who sees the whole state can add to event number `event` of a transition: `bluff`.

    `text` is empty where the event says it already. A remark with a `kind` is a highlight: `seat` is the seat that it is
    about, and `weight` says how much it is worth showing beside others. `is_public`: everybody who knows the events so far
    knows it, and its event is public too.
    """

    event: int
    text: str
    kind: str = ""
    seat: int | None = None
    weight: int = 0
    is_public: bool = False


Remarking = Callable[[Any, Any, Sequence[Event]], Iterable[Remark]]
"""Gives the remarks on a transition: the state before it (None at the deal), the state after it, and its events."""


def no_remarks(before: Any, state: Any, events: Sequence[Event]) -> Iterable[Remark]:
    """The remarks of a game without any."""
    return ()


def overtaker(before: Sequence[float], after: Sequence[float]) -> int | None:
    """The seat that leads alone after a change of scores and was not among the leaders before it; None if there is none."""
    leaders = [seat for seat, score in enumerate(after) if score == max(after)]
    return leaders[0] if len(leaders) == 1 and before[leaders[0]] < max(before) else None
