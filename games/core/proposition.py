"""Propositions: what a seat cannot know when it decides, in words, with a test on a world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Proposition(NamedTuple):
    """A statement that comes out as true or false. `text` follows from what the seat knows. `holds` tests a world: the state in
    which the seat was asked, another one of its information set, or a later state; None where it is still open. Of the
    propositions of one `group` exactly one holds. `chance` is the exact probability by the cards that the seat knows of alone,
    where the game counts it; None: it is estimated from worlds."""

    text: str
    holds: Callable[[Any], bool | None]
    group: str = ""
    chance: float | None = None


Proposing = Callable[[Any, int], Sequence[Proposition]]
"""The propositions for the decision that a seat owes in a state; none where nothing matters that it cannot know."""


def no_propositions(state: Any, seat: int) -> Sequence[Proposition]:
    """For a game without any."""
    return ()
