"""How well DixiQuote's `bot:steady` plays: its votes for the Storyteller's card, and its wins among random bots.

`python -m tools.campaigns.dixiquote_bots 400` prints a table of 400 matches for each number of players. Half of the seats,
rounded up, are steady; which ones changes from match to match. A random Storyteller's quote says nothing of its card, so votes
are counted in the rounds of steady Storytellers alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import sqrt
from statistics import fmean, stdev

import games
from games.core import Rng, State
from games.search.playouts import shares_of


def match(players: int, seed: int) -> tuple[frozenset[int], State]:
    """The steady seats of a match, and its end."""
    game, rng = games.load("dixiquote"), Rng.of("dixiquote bots", players, seed)
    steady = frozenset((seed + 2 * place) % players for place in range((players + 1) // 2))
    state = game.begin(players=players, seed=seed)
    while state.pending:
        seat = state.pending[0]
        state = game.bots["steady" if seat in steady else "random"](state, seat, rng).next_state
    return steady, state


def hits(state: State, steady: frozenset[int]) -> Iterator[bool]:
    """For each vote of a steady bot in the round of a steady Storyteller, whether it fell on the Storyteller's card."""
    for played in state.history:  # type: ignore[attr-defined]
        if played.storyteller in steady and played.quote is not None:
            for card in played.cards:
                yield from (card.owner == played.storyteller for voter in card.voters if voter in steady)


def row(players: int, matches: int) -> str:
    """A line of the table: wins of a steady seat, in units of the fair share, and hits of its votes."""
    shares, found = list[float](), list[bool]()
    for seed in range(matches):
        steady, state = match(players, seed)
        shares.append(fmean(shares_of(state)[seat] for seat in steady) * players)
        found += hits(state, steady)
    reach = 1.96 * stdev(shares) / sqrt(matches)
    return f"| {players} | {matches} | {fmean(shares):.2f} ± {reach:.2f} | {fmean(found):.0%} | {1 / (players - 1):.0%} |"


def main() -> None:
    """Print the table."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    sys.stdout.write("| players | matches | wins of a steady seat, times the fair share | its votes that hit | chance |\n")
    sys.stdout.write("|---|--:|---|--:|--:|\n")
    for players in range(3, 7):
        sys.stdout.write(f"{row(players, matches)}\n")


if __name__ == "__main__":
    main()
