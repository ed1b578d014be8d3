"""What a tournament consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from runner.agents.spec import Spec
from runner.arena.seating import Rotation
from runner.match.config import Asking

Schedule = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part: a name for tables and logs, and the SPEC of who it is."""

    name: str
    spec: Spec


@dataclass(frozen=True, slots=True)
class Event:
    """A game that is played: with how many at a table, by which rules, on how many deals."""

    game: str
    players: tuple[int, ...]
    rules: str | None
    options: Mapping[str, Any]
    deals: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament. Deals have the seeds `seed`, `seed` + 1, ... In a gauntlet every agent meets the opponents alone.

    `budget` in USD and `budget_tokens` hold for everything together, `rated` is whether models are held to rated play,
    `concurrency` is how many matches go on at once, `mistakes` how often
    the offline model errs.
    """

    events: tuple[Event, ...]
    agents: tuple[Entrant, ...]
    opponents: tuple[Entrant, ...] = ()
    schedule: Schedule = "round-robin"
    rotation: Rotation = "full"
    seed: int = 1
    budget: float | None = None
    budget_tokens: int | None = None
    rated: bool = False
    concurrency: int = 200
    prompts: str | None = None
    mistakes: float = 0.0
    ask: Asking = "simultaneous"

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """All who take part: agents, then opponents."""
        return (*self.agents, *self.opponents)

    def to_json(self) -> dict[str, Any]:
        """The plan as data that `runner.arena.reading.plan_of` reads."""
        data: dict[str, Any] = {
            "agents": {entrant.name: entrant.spec.text for entrant in self.agents},
            "opponents": {entrant.name: entrant.spec.text for entrant in self.opponents},
            "schedule": self.schedule,
            "rotation": self.rotation,
            "seed": self.seed,
            "concurrency": self.concurrency,
            "mistakes": self.mistakes,
            "ask": self.ask,
            "games": [_event_to_json(event) for event in self.events],
        }
        optional: dict[str, Any] = {"budget": self.budget, "budget_tokens": self.budget_tokens, "prompts": self.prompts}
        optional["rated"] = self.rated or None
        return data | {name: value for name, value in optional.items() if value is not None}


def _event_to_json(event: Event) -> dict[str, Any]:
    data = {"name": event.game, "players": list(event.players), "options": dict(event.options), "deals": event.deals}
    return data if event.rules is None else {**data, "rules": event.rules}
