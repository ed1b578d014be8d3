"""Rated match: the facts of a finished match that ratings use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class RatedMatch(NamedTuple):
    """Agents, places, scores and wins by seat.

    Matches with the same `deal` differ only in who sat where. Matches of the same `kind` (game, rules, options, number of
    players) have the same seats. `places` start at 1, `wins` are shares of one win. `has_penalty`: a seat was struck out.
    """

    kind: str
    deal: str
    agents: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    wins: tuple[float, ...]
    has_penalty: bool = False


def rated_match(
    kind: str, deal: str, agents: Iterable[str], scores: Sequence[float], winners: Sequence[int], has_penalty: bool
) -> RatedMatch:
    """The rated match of a result."""
    wins = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores)))
    return RatedMatch(kind, deal, tuple(agents), places_of(scores, winners), tuple(scores), wins, has_penalty)


def places_of(scores: Sequence[float], winners: Iterable[int]) -> tuple[int, ...]:
    """The place of each seat: winners are first, the others follow by score; equal scores share a place."""
    first = set(winners)
    worth = [(seat in first, 0 if seat in first else score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)
