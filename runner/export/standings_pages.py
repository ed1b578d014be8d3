"""Standings pages: the standings as Markdown, as one self-contained HTML page, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

import games
from runner.export.gallery.page_template import render
from runner.export.plots import rank_plot, rating_plot, seat_plot
from runner.screen.safe_text import clean
from runner.standings.document_types import AgentData, GameData, StandingsData
from runner.standings.tables import game_title, tables
from runner.standings.text_table import TextTable

_FIGURES = ("rating", "win_share", "mean_score")
_PLAIN = (
    *("matches", "decisions", "answers", "mistakes", "mistake_rate", "penalties", "failures", "prompt_tokens"),
    *("completion_tokens", "cost", "cost_per_match", "latency", "longest_latency"),
)
_MISTAKE_KINDS = ("unreadable", "illegal", "truncated")
_EMPTY: Mapping[str, str] = {}


def markdown(found: StandingsData) -> str:
    """The standings in Markdown."""
    lines = [f"# Standings of {_cell(found['folder'])}", ""]
    for game in found["games"]:
        lines += [f"## {_cell(game_title(game))}", ""]
        for table in tables(game):
            lines += [f"**{table.title}**", "", *_markdown_table(table), ""]
        lines += [f"- {_cell(note)}" for note in game["notes"]] + [""]
    lines += [f"- {_cell(note)}" for note in found["notes"]]
    return "\n".join(lines).rstrip() + "\n"


def _markdown_table(table: TextTable) -> list[str]:
    marks = ["---" if place < table.left else "--:" for place in range(len(table.headers))]
    rows = [table.headers, tuple(marks), *table.rows]
    return [f"| {' | '.join(cell if row is rows[1] else _cell(cell) for cell in row)} |" for row in rows]


def _cell(text: str) -> str:
    """Text with Markdown's special characters escaped."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|" else letter for letter in clean(text))


def page(found: StandingsData, players: Mapping[str, str] = _EMPTY, site: str = "") -> str:
    """The standings as one HTML page with plots. On the page of a `site`, agents are links to the pages of `players`."""
    return render(
        "standings.html",
        site=site,
        folder=clean(found["folder"]),
        games=[_html_game(game) for game in found["games"]],
        notes=found["notes"],
        players=players,
    )


def _html_game(game: GameData) -> dict[str, object]:
    has_ranks = any(agent["ranks"] for agent in game["agents"])
    plots = [rating_plot(game["agents"]), *[rank_plot(game["agents"])] * has_ranks, seat_plot(game["seats"])]
    return {
        "anchor": table_anchor(game),
        "title": table_title(game),
        "counts": clean(game_title(game).partition(": ")[2]),
        "plots": [Markup(plot) for plot in plots],
        "tables": list(tables(game)),
        "notes": game["notes"],
    }


def table_title(game: GameData) -> str:
    """The title of a game with its number of players, where all its matches have the same."""
    titles = {found.name: found.title for found in games.registered().games}
    title = clean(titles.get(game["game"], game["game"]))
    return title if game["players"] is None else f"{title}, {game['players']} players"


def table_anchor(game: GameData) -> str:
    """The fragment that leads to a game on the standings page."""
    name = game["game"].replace(" ", "-")
    return name if game["players"] is None else f"{name}-{game['players']}"


def csv_text(found: StandingsData) -> str:
    """CSV with a row for each agent of each game, in full precision."""
    measures = sorted({name for game in found["games"] for agent in game["agents"] for name in agent["measures"]})
    figures = _figures(found)
    headers = ["game", "agent", *(f"{name}{end}" for name in figures for end in ("", "_low", "_high")), "p_first", *_PLAIN]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*headers, *(f"{kind}_rate" for kind in _MISTAKE_KINDS), *measures])
    for game in found["games"]:
        for agent in game["agents"]:
            writer.writerow([_safe(game["game"]), *_csv_row(agent, figures), *(_measure(agent, name) for name in measures)])
    return file.getvalue()


def _figures(found: StandingsData) -> tuple[str, ...]:
    """The names of the figures with intervals."""
    has_reviews = any("given_up" in agent for game in found["games"] for agent in game["agents"])
    return (*_FIGURES, "given_up") if has_reviews else _FIGURES


def _csv_row(agent: AgentData, figures: Sequence[str]) -> list[object]:
    values: Mapping[str, Any] = agent
    bounds = [(values[name] or {}).get(bound) for name in figures for bound in ("value", "low", "high")]
    plain, rates = [values[name] for name in _PLAIN], [agent["rates"].get(kind, 0.0) for kind in _MISTAKE_KINDS]
    return [_safe(agent["agent"]), *bounds, agent["ranks"][0] if agent["ranks"] else None, *plain, *rates]


def _measure(agent: AgentData, name: str) -> float | None:
    found = agent["measures"].get(name)
    return found["value"] if found else None


def _safe(text: str) -> str:
    """Text that a spreadsheet does not read as a formula."""
    shown = clean(text)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown
