"""Schedule: the matches of a plan, each with its seats and its log."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import games
from games.core import Setup
from games.search.policy import playouts_of
from runner.agents.spec import Bot, Offline, Program, needs_client
from runner.arena.plan import GamePlan, Plan
from runner.arena.seating import gauntlet, paired, round_robin, seatings
from runner.digest import digest_of
from runner.match.seeds import deal_seed
from runner.session.match_spec import ScheduledMatch, SeatSpec


@dataclass(frozen=True, slots=True)
class Fixture:
    """A scheduled match, as plain data. `name` is the path of its log within the tournament's folder.

    `table` is what it shares with the other matches of its table: all but the seed and the seats. `offline_seed` is the seed of
    the offline model; None: that of the tournament.
    """

    name: str
    table: ScheduledMatch
    seed: int
    seats: tuple[SeatSpec, ...]
    offline_seed: int | None = None

    @property
    def spec(self) -> ScheduledMatch:
        return self.table.model_copy(update={"seed": self.seed, "seats": self.seats})

    @property
    def game(self) -> str:
        return self.table.game

    @property
    def setup(self) -> Setup:
        """What the game is begun with. OptionError for what it does not have."""
        return games.load(self.game).set_up(self.table.players, self.seed, self.table.rules, self.table.game_options)

    @property
    def needs_client(self) -> bool:
        return needs_client(entrant.spec for entrant in self.seats)

    @property
    def programs(self) -> int:
        return sum(isinstance(entrant.spec, Program) for entrant in self.seats)

    @property
    def mostly_waits(self) -> bool:
        """Whether others compute while it is played: models or programs, but not bots alone."""
        return self.needs_client or self.programs > 0

    @property
    def searches(self) -> bool:
        return any(isinstance(one.spec, Bot) and playouts_of(one.spec.name) is not None for one in self.seats)


def kind_of(fixture: Fixture) -> str:
    """The kind of a match: matches of one kind have the same seats and the same folder for their logs."""
    return fixture.name.partition("/")[0]


def schedule(plan: Plan) -> Iterator[Fixture]:
    """All matches, deal by deal, so that a tournament that stops early has whole deals of every game. Adding deals leaves the
    matches of the earlier ones unchanged."""
    going = [_deals(plan, game, players) for game in plan.games for players in game.players]
    while going:
        for iterator in list(going):
            deal = next(iterator, None)
            if deal is None:
                going.remove(iterator)
            else:
                yield from deal


def _deals(plan: Plan, game: GamePlan, players: int) -> Iterator[list[Fixture]]:
    agents, opponents = game.agents or plan.agents, game.opponents or plan.opponents
    entrants, table, folder = (*agents, *opponents), plan.table(game, players), game.folder or _folder(plan, game, players)
    if plan.is_paired:
        design = paired(bool(opponents), players, plan.seed)
    elif plan.schedule == "gauntlet":
        design = gauntlet(len(agents), len(opponents), players, plan.seed)
    else:
        design = round_robin(len(agents), players, plan.seed)
    for deal in range(game.deals):
        seed, number, found = deal_seed(plan.seed, deal + 1, plan.deal_seeds, plan.secret), 0, []
        rng = random.Random(f"seats {folder} {seed}")
        for lineup in next(design):
            for order in [lineup] if plan.is_paired else seatings(lineup, plan.rotation, rng):
                number += 1
                name = f"{folder}/deal-{deal + 1:05d}-{number:0{1 if plan.is_paired else 4}d}.jsonl"
                seats = tuple(entrants[agent] for agent in order)
                found.append(Fixture(name, table, seed, seats, _offline_seed(plan, entrants[0], name)))
        yield found


def _offline_seed(plan: Plan, agent: SeatSpec, name: str) -> int | None:
    """For each match of a pair another seed, as the offline model answers the same prompt in the same way otherwise."""
    is_own = plan.is_paired and isinstance(agent.spec, Offline)
    return int(digest_of(f"{plan.seed} {name}")[:8], 16) if is_own else None


def _folder(plan: Plan, game: GamePlan, players: int) -> str:
    same = [other for other in plan.games if other.game == game.game and players in other.players]
    return f"{game.game}-{players}p" + (f"-{same.index(game) + 1}" if len(same) > 1 else "")


def meetings(fixtures: Iterable[Fixture]) -> Counter[tuple[str, str]]:
    met: Counter[tuple[str, str]] = Counter()
    for fixture in fixtures:
        names = sorted({entrant.name for entrant in fixture.seats})
        met.update((one, other) for place, one in enumerate(names) for other in names[place + 1 :])
    return met
