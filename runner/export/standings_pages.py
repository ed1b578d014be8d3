"""Standings pages: the standings as Markdown, as one self-contained HTML page, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from runner.export.plots import rank_plot, rating_plot, seat_plot
from runner.screen.safe_text import clean
from runner.standings.document_types import AgentData, StandingsData
from runner.standings.tables import TextTable, game_title, tables

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}"
    "table{border-collapse:collapse;margin:.3rem 0 1.5rem}th,td{padding:.15rem .7rem;text-align:right;"
    "border-bottom:1px solid #d8dee4}th{font-weight:600;color:#57606a}.w{text-align:left}caption,figcaption{text-align:left;"
    "font-weight:600;padding:.3rem 0}figure{margin:1rem 0;overflow-x:auto}svg{max-width:100%;height:auto}"
)
_FIGURES = ("rating", "win_share", "mean_score")
_PLAIN = (
    *("matches", "decisions", "answers", "mistakes", "mistake_rate", "penalties", "failures", "prompt_tokens"),
    *("completion_tokens", "cost", "cost_per_match", "latency", "longest_latency"),
)
_MISTAKE_KINDS = ("unreadable", "illegal", "truncated")


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


def page(found: StandingsData) -> str:
    """The standings as one HTML page with plots."""
    title = f"Standings of {escape(clean(found['folder']))}"
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>',
        f"<body><h1>{title}</h1>",
    ]
    for game in found["games"]:
        parts.append(f"<h2>{escape(clean(game_title(game)))}</h2>")
        parts += [rating_plot(game["agents"]), rank_plot(game["agents"]), seat_plot(game["seats"])]
        parts += map(_html_table, tables(game))
        parts.append(_notes(game["notes"]))
    parts.append(_notes(found["notes"]))
    return "\n".join(parts) + "</body></html>\n"


def _notes(notes: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(clean(note))}</li>' for note in notes)}</ul>" if notes else ""


def _html_table(table: TextTable) -> str:
    def row(cells: tuple[str, ...], tag: str) -> str:
        marked = (
            f"<{tag}{' class=w' if place < table.left else ''}>{escape(clean(cell))}</{tag}>"
            for place, cell in enumerate(cells)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "".join(row(cells, "td") for cells in table.rows)
    return f"<table><caption>{escape(table.title)}</caption>{row(table.headers, 'th')}{body}</table>"


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
