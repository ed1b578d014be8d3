"""Bench: the matches of a suite, run as those of a tournament are, and what their logs say about its model as one document.

The same logs give the same document on every machine: it has no clock, no path and no digest of a log.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from importlib.resources import files
from operator import or_
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypedDict, get_args, get_origin, get_type_hints, is_typeddict

import typing_extensions
from pydantic import TypeAdapter, ValidationError

import games
from games.core import listed
from games.statistics.document_types import AgentData, GameData, MeetingData
from runner.agents.environment import Environment
from runner.agents.spec import check_spec, parse_spec, seat_spec
from runner.arena.experiment import Experiment
from runner.arena.paired_differences import differences_of
from runner.arena.plan import GamePlan, Plan
from runner.arena.schedule import kind_of, schedule
from runner.arena.tournament_dir import TournamentDir, value_records
from runner.digest import canonical, digest_of
from runner.errors import TabletopError, UsageError
from runner.files import make_folder, read_regular_text, write_whole
from runner.record.log_folder import FollowWork, per_log, summaries
from runner.record.log_summary import LogState, LogSummary
from runner.review.honesty import seat_honesty
from runner.review.kept_reviews import folder_reviews
from runner.session.match_spec import SeatSpec
from runner.standings.document import folder_matches, standings
from runner.standings.game_document import rated
from runner.standings.luck import Adjust, luck_study
from runner.standings.rating import anchored_rating
from runner.standings.studies import honesty_study, regret_study

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

    def plan(
        self, model: SeatSpec, budget: float | None = None, budget_tokens: int | None = None, concurrency: int = 200
    ) -> Plan:
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
            budget_tokens=budget_tokens,
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
    return suite_of(tomllib.loads(files(__package__).joinpath(_FILE).read_text(encoding="utf-8")))


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


def experiment_of(bench: Bench, plan: Plan, is_until_sure: bool = False, margin: float | None = None) -> Experiment:
    """A `plan` of the suite, or of a part of it: games and deals can be added later."""
    facts = {"suite": bench.suite.digest, "model": bench.model.name, "spec": bench.model.spec.text}
    differences = differences_of(plan, margin) if is_until_sure else None
    return Experiment(plan, TournamentDir(bench.logs, "bench"), "The bench", facts, differences)


_checked_dict: Any = typing_extensions.TypedDict
SCHEMA = 1
_DIGITS = 6


class SuiteData(TypedDict):
    """The suite: its version, and the digest of its games, rules, deals and references."""

    version: int
    digest: str


class ReferenceData(TypedDict):
    """An opponent, and the rating that it keeps."""

    name: str
    spec: str
    rating: float


class AgainstData(TypedDict):
    """How often the model was ahead of a reference, behind it and level with it."""

    reference: str
    wins: float
    losses: float
    ties: float


class BenchTableData(TypedDict):
    """A game: matches played of those planned on the deals of the suite; the model's figures, with its rating held against
    those of the references; the model's matches with a strike-out (`forfeits`); its prompt pack and settings."""

    game: str
    players: int
    deals: int
    matches: int
    planned: int
    references: list[ReferenceData]
    against: list[AgainstData]
    forfeits: int
    prompts: str
    agent: AgentData


class BenchData(TypedDict):
    schema: int
    suite: SuiteData
    model: str
    spec: str
    tables: list[BenchTableData]


def _checkable(kind: Any) -> Any:
    """A type as pydantic can check it: before Python 3.12 it knows a TypedDict of `typing_extensions` alone."""
    if is_typeddict(kind):
        fields = get_type_hints(kind, include_extras=True)
        return _checked_dict(kind.__name__, {name: _checkable(inner) for name, inner in fields.items()})
    if not (inner := get_args(kind)):
        return kind
    if get_origin(kind) is Annotated:
        return _checkable(inner[0])
    parts = [*map(_checkable, inner)]
    if isinstance(kind, UnionType):
        return reduce(or_, parts)
    return get_origin(kind)[parts[0] if len(parts) == 1 else (*parts,)]


BENCH_DATA: TypeAdapter[BenchData] = TypeAdapter(_checkable(BenchData))


def bench_document(
    bench: Bench, follow: Callable[..., FollowWork], is_reviewed: bool = False, adjust: Adjust | None = None
) -> BenchData:
    """The document of all matches that have ended, of every game of the suite that was begun. `is_reviewed`: each of them is
    reviewed. `adjust`: win shares are adjusted for luck as well. `follow` shows work by its name, `what`."""
    planned = {fixture.name: fixture.game for fixture in schedule(bench.suite.plan(bench.model))}
    found = summaries(bench.logs) if bench.logs.is_dir() else {}
    logs = {name: log for name, log in found.items() if name in planned and log.state is LogState.FINISHED}
    rows: dict[object, GameData] = {}
    if logs:
        matches, reviewed = folder_matches(bench.logs), bench.suite.reviewed(bench.model)
        wanted = {bench.logs / name for name in logs if name in reviewed}
        chosen = [path for path in matches.logs if is_reviewed or path in wanted]
        reviews = folder_reviews(chosen, follow(what="reviewing matches"), bench.suite.review_playouts)
        claims = per_log(seat_honesty, [*matches.logs], follow(what="reading claims"))
        lucks = [luck_study(matches.logs, adjust, bench.logs, follow(what="valuing deals"))] if adjust else []
        shown = standings(matches, 0, studies=[regret_study(reviews), honesty_study(claims), *lucks])
        rows = {(row["game"], row["players"]): row for row in shown["games"]}
    whole: BenchData = {
        "schema": SCHEMA,
        "suite": {"version": bench.suite.version, "digest": bench.suite.digest},
        "model": bench.model.name,
        "spec": bench.model.spec.text,
        "tables": [
            _table(bench, table, row, [*logs.values()], [*planned.values()].count(table.game))
            for table in bench.suite.tables
            if (row := rows.get((table.game, table.players))) is not None
        ],
    }
    return BENCH_DATA.validate_python(_rounded(whole))


def _table(bench: Bench, table: BenchTable, row: GameData, logs: Sequence[LogSummary], planned: int) -> BenchTableData:
    name = bench.model.name
    own = [log for log in logs if log.game == table.game]
    agent = next(agent for agent in row["agents"] if agent["agent"] == name)
    rating = anchored_rating([rated(log) for log in own], name, table.ratings)
    return {
        "game": table.game,
        "players": table.players,
        "deals": row["deals"],
        "matches": row["matches"],
        "planned": planned,
        "references": [
            {"name": reference, "spec": bench.suite.references[reference], "rating": value}
            for reference, value in table.ratings.items()
        ],
        "against": [_against(name, meeting) for meeting in row["meetings"] if name in meeting["agents"]],
        "forfeits": sum(seat.name == name and seat.penalties > 0 for log in own for seat in log.seats),
        "prompts": own[0].prompts,
        "agent": {**agent, "rating": rating, "without_penalties": None},
    }


def _against(name: str, meeting: MeetingData) -> AgainstData:
    first, second = meeting["agents"]
    wins, losses = meeting["wins"], meeting["losses"]
    if first != name:
        wins, losses = losses, wins
    return {"reference": second if first == name else first, "wins": wins, "losses": losses, "ties": meeting["ties"]}


def _rounded(data: BenchData) -> object:
    """Data with shorter fractions: their last digits depend on the machine's mathematical functions."""
    return json.loads(json.dumps(data), parse_float=lambda digits: round(float(digits), _DIGITS))


def write_document(path: Path, data: BenchData) -> None:
    make_folder(path.parent)
    write_whole(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n", "The document")


def benched(folders: Sequence[Path], suite: SuiteData) -> tuple[list[BenchData], list[str]]:
    """All documents in some folders that are of this suite, and a sentence for each that is left out; a model that several
    folders have counts once, in the first."""
    found, notes = dict[str, BenchData](), list[str]()
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        document = _read(path)
        if document is None:
            notes.append(f"{path} is not a document of `tabletop bench` of this version and is left out.")
        elif document["suite"] != suite:
            version = document["suite"]["version"]
            notes.append(f"{document['model']} is left out: it was benched on another suite (version {version}, {path}).")
        else:
            found.setdefault(document["model"], document)
    return [*found.values()], notes


def _read(path: Path) -> BenchData | None:
    """The document in a file; None for any other file."""
    try:
        found = BENCH_DATA.validate_json(read_regular_text(path, "The document"))
    except (TabletopError, ValidationError, ValueError, RecursionError):
        return None
    return found if found["schema"] == SCHEMA else None
