"""One seat of a game as a Gymnasium environment (https://gymnasium.farama.org). Needs the extra `learning`.

`gymnasium.make("games.learning.gymnasium:tabletop/coup-v0", players=3)` makes one by its name, which the import registers.
The other seats play a policy of the game, such as `steady`. `action_masks()` is what MaskablePPO of sb3-contrib asks for.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

import games
from games.core import Game, OptionError, Policy, Rng, listed, quoted
from games.learning.pettingzoo import raw_env

Step = tuple[Any, float, bool, bool, dict[str, Any]]


class SeatEnv(gymnasium.Env):  # type: ignore[misc]  # Gymnasium is no part of the development environment
    """One seat of a match. Observations are `encoding().size` numbers; `info` has the `action_mask`.

    `opponents` is the policy of the other seats, by its name in `Game.bots`. `seat` is the learner's; None: another one each
    match. The reward comes at the end: players / winners - 1 for a win, -1 for a loss and for an illegal action, which ends the
    match. `max_cycles` and `options` are as for PettingZoo.
    """

    def __init__(
        self, name: str, players: int | None = None, seat: int | None = None, opponents: str = "steady", **options: Any
    ):
        self._table = raw_env(name, players, **options)
        self._seat, self._policy = seat, _policy(self._table.game, opponents)
        first = self._table.possible_agents[0]
        self.observation_space = self._table.observation_space(first)["observation"]
        self.action_space: spaces.Discrete = self._table.action_space(first)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a match, and play it up to the learner's first decision."""
        super().reset(seed=seed)
        agents, seat = self._table.possible_agents, self._seat
        self._agent = agents[int(self.np_random.integers(len(agents))) if seat is None else seat]
        self._rng = Rng(int(self.np_random.integers(2**63)))
        self._table.reset(seed=int(self.np_random.integers(2**63)))
        self._play_others()
        return self._observed()

    def step(self, action: int) -> Step:
        """Play an action number, then the other seats up to the learner's next decision."""
        if not self.action_masks()[int(action)]:
            return self._observed()[0], -1.0, True, False, {"action_mask": self.action_masks()}
        self._table.step(int(action))
        self._play_others()
        observation, info = self._observed()
        table, agent = self._table, self._agent
        return observation, float(table.rewards[agent]), table.terminations[agent], table.truncations[agent], info

    def action_masks(self) -> Any:
        """For every action number whether it is legal now; all false after the end."""
        return self._table.observe(self._agent)["action_mask"].astype(np.int8)

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        found = self._table.observe(self._agent)
        return found["observation"], {"action_mask": found["action_mask"]}

    def _play_others(self) -> None:
        table = self._table
        while table.agent_selection != self._agent and not (table.terminations[self._agent] or table.truncations[self._agent]):
            table.step_by(self._policy, self._rng)


def _policy(game: Game, name: str) -> Policy:
    if name not in game.bots:
        raise OptionError(f"There is no policy {quoted(name)} of {game.title}: there is {listed(list(game.bots))}.")
    return game.bots[name]


def env(name: str, players: int | None = None, seat: int | None = None, opponents: str = "steady", **options: Any) -> SeatEnv:
    """The environment of one seat of a game. OptionError for an unknown game, player count, policy or option."""
    return SeatEnv(name, players, seat, opponents, **options)


for _name in games.names():
    gymnasium.register(f"tabletop/{_name}-v0", f"{__name__}:env", disable_env_checker=True, kwargs={"name": _name})
