"""Bench document: what the logs of a bench say about its model, as one JSON document.

The same logs give the same document on every machine: it has no clock, no path and no digest of a log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from runner.arena.schedule import schedule
from runner.record.log_folder import summaries
from runner.record.log_summary import LogState, LogSummary
from runner.review.folder_reviews import FolderReviews
from runner.standings.agent_honesty import FolderHonesty
from runner.standings.document import standings
from runner.standings.document_types import AgentData, GameData, MeetingData
from runner.standings.game_document import figure_data, rated
from runner.standings.held_rating import held_rating
from runner.workshop.bench.bench_run import Bench
from runner.workshop.bench.suite import BenchTable

SCHEMA = 1
_DIGITS = 6

Reviewing = Callable[[Sequence[Path], int], FolderReviews]
"""Makes the reviews of logs with a number of playouts a decision."""

Reckoning = Callable[[Sequence[Path]], FolderHonesty]
"""Sums up the claims and challenges of logs."""


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
    """A benched model on a suite. `schema` is the version of this form."""

    schema: int
    suite: SuiteData
    model: str
    spec: str
    tables: list[BenchTableData]


BENCH_DATA = TypeAdapter(BenchData)


def bench_document(bench: Bench, reviewing: Reviewing, reckoning: Reckoning) -> BenchData:
    """The document of all matches that have ended, of every game of the suite that was begun."""
    logs, reviewed = _ended(bench), bench.suite.reviewed(bench.model)
    chosen = {bench.logs / name for name in logs if name in reviewed}

    def review(paths: Sequence[Path]) -> FolderReviews:
        return reviewing([path for path in paths if path in chosen], bench.suite.review_playouts)

    rows = standings(bench.logs, draws=0, reviewing=review, reckoning=reckoning)["games"] if logs else []
    found = {(row["game"], row["players"]): row for row in rows}
    whole: BenchData = {
        "schema": SCHEMA,
        "suite": {"version": bench.suite.version, "digest": bench.suite.digest},
        "model": bench.model.name,
        "spec": bench.model.spec.text,
        "tables": [
            _table(bench, table, found[table.game, table.players], logs)
            for table in bench.suite.tables
            if (table.game, table.players) in found
        ],
    }
    return BENCH_DATA.validate_python(_rounded(whole))


def _ended(bench: Bench) -> dict[str, LogSummary]:
    """The matches of the suite that have ended, by the names of their logs."""
    found = summaries(bench.logs) if bench.logs.is_dir() else {}
    planned = {fixture.name for fixture in bench.suite.fixtures(bench.model)}
    return {name: log for name, log in found.items() if name in planned and log.state is LogState.FINISHED}


def _table(bench: Bench, table: BenchTable, row: GameData, logs: Mapping[str, LogSummary]) -> BenchTableData:
    name = bench.model.name
    own = [log for log in logs.values() if log.game == table.game]
    agent = next(agent for agent in row["agents"] if agent["agent"] == name)
    rating = held_rating([rated(log) for log in own], name, table.ratings)
    return {
        "game": table.game,
        "players": table.players,
        "deals": row["deals"],
        "matches": row["matches"],
        "planned": sum(1 for _ in schedule(bench.suite.plan(table, bench.model))),
        "references": [
            {"name": reference, "spec": bench.suite.references[reference], "rating": value}
            for reference, value in table.ratings.items()
        ],
        "against": [_against(name, meeting) for meeting in row["meetings"] if name in meeting["agents"]],
        "forfeits": sum(seat.name == name and seat.penalties > 0 for log in own for seat in log.seats),
        "prompts": own[0].prompts,
        "agent": {**agent, "rating": figure_data(rating), "without_penalties": None},
    }


def _against(name: str, meeting: MeetingData) -> AgainstData:
    """A pair's outcomes as those of the model."""
    first, second = meeting["agents"]
    wins, losses = meeting["wins"], meeting["losses"]
    if first != name:
        wins, losses = losses, wins
    return {"reference": second if first == name else first, "wins": wins, "losses": losses, "ties": meeting["ties"]}


def _rounded(data: object) -> object:
    """Data with shorter fractions: their last digits depend on the machine's mathematical functions."""
    if isinstance(data, float):
        return round(data, _DIGITS)
    if isinstance(data, dict):
        return {name: _rounded(value) for name, value in data.items()}
    return [_rounded(value) for value in data] if isinstance(data, list) else data
