"""Schedule: the matches of a plan, each with its seats and its log."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from runner.agents.settings import Reason
from runner.agents.spec import count_programs, needs_client
from runner.arena.plan import Entrant, GamePlan, Plan
from runner.arena.seating import Gauntlet, RoundRobin, seatings
from runner.match.config import Asking
from runner.match.seeds import deal_seed


@dataclass(frozen=True, slots=True)
class Fixture:
    """A scheduled match, as plain data. `name` is the path of its log within the tournament's folder.

    `offline_seed` is the seed of the offline model; None: that of the tournament. `reasons`: for each seat whether its model is
    asked for a reason; without them as agents.toml says.
    """

    name: str
    game: str
    players: int
    seed: int
    rules: str | None
    options: Mapping[str, object]
    seats: tuple[Entrant, ...]
    ask: Asking = "simultaneous"
    offline_seed: int | None = None
    reasons: tuple[Reason | None, ...] = ()
    talk: bool = False

    @property
    def needs_client(self) -> bool:
        """Whether a model has a seat."""
        return needs_client(entrant.spec for entrant in self.seats)

    @property
    def programs(self) -> int:
        """How many seats programs play."""
        return count_programs(entrant.spec for entrant in self.seats)

    @property
    def mostly_waits(self) -> bool:
        """Whether others compute while it is played: models or programs, but not bots alone."""
        return self.needs_client or self.programs > 0


def kind_of(fixture: Fixture) -> str:
    """The kind of a match: matches of one kind have the same seats and the same folder for their logs."""
    return fixture.name.partition("/")[0]


def schedule(plan: Plan) -> Iterator[Fixture]:
    """All matches, deal by deal, so that a tournament that stops early has whole deals of every game.

    Adding deals leaves the matches of the earlier ones unchanged.
    """
    going = [_deals(plan, game, players) for game in plan.games for players in game.players]
    while going:
        for iterator in list(going):
            deal = next(iterator, None)
            if deal is None:
                going.remove(iterator)
            else:
                yield from deal


def _deals(plan: Plan, game: GamePlan, players: int) -> Iterator[list[Fixture]]:
    """The matches of each deal of one game at one table size."""
    entrants = plan.entrants
    design: RoundRobin | Gauntlet
    if plan.schedule == "gauntlet":
        design = Gauntlet(len(plan.agents), len(plan.opponents), players, plan.seed)
    else:
        design = RoundRobin(len(plan.agents), players, plan.seed)
    folder = _folder(plan, game, players)
    for deal in range(game.deals):
        seed, number, found = deal_seed(plan.seed, deal + 1, plan.deal_seeds), 0, []
        rng = random.Random(f"seats {folder} {seed}")
        for lineup in design.next_deal():
            for order in seatings(lineup, plan.rotation, rng):
                number += 1
                name = f"{folder}/deal-{deal + 1:05d}-{number:04d}.jsonl"
                reasons = (plan.reason,) * players
                seats = tuple(entrants[agent] for agent in order)
                dealt = Fixture(name, game.game, players, seed, game.rules, game.options, seats, plan.ask)
                found.append(replace(dealt, reasons=reasons, talk=plan.talk))
        yield found


def _folder(plan: Plan, game: GamePlan, players: int) -> str:
    same = [other for other in plan.games if other.game == game.game and players in other.players]
    return f"{game.game}-{players}p" + (f"-{same.index(game) + 1}" if len(same) > 1 else "")


def meetings(fixtures: Iterable[Fixture]) -> Counter[tuple[str, str]]:
    """How often each pair of agents sits at one table."""
    met: Counter[tuple[str, str]] = Counter()
    for fixture in fixtures:
        names = sorted({entrant.name for entrant in fixture.seats})
        met.update((one, other) for place, one in enumerate(names) for other in names[place + 1 :])
    return met
