"""Schedule: the matches of a plan, each with its seats and its log, by balanced designs for who plays where and with whom."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, count, permutations
from math import gcd
from operator import itemgetter

import games
from games.core import Setup
from games.search.policy import playouts_of
from runner.agents.spec import Bot, Offline, Program, needs_client
from runner.arena.plan import GamePlan, Plan, Rotation
from runner.digest import digest_of
from runner.match.header import deal_seed
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
    agents, opponents = plan.agents, game.opponents or plan.opponents
    entrants, table, folder = (*agents, *opponents), plan.table(game, players), _folder(plan, game, players)
    if plan.is_paired:
        design = paired(len(agents), players)
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
                seats = tuple(entrants[agent] for agent in order)
                name = f"{folder}/deal-{deal + 1:05d}-{number:04d}.jsonl"
                if plan.is_paired:
                    name = f"{agents[number - 1].name}/deal-{deal + 1:05d}.jsonl"
                found.append(Fixture(name, table, seed, seats, _offline_seed(plan, seats, name)))
        yield found


def _offline_seed(plan: Plan, seats: tuple[SeatSpec, ...], name: str) -> int | None:
    """For each match of a pair another seed, as the offline model answers the same prompt in the same way otherwise."""
    is_own = plan.is_paired and any(isinstance(seat.spec, Offline) for seat in seats)
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


Lineup = tuple[int, ...]
"""The agents of a table, by number, in no particular order."""

Deals = Iterator[list[Lineup]]
"""The tables of each deal, for ever."""

_Meetings = list[dict[int, int]]
"""For each agent how often it has met others."""

FULL_UP_TO = 4
_CANDIDATES = 24


def seatings(lineup: Lineup, rotation: Rotation, rng: random.Random) -> list[Lineup]:
    """The orders in which the agents of a table are seated, each once. `full` is every order for up to four seats and
    `balanced` above. `balanced` is Williams' design: as many orders as seats, or twice as many; each agent has each seat
    equally often, and each other agent as a neighbour on either side equally often (E. J. Williams, Experimental Designs
    Balanced for the Estimation of Residual Effects of Treatments, Australian Journal of Scientific Research A 2, 1949).
    `random` is one random order."""
    if rotation == "random":
        return [tuple(rng.sample(lineup, len(lineup)))]
    if rotation == "full" and len(lineup) <= FULL_UP_TO:
        return sorted(set(permutations(lineup)))
    return list(dict.fromkeys(tuple(lineup[place] for place in row) for row in williams(len(lineup))))


def williams(size: int) -> Iterator[Lineup]:
    first = [0] * size
    for place in range(1, size):
        first[place] = (place + 1) // 2 if place % 2 else size - place // 2
    for row in [first, first[::-1]] if size % 2 else [first]:
        for shift in range(size):
            yield tuple((value + shift) % size for value in row)


def round_robin(agents: int, seats: int, seed: int) -> Deals:
    """Tables at which all agents play each deal equally often and, over the deals, all pairs meet about equally often. With
    fewer agents than seats, all agents sit at every table, some more than once."""
    copies, drawn = divmod(seats, agents)
    met: _Meetings = [{} for _ in range(agents)]
    rng, everyone = random.Random(f"round robin {agents} {seats} {seed}"), tuple(range(agents)) * copies
    while not drawn:
        yield [everyone]
    while True:
        _, tables, met = min((_divided(agents, drawn, met, rng) for _ in range(_CANDIDATES)), key=itemgetter(0))
        yield [tuple(sorted((*everyone, *table))) for table in tables]


def _divided(agents: int, drawn: int, before: _Meetings, rng: random.Random) -> tuple[int, list[Lineup], _Meetings]:
    """One way to fill the tables: first the agents that have to sit at all that are left, then those that met least. Its
    cost (the increase of the sum of the squared meetings), its tables, and who has met after them."""
    to_play = drawn // gcd(agents, drawn)
    left, met, tables, cost = [to_play] * agents, [row.copy() for row in before], list[Lineup](), 0
    for to_fill in range(agents * to_play // drawn, 0, -1):
        table = [agent for agent in range(agents) if left[agent] == to_fill]
        while len(table) < drawn:
            free = [agent for agent, places in enumerate(left) if places and agent not in table]
            counts = [sum([met[other].get(agent, 0) for other in table]) for agent in free]
            table.append(min(zip(counts, [rng.random() for _ in free], free, strict=True))[2])
        for agent in table:
            left[agent] -= 1
        table.sort()
        for one, other in combinations(table, 2):
            cost += 2 * met[one].get(other, 0) + 1
            met[one][other] = met[other][one] = met[one].get(other, 0) + 1
        tables.append(tuple(table))
    return cost, tables, met


def paired(agents: int, seats: int) -> Deals:
    """A table a deal for each agent, with the seats in order: the same seat for all, which changes from deal to deal, among
    copies of the opponent, who has the number after theirs."""
    for deal in count():
        yield [tuple(agent if seat == deal % seats else agents for seat in range(seats)) for agent in range(agents)]


def gauntlet(candidates: int, opponents: int, seats: int, seed: int) -> Deals:
    """Tables at which each candidate alone meets the same opponents on the same deal. Candidates have the first numbers. With
    more opponents than free seats, the opponents take turns."""
    for deal in round_robin(opponents, seats - 1, seed):
        groups = [tuple(candidates + other for other in group) for group in deal]
        yield [(candidate, *group) for group in groups for candidate in range(candidates)]
