"""Kept cases: the matches that decisions to check prompts with are chosen from, played once in a process and in those it forks.

They follow from game, setup and seed alone. Tests and examples lint, compare and change dozens of packs of the same games.
"""

from __future__ import annotations

from collections.abc import Iterable

import games
from games.core import Game, Rng, State
from games.search import cases
from games.search.cases import Case


def keep() -> None:
    """Play a match once."""
    kept: dict[tuple[int, State, int, int], tuple[Game, list[Case]]] = {}
    play = cases._played

    def played(game: Game, state: State, match: int, chance: Rng) -> Iterable[Case]:
        key = id(game), state, match, chance.word
        if key not in kept:
            kept[key] = game, list(play(game, state, match, chance))
        return kept[key][1]

    cases._played = played


def play(game: str) -> None:
    """Play the matches of a game that `prompts lint --matches 1` checks, and work out what players are asked."""
    for _ in cases.corpus(games.load(game), 1):
        pass
