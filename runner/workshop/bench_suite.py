"""Bench run: the matches of a suite, run as those of a tournament are, in a folder of the model."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import TypeAdapter

import games
from games.core import listed
from runner.agents.environment import Environment
from runner.agents.factory import check_spec
from runner.agents.named_spec import seat_spec
from runner.agents.spec import parse_spec
from runner.arena.match_runner import ExecutorOptions, Show, play_recorded
from runner.arena.plan import GamePlan, Plan
from runner.arena.progress import Progress
from runner.arena.schedule import kind_of, schedule
from runner.arena.tournament_dir import TournamentDir
from runner.arena.value_function import value_records
from runner.digest import canonical, digest_of
from runner.errors import UsageError
from runner.session.match_spec import SeatSpec

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
    """What a bench plays. The seeds of all deals follow from `seed`. `references` has the SPECs of the references by name. In
    one match of each deal every decision is graded with `review_playouts` playouts. `digest` is that of the whole suite."""

    version: int
    seed: int
    review_playouts: int
    references: Mapping[str, str]
    tables: Sequence[BenchTable]
    digest: str = ""

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(table.game for table in self.tables)

    def of_games(self, names: Sequence[str]) -> Suite:
        """The suite with these games alone. UsageError for a game that it does not have."""
        for name in names:
            if name not in self.games:
                raise UsageError(f"--games {name}: suite {self.version} has {listed(self.games, 'and')}.")
        return replace(self, tables=[table for table in self.tables if table.game in names])

    def of_deals(self, deals: int) -> Suite:
        return replace(self, tables=[replace(table, deals=min(deals, table.deals)) for table in self.tables])

    def plan(self, model: SeatSpec, budget: float | None = None, concurrency: int = 200) -> Plan:
        """The matches of all tables: on each deal the model and the references in every order of seats."""
        references = {name: SeatSpec(parse_spec(spec), name) for name, spec in self.references.items()}
        games = []
        for table in self.tables:
            opponents = tuple(references[name] for name in table.ratings)
            games.append(GamePlan(table.game, (table.players,), None, table.options, table.deals, opponents=opponents))
        return Plan(
            games=tuple(games),
            agents=(model,),
            opponents=tuple(references.values()),
            schedule="gauntlet",
            seed=self.seed,
            budget=budget,
            concurrency=concurrency,
        )

    def reviewed(self, model: SeatSpec) -> set[str]:
        """The names of the matches that are reviewed: one of each deal, in which the seats differ from deal to deal."""
        tables: dict[str, dict[int, list[str]]] = {}
        for fixture in schedule(self.plan(model)):
            tables.setdefault(kind_of(fixture), {}).setdefault(fixture.seed, []).append(fixture.name)
        return {names[deal % len(names)] for deals in tables.values() for deal, names in enumerate(deals.values())}


@cache
def load_suite() -> Suite:
    data = tomllib.loads(files(__package__).joinpath(_FILE).read_text(encoding="utf-8"))
    return suite_of(data)


def suite_of(data: Mapping[str, object]) -> Suite:
    """The suite that data describes. Its digest changes with the rules and with the play of `bot:steady`, too."""
    suite = TypeAdapter(Suite).validate_python(data)
    bots = {name: one["digest"] for name, one in value_records([games.load(name) for name in suite.games]).items()}
    return replace(suite, digest=digest_of(canonical({"suite": data, "bots": bots})))


_OTHER_LETTERS = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Bench:
    """A model on a suite, in the folder of all benched models; the logs are in `logs`, the document is in `document`."""

    suite: Suite
    model: SeatSpec
    folder: Path

    @property
    def logs(self) -> Path:
        return self.folder / _file_name(self.model.name)

    @property
    def document(self) -> Path:
        return self.folder / f"{_file_name(self.model.name)}.json"


def _file_name(name: str) -> str:
    return _OTHER_LETTERS.sub("-", name).strip("-.") or "model"


def entrant_of(text: str, suite: Suite, environment: Environment) -> SeatSpec:
    """The model that a SPEC stands for. UsageError when it cannot play every game of the suite, or has a reference's name."""
    spec = seat_spec(text, environment)
    for name in suite.games:
        check_spec(spec, games.load(name), environment)
    found = SeatSpec(spec, spec.given_name(environment) or spec.text)
    if found.name in suite.references:
        raise UsageError(f"{found.name} is the name of a reference: give the model another one, such as my-{text}.")
    return found


def run_bench(
    bench: Bench, plan: Plan, environment: Environment, show: Show, options: ExecutorOptions
) -> tuple[Progress, bool]:
    """Play what has not been played of a `plan` of the suite, or of a part of it: games and deals can be added later. The
    result says how far it is, and is False when it was interrupted."""
    facts = {"suite": bench.suite.digest, "model": bench.model.name, "spec": bench.model.spec.text}
    return play_recorded(plan, environment, TournamentDir(bench.logs, "bench"), facts, show, options)
