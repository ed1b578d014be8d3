"""Information set Monte Carlo tree search: OpenSpiel's `ISMCTSBot` as a policy, to measure `bot:search` against.

OpenSpiel's algorithm is given our states without `pyspiel.State` between, and leaves are valued by our playouts: neither JSON
for other programs nor playouts in NumPy cost it time that the search in `games.search` does not pay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot  # type: ignore[import-untyped]

from games.core import Action, Policy, Rng, State, random_policy
from games.learning.openspiel import load
from games.search.playouts import play_out, shares_of
from games.search.policy import playing_policy

_NAME = re.compile(r"ismcts(-steady)?:([1-9][0-9]*)")
_EXPLORATION = 1.4
"""The constant of UCT, about the square root of 2, for shares from 0 to 1."""


def ismcts_of(name: str) -> Policy:
    """The policy that a name stands for: `ismcts:N` with N simulations and random playouts, `ismcts-steady:N` with playouts by
    `bot:steady`. ValueError for another name."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} is none of ismcts:N and ismcts-steady:N.")
    return _policy(int(found[2]), playing=found[1] is not None)


def _policy(simulations: int, playing: bool) -> Policy:
    def decide(state: State, seat: int, rng: Rng) -> Action:
        playouts = playing_policy(state.game) if playing else random_policy
        bot = ISMCTSBot(
            game=None,
            evaluator=_Evaluator(playouts, rng),
            uct_c=_EXPLORATION,
            max_simulations=simulations,
            random_state=np.random.RandomState(rng.next() % 2**32),
            use_observation_string=True,
            allow_inconsistent_action_sets=True,
        )
        bot.set_resampler(lambda root, player: _Node(root.state.resample(player, rng)))
        best = max(bot.run_search(_Node(state)), key=lambda found: found[1])[0]
        return next(action for action in state.actions_of(seat) if action.move == best)

    return decide


class _Node:
    """A state as `ISMCTSBot` asks for it: the methods of `pyspiel.State`, with our moves for actions."""

    def __init__(self, state: State) -> None:
        self.state = state

    def get_game(self) -> Any:
        return load(self.state.game.name, self.state.setup.players)

    def current_player(self) -> int:
        return self.state.pending[0]

    def is_chance_node(self) -> bool:
        return False

    def is_terminal(self) -> bool:
        return not self.state.pending

    def returns(self) -> Sequence[float]:
        return shares_of(self.state)

    def legal_actions(self, player: int | None = None) -> list[Any]:
        return [action.move for action in self.state.actions_of(self.current_player())]

    def apply_action(self, move: Any) -> None:
        self.state = self.state.apply(self.current_player(), move, None)

    def observation_string(self) -> str:
        return repr(self.state.view(self.current_player()))


class _Evaluator:
    """Values leaves by one playout, and prefers no action."""

    def __init__(self, policy: Policy, rng: Rng) -> None:
        self._policy, self._rng = policy, rng

    def evaluate(self, node: _Node) -> Sequence[float]:
        return play_out(node.state, self._policy, self._rng).shares

    def prior(self, node: _Node) -> list[tuple[Any, float]]:
        moves = node.legal_actions()
        return [(move, 1 / len(moves)) for move in moves]
