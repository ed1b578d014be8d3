"""The bots of games of OpenSpiel."""

from __future__ import annotations

from typing import Any

from games.core import Action, Rng, State, random_policy
from games.openspiel.lines import Line


def steady(state: State, seat: int, rng: Rng) -> Action:
    """A move that wins at once where all can see it, otherwise any move: the policy of playouts for every game."""
    position: Any = state
    if not position.spiel.is_perfect:
        return random_policy(state, seat, rng)
    actions = state.actions_of(seat)
    wins = [action for action in actions if _wins(position.line.play(action.move), seat)]
    return rng.choice(wins or actions)


def _wins(line: Line, seat: int) -> bool:
    return line.actor is None and line.returns[seat] == max(line.returns) > min(line.returns)
