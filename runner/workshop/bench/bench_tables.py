"""Bench tables: benched models side by side as tables of text, for terminal and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import games
from games.core import counted
from runner.standings.deal_blocks import FEWEST_FREE
from runner.standings.document_types import AgentData, GameData
from runner.standings.given_up_table import given_up_table
from runner.standings.number_format import interval_text, rate_text, rating_text, share_text
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
    """The ratings by game; reliability, cost and time over all games."""
    names = tuple(dict.fromkeys(table["game"] for document in documents for table in document["tables"]))
    rows = tuple((one["model"], *(_rating_in(one, game) for game in names)) for one in documents)
    yield TextTable("Ratings with 95 % intervals", ("Model", *(games.load(name).title for name in names)), rows)
    answers = ("Model", "Matches", "Answers", "Invalid", "Strike-outs", "Forfeits", "Failures")
    yield TextTable("Reliability, all games", answers, tuple(map(_reliability, documents)))
    costs = ("Model", "Cost", "Tokens in", "Tokens out", "Seconds a decision")
    yield TextTable("Cost and time, all games", costs, tuple(map(_cost, documents)))


def _rating_in(document: BenchData, game: str) -> str:
    found = next((table for table in document["tables"] if table["game"] == game), None)
    if found is None:
        return "-"
    rating = found["agent"]["rating"]
    return f"{rating_text(rating)} ({interval_text(rating)})"


def _reliability(document: BenchData) -> tuple[str, ...]:
    tables = document["tables"]
    agents = [table["agent"] for table in tables]
    answers = sum(one["answers"] for one in agents)
    counts = sum(table["matches"] for table in tables), answers
    invalid = rate_text(sum(one["mistakes"] for one in agents) / answers if answers else 0.0)
    strike_outs, failures = (sum(one[what] for one in agents) for what in ("penalties", "failures"))
    forfeits = sum(table["forfeits"] for table in tables)
    return document["model"], *(f"{one:,}" for one in counts), invalid, str(strike_outs), str(forfeits), str(failures)


def _cost(document: BenchData) -> tuple[str, ...]:
    agents = [table["agent"] for table in document["tables"]]
    decisions, seconds = sum(one["decisions"] for one in agents), sum(one["seconds"] for one in agents)
    usd = f"${sum(one['cost'] for one in agents):.4f}"
    tokens = (f"{sum(one[what] for one in agents):,}" for what in ("prompt_tokens", "completion_tokens"))
    return document["model"], usd, *tokens, f"{seconds / decisions:.2f}" if decisions else "-"


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
    title = f"{games.load(game).title}, {first['players']} players"
    return BenchGame(game, title, tuple(tables), tuple(_plotted(first, data["agents"])), tuple(_notes(ordered)))


def _plotted(table: BenchTableData, agents: Sequence[AgentData]) -> list[AgentData]:
    """The models and the references, the highest rating first."""
    held: list[AgentData] = [
        {**agents[0], "agent": _reference_name(one), "rating": {"value": one["rating"], "low": None, "high": None}}
        for one in table["references"]
    ]
    return sorted((*agents, *held), key=lambda one: -one["rating"]["value"])


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
    return _reference_name(one), f"{one['rating']:.0f}", "held", "", ""


def _reference_name(one: ReferenceData) -> str:
    return f"{one['name']} ({one['spec']})"


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
            yield f"{name}: no interval on {counted(table['deals'], 'deal')}; that takes {FEWEST_FREE + 1}."
        elif table["deals"] < _ENOUGH_DEALS:
            yield f"{name}: on {counted(table['deals'], 'deal')} intervals are too narrow: play at least {_ENOUGH_DEALS}."
    if len({table["prompts"] for _, table in rows if table["prompts"]}) > 1:
        yield "The models did not have the same prompts: their ratings compare prompts, too."
