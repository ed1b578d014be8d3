"""Bench tables: benched models side by side as tables of text, for terminal and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.core import counted
from runner.standings.document_types import AgentData, GameData
from runner.standings.given_up_table import given_up_table
from runner.standings.number_format import interval_text, rating_text, share_text
from runner.standings.tables import answers_table, honesty_table, measures_table
from runner.standings.text_table import TextTable
from runner.workshop.bench.bench_document import BenchData, BenchTableData, ReferenceData

_ENOUGH_DEALS = 10
"""From this number on intervals at 95 % contain the true value in 93 to 97 % of benches."""

Row = tuple[str, BenchTableData]
"""A model and its table of one game."""


class BenchGame(NamedTuple):
    """One game of a bench: its title, its tables, the agents of a plot, and notes."""

    game: str
    title: str
    tables: tuple[TextTable, ...]
    agents: tuple[AgentData, ...]
    notes: tuple[str, ...]


def overview(documents: Sequence[BenchData]) -> Iterator[TextTable]:
    """The ratings by game, and what answers were worth and cost over all games."""
    names = tuple(dict.fromkeys(table["game"] for document in documents for table in document["tables"]))
    rows = tuple((one["model"], *(_rating_in(one, game) for game in names)) for one in documents)
    yield TextTable("Ratings with 95 % intervals", ("Model", *names), rows)
    headers = ("Model", "Matches", "Invalid", "Strike-outs", "Forfeits", "Failures", "Cost", "Tokens in", "out", "A decision")
    yield TextTable("Reliability, cost and time, all games", headers, tuple(map(_totals, documents)))


def _rating_in(document: BenchData, game: str) -> str:
    found = next((table for table in document["tables"] if table["game"] == game), None)
    if found is None:
        return "-"
    rating = found["agent"]["rating"]
    return f"{rating_text(rating)} ({interval_text(rating)})"


def _totals(document: BenchData) -> tuple[str, ...]:
    agents = [table["agent"] for table in document["tables"]]
    answers, decisions = sum(one["answers"] for one in agents), sum(one["decisions"] for one in agents)
    mistakes, seconds = sum(one["mistakes"] for one in agents), sum(one["seconds"] for one in agents)
    return (
        document["model"],
        str(sum(table["matches"] for table in document["tables"])),
        f"{mistakes} of {answers:,}" if answers else "-",
        str(sum(one["penalties"] for one in agents)),
        str(sum(table["forfeits"] for table in document["tables"])),
        str(sum(one["failures"] for one in agents)),
        f"${sum(one['cost'] for one in agents):.4f}",
        f"{sum(one['prompt_tokens'] for one in agents):,}",
        f"{sum(one['completion_tokens'] for one in agents):,}",
        f"{seconds / decisions:.2f} s" if decisions else "-",
    )


def bench_games(documents: Sequence[BenchData]) -> list[BenchGame]:
    """The tables of each game that a model was benched on."""
    names = dict.fromkeys(table["game"] for document in documents for table in document["tables"])
    return [
        _game(game, [(one["model"], table) for one in documents for table in one["tables"] if table["game"] == game])
        for game in names
    ]


def _game(game: str, rows: Sequence[Row]) -> BenchGame:
    ordered = sorted(rows, key=lambda row: -row[1]["agent"]["rating"]["value"])
    first = ordered[0][1]
    data = _as_standings(first, [row[1]["agent"] for row in ordered])
    tables = [_ratings(ordered), given_up_table(data)]
    if any(agent["answers"] for agent in data["agents"]):
        tables.append(answers_table(data))
    if any(agent["measures"] for agent in data["agents"]):
        tables.append(measures_table(data))
    if any(agent.get("honesty") for agent in data["agents"]):
        tables.append(honesty_table(data))
    title = f"{game} with {first['players']} players"
    return BenchGame(game, title, tuple(tables), tuple(data["agents"]), tuple(_notes(ordered)))


def _as_standings(table: BenchTableData, agents: list[AgentData]) -> GameData:
    """The agents of a game as standings without meetings, whose tables show them."""
    return {
        "game": table["game"],
        "players": table["players"],
        "matches": table["matches"],
        "deals": table["deals"],
        "matches_with_penalties": 0,
        "agents": agents,
        "meetings": [],
        "seats": [],
        "fit": None,
        "kinds": None,
        "company": {"own": [], "warnings": []},
        "notes": [],
    }


def _ratings(rows: Sequence[Row]) -> TextTable:
    """The models among the references, the highest rating first."""
    references = [(one["rating"], _reference(one)) for one in rows[0][1]["references"]]
    models = [(table["agent"]["rating"]["value"], _rating(name, table)) for name, table in rows]
    found = sorted((*references, *models), key=lambda one: -one[0])
    headers = ("Model", "Rating", "95 %", "Wins", "Ahead, behind, level")
    return TextTable("Ratings against references whose ratings are held", headers, tuple(row for _, row in found))


def _reference(one: ReferenceData) -> tuple[str, ...]:
    name = one["name"] if one["name"] == one["spec"] else f"{one['name']} ({one['spec']})"
    return name, f"{one['rating']:.0f}", "held", "", ""


def _rating(name: str, table: BenchTableData) -> tuple[str, ...]:
    agent = table["agent"]
    met = ", ".join(f"{one['reference']} {one['wins']:g}-{one['losses']:g}-{one['ties']:g}" for one in table["against"])
    return name, rating_text(agent["rating"]), interval_text(agent["rating"]), share_text(agent["win_share"]), met


def _notes(rows: Sequence[Row]) -> Iterator[str]:
    """What limits a comparison."""
    for name, table in rows:
        if table["matches"] < table["planned"]:
            yield f"{name}: {table['matches']} of {counted(table['planned'], 'match')} of the suite."
        if table["agent"]["rating"]["low"] is None:
            yield f"{name}: {counted(table['deals'], 'deal')} are too few for an interval."
        elif table["deals"] < _ENOUGH_DEALS:
            yield f"{name}: on {counted(table['deals'], 'deal')} intervals are too narrow: play at least {_ENOUGH_DEALS}."
    if len({table["prompts"] for _, table in rows if table["prompts"]}) > 1:
        yield "The models did not have the same prompts: their ratings compare prompts, too."
