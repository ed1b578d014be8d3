"""The matches of a plan, each with its table, its seats and its log."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runner.agents.spec import needs_client
from runner.arena.plan import Entrant, Event, Plan
from runner.arena.seating import Gauntlet, RoundRobin, seatings
from runner.match.config import Asking


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to be played, as plain data. `name` is the path of its log within the tournament's folder."""

    name: str
    game: str
    players: int
    seed: int
    rules: str | None
    options: Mapping[str, Any]
    seats: tuple[Entrant, ...]
    ask: Asking = "simultaneous"

    @property
    def needs_client(self) -> bool:
        """Whether a model plays in it."""
        return needs_client(entrant.spec for entrant in self.seats)


def kind_of(fixture: Fixture) -> str:
    """What a match shares with others whose seats are the same: the folder its log is in."""
    return fixture.name.partition("/")[0]


def schedule(plan: Plan) -> Iterator[Fixture]:
    """Every match, deal by deal, so that a tournament that stops early has played whole deals of everything.

    More deals leave the matches of the earlier ones as they are.
    """
    going = [_tables(plan, event, players) for event in plan.events for players in event.players]
    while going:
        for iterator in list(going):
            deal = next(iterator, None)
            if deal is None:
                going.remove(iterator)
            else:
                yield from deal


def _tables(plan: Plan, event: Event, players: int) -> Iterator[list[Fixture]]:
    """The matches of each deal of one game with so many players."""
    entrants = plan.entrants
    design: RoundRobin | Gauntlet
    if plan.schedule == "gauntlet":
        design = Gauntlet(len(plan.agents), len(plan.opponents), players, plan.seed)
    else:
        design = RoundRobin(len(plan.agents), players, plan.seed)
    folder = _folder(plan, event, players)
    for deal in range(event.deals):
        seed, number, found = plan.seed + deal, 0, []
        rng = random.Random(f"seats {folder} {seed}")
        for lineup in design.next_deal():
            for order in seatings(lineup, plan.rotation, rng):
                number += 1
                name = f"{folder}/deal-{deal + 1:05d}-{number:04d}.jsonl"
                seats = tuple(entrants[agent] for agent in order)
                found.append(Fixture(name, event.game, players, seed, event.rules, event.options, seats, plan.ask))
        yield found


def _folder(plan: Plan, event: Event, players: int) -> str:
    same = [other for other in plan.events if other.game == event.game and players in other.players]
    return f"{event.game}-{players}p" + (f"-{same.index(event) + 1}" if len(same) > 1 else "")


def meetings(fixtures: list[Fixture]) -> Counter[tuple[str, str]]:
    """How often each two agents sit at one table."""
    met: Counter[tuple[str, str]] = Counter()
    for fixture in fixtures:
        names = sorted({entrant.name for entrant in fixture.seats})
        met.update((one, other) for place, one in enumerate(names) for other in names[place + 1 :])
    return met
