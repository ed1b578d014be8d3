"""Bench page: a benched model next to others, as one page of tables for the terminal or a browser."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

import games
from games.core import counted
from games.statistics.columns import rate_text
from games.statistics.document_types import AgentData
from games.statistics.figures import FEWEST_FREE
from runner.export.table_pages import PageSection, TablePage, rating_plot
from runner.screen.dashboard import drawn_tables
from runner.screen.palette import TITLE
from runner.screen.safe_text import clean
from runner.standings import tables as texts
from runner.standings.tables import Columns, TextTable
from runner.workshop.bench_suite import BenchData, BenchTableData, ReferenceData

_ENOUGH_DEALS = 10
"""From this number on intervals at 95 % contain the true value in 93 to 97 % of benches."""

ModelTable = tuple[str, BenchTableData]
"""A model and its table of one game."""


def bench_page(data: BenchData, others: Sequence[BenchData], notes: Sequence[str]) -> TablePage:
    documents = [data, *others]
    matches = _all(data, "matches")
    suite = f"suite {data['suite']['version']} ({data['suite']['digest'][:12]})"
    lead = f"{data['spec']} on {suite}: {counted(matches, 'match')} against references whose ratings are held."
    rows: dict[str, list[ModelTable]] = {}
    for one in documents:
        for table in one["tables"]:
            rows.setdefault(table["game"], []).append((one["model"], table))
    ratings = ((one["model"], *(_rating_in(one, game) for game in rows)) for one in documents)
    titles = ("Model", *(games.load(name).title for name in rows))
    overview = [
        TextTable("Ratings with 95 % intervals", titles, tuple(ratings)),
        texts.text_table("Reliability, all games", _RELIABILITY, documents),
        texts.text_table("Cost and time, all games", _COSTS, documents),
    ]
    sections = [_section(game, found) for game, found in rows.items()]
    return TablePage(f"Bench of {clean(data['model'])}", clean(lead), overview, sections, notes)


def _rating_in(document: BenchData, game: str) -> str:
    found = next((table["agent"]["rating"] for table in document["tables"] if table["game"] == game), None)
    return "-" if found is None else f"{texts.rating_text(found)} ({texts.interval_text(found)})"


def _all(document: BenchData, what: str) -> Any:
    tables: list[Any] = [*document["tables"]]
    return sum(table[what] if what in table else table["agent"][what] for table in tables)


_RELIABILITY: Columns[BenchData] = (
    ("Model", lambda one: one["model"]),
    ("Matches", lambda one: f"{_all(one, 'matches'):,}"),
    ("Answers", lambda one: f"{_all(one, 'answers'):,}"),
    ("Invalid", lambda one: rate_text(_all(one, "mistakes") / (_all(one, "answers") or 1))),
    ("Strike-outs", lambda one: str(_all(one, "penalties"))),
    ("Forfeits", lambda one: str(_all(one, "forfeits"))),
    ("Failures", lambda one: str(_all(one, "failures"))),
)
_COSTS: Columns[BenchData] = (
    ("Model", lambda one: one["model"]),
    ("Cost", lambda one: f"${_all(one, 'cost'):.4f}"),
    ("Tokens in", lambda one: f"{_all(one, 'prompt_tokens'):,}"),
    ("Tokens out", lambda one: f"{_all(one, 'completion_tokens'):,}"),
    ("Seconds a decision", lambda one: f"{_all(one, 'seconds') / made:.2f}" if (made := _all(one, "decisions")) else "-"),
)


def _section(game: str, rows: Sequence[ModelTable]) -> PageSection:
    ordered = sorted(rows, key=lambda row: -row[1]["agent"]["rating"]["value"])
    first, agents = ordered[0][1], [table["agent"] for _, table in ordered]
    tables = [_ratings(ordered), texts.agent_table(texts.REGRET, agents)]
    shown = ("adjusted", texts.ANSWERS, texts.MEASURES, texts.HONESTY)
    tables += (texts.agent_table(field, agents) for field in shown if any(agent.get(field) for agent in agents))
    held: list[AgentData] = [
        {**agents[0], "agent": _name(one), "rating": {"value": one["rating"], "low": None, "high": None}}
        for one in first["references"]
    ]
    plotted = sorted((*agents, *held), key=lambda one: -one["rating"]["value"])
    title = f"{games.load(game).title}, {first['players']} players"
    return PageSection(game, title, "", [rating_plot(plotted)], tables, [*_notes(ordered)])


def _name(reference: ReferenceData) -> str:
    return f"{reference['name']} ({reference['spec']})"


def _ratings(rows: Sequence[ModelTable]) -> TextTable:
    found = [(one["rating"], (_name(one), f"{one['rating']:.0f}", "held", "", "")) for one in rows[0][1]["references"]]
    found += [(table["agent"]["rating"]["value"], _rating(name, table)) for name, table in rows]
    found.sort(key=lambda one: -one[0])
    headers = ("Model", "Rating", "95 %", "Wins", "Ahead, behind, level")
    return TextTable("Ratings against references whose ratings are held", headers, tuple(row for _, row in found))


def _rating(name: str, table: BenchTableData) -> tuple[str, str, str, str, str]:
    agent = table["agent"]
    met = ", ".join(f"{one['reference']} {one['wins']:g}-{one['losses']:g}-{one['ties']:g}" for one in table["against"])
    rating = agent["rating"]
    return name, texts.rating_text(rating), texts.interval_text(rating), texts.share_text(agent["win_share"]), met


def _notes(rows: Sequence[ModelTable]) -> Iterator[str]:
    for name, table in rows:
        if table["matches"] < table["planned"]:
            yield f"{name}: {table['matches']} of {counted(table['planned'], 'match')} of the suite."
        if table["agent"]["rating"]["low"] is None:
            yield f"{name}: no interval on {counted(table['deals'], 'deal')}; that takes {FEWEST_FREE + 1}."
        elif table["deals"] < _ENOUGH_DEALS:
            yield f"{name}: on {counted(table['deals'], 'deal')} intervals are too narrow: play at least {_ENOUGH_DEALS}."
    if len({table["prompts"] for _, table in rows if table["prompts"]}) > 1:
        yield "The models did not have the same prompts: their ratings compare prompts, too."


def bench_screen(page: TablePage) -> RenderableType:
    parts: list[RenderableType] = [Text(page.lead, style=TITLE), *drawn_tables(page.overview)]
    for section in page.sections:
        parts += ["", Text(clean(section.title), style=TITLE), *([Text(section.lead)] if section.lead else [])]
        parts += drawn_tables(section.tables)
        parts += [Text(clean(note)) for note in section.notes]
    return Group(*parts, *(Text(clean(note)) for note in page.notes))
