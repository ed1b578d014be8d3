"""The games as PettingZoo environments (AEC interface; https://pettingzoo.farama.org/api/aec/). Needs the extra `learning`."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import games
from games.core import Action, Policy, Rng, State
from games.learning.encoding import encoding
from games.learning.rewards import rewards

Observation = dict[str, Any]

_LEAST, _MOST = np.iinfo(np.int32).min, np.iinfo(np.int32).max
_SEEDS = 2**63


class TabletopEnv(AECEnv, EzPickle):  # type: ignore[misc]  # PettingZoo has no types of its own
    """One game as an environment: agents `player_0`, ... act one after the other, also where they decide at the same time.

    An observation has `observation` (int32, `encoding().size` numbers) and `action_mask` (int8, one for each action number, all
    0 for an agent that owes no decision). Rewards come at the end (`rewards`). `reset(seed=...)` deals the match of that seed.
    `options` are the game's own, with `rules` for a preset. `max_cycles` truncates a match after that many decisions.
    """

    def __init__(self, name: str, players: int | None = None, max_cycles: int | None = None, **options: Any) -> None:
        EzPickle.__init__(self, name, players, max_cycles, **options)
        super().__init__()
        self._max_cycles, self._cycles = max_cycles, 0
        self.game = games.load(name)
        self._code = encoding(name, players, **options)
        self._options = options
        self._players = self.game.default_players if players is None else players
        self.metadata = {"name": f"tabletop_{name}", "is_parallelizable": False, "render_modes": []}
        self.render_mode = None
        self.possible_agents = [f"player_{seat}" for seat in range(self._players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observations = {agent: self._new_observation_space() for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(self._code.actions) for agent in self.possible_agents}
        self._random, _ = seeding.np_random()
        self.position: State | None = None
        self._legal: dict[int, Action] = {}
        self.agents: list[str] = []

    def _new_observation_space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(_LEAST, _MOST, (self._code.size,), np.int32),
                "action_mask": spaces.Box(0, 1, (self._code.actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's action numbers."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a match: that of the seed, or another one each time."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        dealt = int(self._random.integers(_SEEDS)) if seed is None else seed
        self._cycles = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._place(self.game.begin(players=self._players, seed=dealt, **self._options))

    def observe(self, agent: str) -> Observation:
        """What an agent knows and may do."""
        assert self.position is not None
        mask = np.zeros(self._code.actions, np.int8)
        if agent == self.agent_selection:
            mask[list(self._legal)] = 1
        observed = self._code.observe(self.position, self._seats[agent])
        return {"observation": np.array(observed, np.int32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action number for `agent_selection`. ValueError when it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        if int(action) not in self._legal:
            raise ValueError(f"{action} is the number of no legal action of {agent}")
        self._advance(self._legal[int(action)])

    def _advance(self, action: Action) -> None:
        self._cumulative_rewards[self.agent_selection] = 0.0
        after = action.next_state
        self._place(copy(after))  # without the way it came about
        self._cycles += 1
        if after.has_ended:
            self.rewards = dict(zip(self.possible_agents, rewards(after), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._cycles == self._max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def step_by(self, policy: Policy, rng: Rng) -> None:
        """Play the action that a policy chooses for `agent_selection`; free text need not be on the list of numbered ones."""
        assert self.position is not None
        self._advance(policy(self.position, self._seats[self.agent_selection], rng))

    def _place(self, position: State) -> None:
        """Continue from a position."""
        seat = position.actor
        self.position = position
        self._legal = {} if seat is None else self._code.legal(position, seat)
        self.agent_selection = self.agents[0] if seat is None else self.possible_agents[seat]

    def render(self) -> None:
        """Nothing: watch matches with `tabletop`."""

    def close(self) -> None:
        """Nothing is held open."""


def raw_env(name: str, players: int | None = None, max_cycles: int | None = None, **options: Any) -> TabletopEnv:
    """The environment of a game without wrappers: an illegal action raises ValueError."""
    return TabletopEnv(name, players, max_cycles, **options)


def env(name: str, players: int | None = None, max_cycles: int | None = None, **options: Any) -> AECEnv:
    """The environment of a game with PettingZoo's usual wrappers: an illegal action ends the match with -1 for its agent."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(name, players, max_cycles, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
