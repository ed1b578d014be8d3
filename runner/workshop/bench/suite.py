"""Bench suite: the tables, deals and references that every benched model meets, as data of one version."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

import games
from games.core import listed
from runner.agents.spec import parse_spec
from runner.arena.plan import Entrant, GamePlan, Plan
from runner.arena.schedule import Fixture, kind_of, schedule
from runner.arena.value_function import value_records
from runner.digest import canonical, digest_of
from runner.errors import UsageError

_FILE = "suite.toml"


@dataclass(frozen=True, slots=True)
class BenchTable:
    """One game with a number of players and of deals. `ratings` are those that its references keep; `options` are the rules
    options, by default those of the game."""

    game: str
    players: int
    deals: int
    ratings: Mapping[str, float]
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suite:
    """What a bench plays. The seeds of all deals follow from `seed`. `references` has the SPECs of the references by name.

    In one match of each deal every decision is graded with `review_playouts` playouts. `digest` is that of the whole suite.
    """

    version: int
    seed: int
    review_playouts: int
    references: Mapping[str, str]
    tables: Sequence[BenchTable]
    digest: str = ""

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the games."""
        return tuple(table.game for table in self.tables)

    def of_games(self, names: Sequence[str]) -> Suite:
        """The suite with these games alone. UsageError for a game that it does not have."""
        for name in names:
            if name not in self.games:
                raise UsageError(f"--games {name}: suite {self.version} has {listed(self.games, 'and')}.")
        return replace(self, tables=[table for table in self.tables if table.game in names])

    def of_deals(self, deals: int) -> Suite:
        """The suite with the first deals alone."""
        return replace(self, tables=[replace(table, deals=min(deals, table.deals)) for table in self.tables])

    def plan(self, table: BenchTable, model: Entrant) -> Plan:
        """The matches of a table: on each deal the model and the references in every order of seats."""
        game = GamePlan(table.game, (table.players,), None, table.options, table.deals)
        references = tuple(Entrant(name, parse_spec(self.references[name])) for name in table.ratings)
        return Plan((game,), (model,), references, "gauntlet", "full", self.seed)

    def fixtures(self, model: Entrant) -> list[Fixture]:
        """The matches of all tables, deal by deal, so that a bench that stops early has some of every game."""
        found = [fixture for table in self.tables for fixture in schedule(self.plan(table, model))]
        return sorted(found, key=lambda fixture: fixture.name.rpartition("/")[2])

    def reviewed(self, model: Entrant) -> set[str]:
        """The names of the matches that are reviewed: one of each deal, in which the seats differ from deal to deal."""
        deals: dict[tuple[str, int], list[str]] = {}
        for fixture in self.fixtures(model):
            deals.setdefault((kind_of(fixture), fixture.seed), []).append(fixture.name)
        return {names[place % len(names)] for table in _by_kind(deals) for place, names in enumerate(table)}

    def entrants(self, model: Entrant) -> list[Entrant]:
        """The model and all references."""
        return [model, *(Entrant(name, parse_spec(spec)) for name, spec in self.references.items())]


def _by_kind(deals: Mapping[tuple[str, int], list[str]]) -> list[list[list[str]]]:
    """The matches of each deal, for each kind of match."""
    return [[names for (kind, _), names in deals.items() if kind == one] for one in dict.fromkeys(kind for kind, _ in deals)]


@cache
def load_suite() -> Suite:
    """The suite of this version of tabletop."""
    data = tomllib.loads(files(__package__).joinpath(_FILE).read_text(encoding="utf-8"))
    return suite_of(data)


def suite_of(data: Mapping[str, object]) -> Suite:
    """The suite that data describes. Its digest changes with the rules and with the play of `bot:steady`, too."""
    suite = TypeAdapter(Suite).validate_python(data)
    played = value_records([games.load(name) for name in suite.games])
    return replace(
        suite, digest=digest_of(canonical({"suite": data, "bots": {name: one["digest"] for name, one in played.items()}}))
    )
