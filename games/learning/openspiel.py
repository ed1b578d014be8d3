"""The games in OpenSpiel (https://openspiel.readthedocs.io). Needs the extra `openspiel`.

`load("coup", players=3)` gives a `pyspiel.Game`, registered as `tabletop_coup`. All chance comes from the deal, a chance
node with `DEALS` equally likely outcomes. Seats that decide at the same time do so one after the other; none sees the others'
decisions before all have made theirs.
"""

from __future__ import annotations

import json
from copy import copy
from functools import cache
from typing import Any

import numpy as np
import pyspiel

import games
from games.core import Encoding, Rng, State
from games.learning.encoding import encoding
from games.learning.rewards import rewards

DEALS = 1000
"""How many deals the chance node at the start has; deal `n` is that of seed `n`."""

LONGEST = 20_000
"""More decisions than any match has: the bound that OpenSpiel asks for."""


def load(name: str, players: int | None = None, **options: Any) -> pyspiel.Game:
    """A game of OpenSpiel. OptionError for an unknown game, player count or option."""
    game = games.load(name)
    setup = game.set_up(players, 0, options.get("rules"), {key: value for key, value in options.items() if key != "rules"})
    _register(name)
    return pyspiel.load_game(short_name(name), {"players": setup.players, "options": json.dumps(options)})


def short_name(name: str) -> str:
    """The name under which a game is registered."""
    return f"tabletop_{name}"


@cache
def _register(name: str) -> None:
    game = games.load(name)
    kind = pyspiel.GameType(
        short_name=short_name(name),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.default_players, "options": "{}"},
    )

    class RegisteredGame(TabletopGame):
        """The game of that name; OpenSpiel makes it from its parameters."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, name, params or {})

    pyspiel.register_game(kind, RegisteredGame)


class TabletopGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game for a number of players, with its options."""

    def __init__(self, kind: pyspiel.GameType, name: str, params: dict[str, Any]) -> None:
        self.rules = games.load(name)
        self.options: dict[str, Any] = json.loads(params.get("options") or "{}")
        self.players = int(params.get("players") or self.rules.default_players)
        self.code: Encoding = encoding(name, self.players, **self.options)
        facts = pyspiel.GameInfo(
            num_distinct_actions=self.code.actions,
            max_chance_outcomes=DEALS,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=float(self.players - 1),
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind, facts, params)

    def new_initial_state(self) -> TabletopState:
        """The chance node before the deal."""
        return TabletopState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of what a player knows."""
        return Observer(self.code)


class TabletopState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A match: `position` is None before the deal."""

    def __init__(self, game: TabletopGame) -> None:
        super().__init__(game)
        self._rules, self._options, self._players, self._code = game.rules, game.options, game.players, game.code
        self.position: State | None = None
        self._heard: tuple[tuple[str, ...], ...] = ((),) * game.players

    def current_player(self) -> int:
        """Who decides: chance before the deal, then the seat decided for next."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.position.actor
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, all equally likely."""
        return [(deal, 1 / DEALS) for deal in range(DEALS)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.position is not None
        return sorted(self._code.legal(self.position, player))

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            after = self._rules.begin(players=self._players, seed=action, **self._options)
            events = after.events
        else:
            seat = self.position.actor
            assert seat is not None
            move = self._code.action(self.position, seat, action)
            self._hear(seat, f"I: {json.dumps(move.to_json())}")
            after, events = move.next_with_events()
        for event in events:
            for player in range(self._players):
                if event.reaches(player):
                    self._hear(player, f"{event.text} {json.dumps(event.data)}")
        self.position = copy(after)

    def _hear(self, player: int, text: str) -> None:
        heard = list(self._heard)
        heard[player] = (*heard[player], text)
        self._heard = tuple(heard)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        assert self.position is not None
        return f"P-{player} {json.dumps(self._code.action(self.position, player, action).to_json())}"

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.position is not None and self.position.has_ended

    def returns(self) -> list[float]:
        """The reward of every player; 0 before the end."""
        return [0.0] * self._players if self.position is None else list(rewards(self.position))

    def information_state_string(self, player: int | None = None) -> str:
        """Everything a player has seen and done so far, in order, and what it sees now."""
        player = self.current_player() if player is None else player
        return "\n".join((*self._heard[player], self.observation_string(player)))

    def observation_string(self, player: int | None = None) -> str:
        """What a player sees now: its view."""
        player = self.current_player() if player is None else player
        return "" if self.position is None else json.dumps(self.position.view(player))

    def resample(self, player: int, rng: Rng) -> TabletopState:
        """A state of the same match in a world drawn from what a player knows.

        What the others have heard stays as it was, so use observation strings for them (`use_observation_string=True`).
        """
        assert self.position is not None
        other: TabletopState = self.clone()
        other.position = self.position.resample(player, rng)
        return other

    def __str__(self) -> str:
        return "before the deal" if self.position is None else json.dumps(self.position.to_json())


class Observer:
    """What a player knows, as OpenSpiel's observers give it."""

    def __init__(self, code: Encoding) -> None:
        self._code = code
        self.tensor = np.zeros(code.size, np.float32)
        self.dict = {part.name: self.tensor[part.start : part.start + part.size].reshape(part.shape) for part in code.legend}

    def set_from(self, state: TabletopState, player: int) -> None:
        """Fill the tensor with a player's observation; zeros before the deal."""
        self.tensor[:] = 0 if state.position is None else self._code.observe(state.position, player)

    def string_from(self, state: TabletopState, player: int) -> str:
        """A player's observation as text."""
        return state.observation_string(player)


def resampler(seed: int = 0) -> Any:
    """A callback for `ISMCTSBot.set_resampler`: worlds drawn from what the player knows, the same ones for the same seed."""
    rng = Rng.of("openspiel", seed)

    def resample(state: TabletopState, player: int) -> TabletopState:
        return state.resample(player, rng)

    return resample
