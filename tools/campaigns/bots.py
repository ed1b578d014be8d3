"""How strong the bots are: the share of the win of each against `bot:random`, with 95 % intervals.

`python -m tools.campaigns.bots [--matches N] [GAME...]` prints a table. One seat or two are the bot's, the others play at
random; the seats change from match to match, and each deal is played with the bot at every seat.
"""

from __future__ import annotations

import argparse
import sys
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

import games
from games.core import Game, Policy, Rng, State

_Z = NormalDist().inv_cdf(0.975)


class Share(NamedTuple):
    """A mean share of the win of one seat, and half of its 95 % interval."""

    mean: float
    margin: float

    def __str__(self) -> str:
        return f"{self.mean:.1%} ± {self.margin:.1%}"


def share_of(game: Game, players: int, bot: str, matches: int, seats: int = 1, other: str = "random") -> Share:
    """The share of the win of each seat of a bot among seats of another bot, from about that many matches."""
    found = []
    for match in range(-(-matches // players) * players):
        deal, first = divmod(match, players)
        own = {(first + seat) % players for seat in range(seats)}
        policies = [game.bots[bot if seat in own else other] for seat in range(players)]
        winners = played(game.begin(players=players, seed=deal), policies, Rng.of("bots", match)).winners
        found.append(len(own & set(winners)) / len(winners) / seats)
    return Share(fmean(found), _Z * stdev(found) / len(found) ** 0.5)


def played(state: State, policies: list[Policy], rng: Rng) -> State:
    """The end of a match between policies, one a seat."""
    while pending := state.pending:
        state = policies[pending[0]](state, pending[0], rng).next_state
    return state


def main(words: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.campaigns.bots", description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=games.names())
    parser.add_argument("--matches", type=int, default=600, help="matches for each figure (600)")
    given = parser.parse_args(words)
    sys.stdout.write("| Game | Bot | Players | Fair share | One seat | Each of two seats |\n|---|---|---|---|---|---|\n")
    for game in map(games.load, given.games):
        for bot in [name for name in game.bots if name != "random"]:
            for players in game.players:
                one, two = (share_of(game, players, bot, given.matches, seats) if players > seats else "" for seats in (1, 2))
                sys.stdout.write(f"| {game.title} | `bot:{bot}` | {players} | {1 / players:.1%} | {one} | {two} |\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
