"""Bench page: a benched model next to others, as one page for the terminal or as self-contained HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup
from rich.console import Group, RenderableType
from rich.text import Text

from games.core import counted
from runner.export.gallery.page_template import render
from runner.export.plots import rating_plot
from runner.screen.palette import QUIET, TITLE
from runner.screen.safe_text import clean
from runner.screen.standings_screen import drawn
from runner.standings.text_table import TextTable
from runner.workshop.bench.bench_document import BenchData
from runner.workshop.bench.bench_tables import BenchGame, bench_games, overview


class BenchPage(NamedTuple):
    """The contents of a page: the model, a sentence on what it was set, tables over all games and by game, notes."""

    model: str
    lead: str
    overview: tuple[TextTable, ...]
    games: tuple[BenchGame, ...]
    notes: tuple[str, ...]


def bench_page(data: BenchData, others: Sequence[BenchData], notes: Sequence[str]) -> BenchPage:
    """The page of a model and of others that were benched on the same suite."""
    documents = [data, *others]
    matches = sum(table["matches"] for table in data["tables"])
    suite = f"suite {data['suite']['version']} ({data['suite']['digest'][:12]})"
    lead = f"{data['spec']} on {suite}: {counted(matches, 'match')} against references whose ratings are held."
    return BenchPage(data["model"], lead, tuple(overview(documents)), tuple(bench_games(documents)), tuple(notes))


def bench_screen(page: BenchPage) -> RenderableType:
    """The page on a terminal."""
    parts: list[RenderableType] = [Text(clean(page.lead), style=TITLE), *_tables(page.overview)]
    for game in page.games:
        parts += ["", Text(clean(game.title), style=TITLE), *_tables(game.tables)]
        parts += [Text(clean(note)) for note in game.notes]
    return Group(*parts, *(Text(clean(note)) for note in page.notes))


def _tables(tables: Sequence[TextTable]) -> list[RenderableType]:
    found = list[RenderableType]()
    for table in tables:
        found += ["", Text(clean(table.title), style=QUIET), drawn(table)]
    return found


def bench_html(page: BenchPage) -> str:
    """The page as one HTML file that loads nothing."""
    plots = {game.game: Markup(rating_plot(list(game.agents))) for game in page.games}
    return render("bench.html", **page._asdict(), plots=plots)
