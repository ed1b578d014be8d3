"""Tournament plan: the games, agents, schedule and limits of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from runner.agents.settings import Reason
from runner.agents.spec import Spec
from runner.arena.seating import Rotation
from runner.match.config import Asking
from runner.match.hopeless import DEFAULT_HOPELESS
from runner.match.seeds import DealSeeds, new_seed

Schedule = Literal["round-robin", "gauntlet"]
OnError = Literal["continue", "stop"]
"""What a tournament does when a match fails because of a bug."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An agent that takes part: its name in tables and logs, and its SPEC."""

    name: str
    spec: Spec


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game of a plan: `players` lists the table sizes; `deals` is the number of deals at each size."""

    game: str
    players: tuple[int, ...]
    rules: str | None
    options: Mapping[str, object]
    deals: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament. The seeds of its deals follow from `seed` as `deal_seeds` says; `is_seed_drawn`: nobody named it, so that
    the one that the tournament's folder has recorded takes its place. In a gauntlet each agent meets only the opponents.

    `budget` (USD) and `budget_tokens` are limits for all matches together. `concurrency` is the number of matches with models
    that run at once, `mistakes` the error rate of the offline model. A seat that was struck out `hopeless` times in a row is
    asked once a decision until it gives a valid answer again; 0 for never. `reason`: whether all models are asked for
    reasons, None: as their agents say. `talk`: every answer may bring a line of public table talk.
    """

    games: tuple[GamePlan, ...]
    agents: tuple[Entrant, ...]
    opponents: tuple[Entrant, ...] = ()
    schedule: Schedule = "round-robin"
    rotation: Rotation = "full"
    seed: int = field(default_factory=new_seed)
    deal_seeds: DealSeeds = "hashed"
    is_seed_drawn: bool = False
    budget: float | None = None
    budget_tokens: int | None = None
    rated: bool = False
    concurrency: int = 200
    prompts: str | None = None
    mistakes: float = 0.0
    ask: Asking = "simultaneous"
    hopeless: int = DEFAULT_HOPELESS
    on_error: OnError = "continue"
    reason: Reason | None = None
    talk: bool = False

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """All who take part: agents, then opponents."""
        return (*self.agents, *self.opponents)

    def to_json(self) -> dict[str, object]:
        """The plan as data that `plan_file.plan_of` reads."""
        data = {
            "agents": {entrant.name: entrant.spec.text for entrant in self.agents},
            "opponents": {entrant.name: entrant.spec.text for entrant in self.opponents},
            "schedule": self.schedule,
            "rotation": self.rotation,
            "seed": self.seed,
            "concurrency": self.concurrency,
            "mistakes": self.mistakes,
            "ask": self.ask,
            "hopeless": self.hopeless,
            "on_error": self.on_error,
            "games": [_game_to_json(game) for game in self.games],
        }
        hashed = "hashed" if self.deal_seeds == "hashed" else None
        optional = {"deal_seeds": hashed, "budget": self.budget, "budget_tokens": self.budget_tokens, "prompts": self.prompts}
        optional |= {"rated": self.rated or None, "reason": self.reason, "talk": self.talk or None}
        return data | {name: value for name, value in optional.items() if value is not None}


def _game_to_json(game: GamePlan) -> dict[str, object]:
    data = {"name": game.game, "players": list(game.players), "options": dict(game.options), "deals": game.deals}
    return data if game.rules is None else {**data, "rules": game.rules}
