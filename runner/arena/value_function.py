"""Value function: the win share of each seat when fixed bots play on from a state, for estimates with less variance.

Estimates stay unbiased only if the function is fixed before the matches are played, so a tournament's manifest records its
digest first (arXiv 2605.14261).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from typing_extensions import TypedDict

from games.core import Game, Policy, Rng, State
from games.search.playouts import Shares, play_out, shares_of
from games.search.policy import has_playing_policy, playing_policy
from runner.digest import canonical, digest_of

_PROBES = 4
"""The deals whose values go into the digest, so that it changes with the bot."""


class ValueRecord(TypedDict):
    """A value function of a game in a tournament's manifest."""

    policy: str
    rules_version: str
    playouts: int
    seed: int
    digest: str


class ValueFunction(NamedTuple):
    """The mean over `playouts`, in which `bot:steady` has every seat but those of other known bots; `seed` is that of their
    random numbers."""

    playouts: int = 50
    seed: int = 0

    def of(self, state: State, place: object, known: Mapping[int, Policy] = MappingProxyType({})) -> Shares:
        """The win share of every seat from a state, by the true cards. `known` are the policies of some seats. States of one
        `place` get the same random numbers, so that alternatives of a decision differ by nothing else."""
        if state.has_ended:
            return shares_of(state)
        other = playing_policy(state.game)
        policy = (lambda state, seat, rng: known.get(seat, other)(state, seat, rng)) if known else other
        chances = (Rng.of("value", self.seed, place, number) for number in range(self.playouts))
        found = [play_out(state, policy, rng).shares for rng in chances]
        return tuple([sum(shares) / self.playouts for shares in zip(*found, strict=True)])

    def record(self, game: Game) -> ValueRecord:
        """What identifies the function for a game: with another bot, other rules or other playouts the digest differs."""
        deals = [game.begin(players=game.players[0], seed=seed) for seed in range(_PROBES)]
        found: ValueRecord = {
            "policy": "bot:steady",
            "rules_version": game.rules_version,
            "playouts": self.playouts,
            "seed": self.seed,
            "digest": digest_of(canonical([self._replace(playouts=1).of(deal, "deal") for deal in deals])),
        }
        return {**found, "digest": digest_of(canonical({"game": game.name, **found}))}


VALUE = ValueFunction()


def value_records(games: list[Game]) -> dict[str, ValueRecord]:
    """The value function of each game by its name; none of a game without `bot:steady`."""
    return {game.name: VALUE.record(game) for game in games if has_playing_policy(game)}
