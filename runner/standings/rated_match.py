"""Rated match: the facts of a finished match that ratings use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import games
from games.core import Placing


class RatedMatch(NamedTuple):
    """Agents, places, scores and wins by seat.

    Matches with the same `deal` differ only in who sat where. Matches of the same `kind` (game, rules, options, number of
    players) have the same seats. `places` start at 1, `wins` are shares of one win. `struck` are the seats that were struck
    out. `placing` says what places mean: with `winners` the order of all others is unknown.
    """

    kind: str
    deal: str
    agents: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    wins: tuple[float, ...]
    struck: tuple[int, ...] = ()
    placing: Placing = "scores"

    @property
    def has_penalty(self) -> bool:
        """Whether a seat was struck out."""
        return bool(self.struck)


def rated_match(
    kind: str,
    deal: str,
    agents: Iterable[str],
    scores: Sequence[float],
    winners: Sequence[int],
    struck: Iterable[int],
    placing: Placing,
) -> RatedMatch:
    """The rated match of a result."""
    wins = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores)))
    places = places_of(scores, winners)
    return RatedMatch(kind, deal, tuple(agents), places, tuple(scores), wins, tuple(struck), placing)


def placing_of(game: str) -> Placing:
    """What the places of a game mean; `winners`, which assumes least, for a game that is not installed."""
    return next((one.placing for one in games.registered().games if one.name == game), "winners")


def places_of(scores: Sequence[float], winners: Iterable[int]) -> tuple[int, ...]:
    """The place of each seat: winners are first, the others follow by score; equal scores share a place."""
    first = set(winners)
    worth = [(seat in first, 0 if seat in first else score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)
