"""A finished match, as far as ratings are concerned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Played(NamedTuple):
    """Who sat where and how it ended, everything by seat.

    `deal` names what was dealt: matches with the same deal differ in who sat where alone. `kind` names what matches
    have to share for their seats to be the same: game, rules, options, number of players. `places` begin at 1 and
    `wins` are shares of one win. `is_struck` says that somebody was struck out.
    """

    kind: str
    deal: str
    agents: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    wins: tuple[float, ...]
    is_struck: bool = False


def places_of(scores: Sequence[float], winners: Iterable[int]) -> tuple[int, ...]:
    """The place of each seat: those who share the win are first, the others follow by score; equals share a place."""
    first = set(winners)
    worth = [(seat in first, 0 if seat in first else score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def played_of(kind: str, deal: str, agents: Sequence[str], result: dict[str, Any]) -> Played:
    """The match that ended with a result as a log has it."""
    winners, scores = result["winners"], result["scores"]
    return Played(
        kind,
        deal,
        tuple(agents),
        places_of(scores, winners),
        tuple(scores),
        tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores))),
        any(seat["penalties"] for seat in result["seats"]),
    )
