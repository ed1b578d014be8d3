"""Readings: what the play of another seat says of the cards it hides, and of how it continues, by styles of play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from games.core.policy import Policy
from games.core.rng import Rng


class Style(NamedTuple):
    """A style of play. `prior` is its weight before a match shows anything, `in_shares` that in shares of the win (None: the
    same). `adapt` makes of the policy of playouts that of a player of this style; None: it plays by that policy."""

    name: str
    prior: float
    adapt: Callable[[Policy], Policy] | None = None
    in_shares: float | None = None


class Reading(NamedTuple):
    """What a seat did, as each style explains it.

    `explain` makes of a world how likely each style finds what the seat did, with the cards that it has there; a factor that
    all styles and worlds share may be left out. `table` has the same by what the seat may hold, where the game deals worlds
    by such tables (`Game.likely_worlds`); an empty one for what says nothing of cards. Search and grades adapt to it only if
    it is `for_choices`; shares of the win always do.
    """

    seat: int
    styles: Sequence[Style]
    explain: Callable[[Any], Sequence[float]]
    table: Mapping[Any, Sequence[float]] | None = None
    for_choices: bool = True

    @property
    def of_shares(self) -> Reading:
        """The same with the weights that the styles have in shares of the win."""
        weights = [style.prior if style.in_shares is None else style.in_shares for style in self.styles]
        styles = [style._replace(prior=weight) for style, weight in zip(self.styles, weights, strict=True)]
        return self._replace(styles=styles)


ReadingPlay = Callable[[Any, int | None], Sequence[Reading]]
"""Makes the readings of what the other seats did, from a state and the seat that judges (None: a spectator). They depend
only on what that seat knows."""

LikelyWorlds = Callable[[Any, int | None, Mapping[int, Mapping[Any, float]]], Callable[[Rng], Any] | None]
"""Makes a source of worlds from a state, a seat, and by seat how likely each holding is in relation to the likeliest one."""
