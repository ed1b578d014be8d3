"""Bench document: what the logs of a bench say about its model, as one JSON document.

The same logs give the same document on every machine: it has no clock, no path and no digest of a log.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from runner.arena.schedule import schedule
from runner.errors import TabletopError
from runner.files import make_folder, read_regular_text, write_whole
from runner.record.log_folder import summaries
from runner.record.log_summary import LogState, LogSummary
from runner.review.each_log import FollowWork, per_log
from runner.review.honesty import seat_honesty
from runner.review.kept_reviews import folder_reviews
from runner.standings.document import folder_matches, standings
from runner.standings.document_types import AgentData, GameData, MeetingData
from runner.standings.game_document import rated
from runner.standings.rating import anchored_rating
from runner.standings.studies import honesty_study, regret_study
from runner.workshop.bench_suite import Bench, BenchTable

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


BENCH_DATA = TypeAdapter(BenchData)


def bench_document(bench: Bench, follow_reviews: FollowWork, follow_claims: FollowWork) -> BenchData:
    """The document of all matches that have ended, of every game of the suite that was begun."""
    planned = {fixture.name: fixture.game for fixture in schedule(bench.suite.plan(bench.model))}
    found = summaries(bench.logs) if bench.logs.is_dir() else {}
    logs = {name: log for name, log in found.items() if name in planned and log.state is LogState.FINISHED}
    rows: dict[object, GameData] = {}
    if logs:
        matches, reviewed = folder_matches(bench.logs), bench.suite.reviewed(bench.model)
        wanted = {bench.logs / name for name in logs if name in reviewed}
        chosen = [path for path in matches.logs if path in wanted]
        reviews = folder_reviews(chosen, follow_reviews, bench.suite.review_playouts)
        claims = per_log(seat_honesty, [*matches.logs], follow_claims)
        shown = standings(matches, 0, studies=[regret_study(reviews), honesty_study(claims)])
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
