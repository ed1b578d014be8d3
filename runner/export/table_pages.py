"""Table pages: tables and plots as one self-contained HTML page; the standings as such a page, a plot, Markdown and CSV."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup
from typing_extensions import TypedDict

import games
from games.statistics.document_types import AgentData, FigureData, GameData, StandingsData
from runner.export.pages import macro, render
from runner.export.table_file import csv_text
from runner.screen.safe_text import clean
from runner.standings.tables import TextTable, game_title, tables

_FIGURES = ("rating", "win_share", "mean_score", "given_up")
_PLAIN = (
    *("matches", "decisions", "answers", "mistakes", "mistake_rate", "penalties", "failures", "prompt_tokens"),
    *("completion_tokens", "cost", "cost_per_match", "seconds", "latency", "longest_latency"),
)
_MISTAKE_KINDS = ("unreadable", "illegal", "truncated")
_EMPTY: Mapping[str, str] = {}


class PageSection(NamedTuple):
    """A part of a page: plots and tables under a title, which `anchor` leads to, a sentence before and notes behind them, and a
    long text that the reader can open."""

    anchor: str
    title: str
    lead: str
    plots: Sequence[Markup]
    tables: Sequence[TextTable]
    notes: Sequence[str]
    text: str = ""


class TablePage(NamedTuple):
    """A page of tables: an overview, then sections."""

    title: str
    lead: str
    overview: Sequence[TextTable]
    sections: Sequence[PageSection]
    notes: Sequence[str]

    def html(
        self, maker: str, site: str = "", links: Mapping[str, str] = _EMPTY, root: str = "", document: str = "standings.json"
    ) -> str:
        """The page as a file that loads nothing; the verb `maker` made it. On a page of a `site`, whose folder is `root`, names
        that head a row are `links`, and the same is in `document` as data."""
        return render("tables.html", page=self, maker=maker, site=site, links=links, root=root, document=document)


def markdown(found: StandingsData) -> str:
    """The standings in Markdown."""
    games = [(game_title(game), tables(game), game["notes"]) for game in found["games"]]
    return render("standings.md", data=found, games=games).rstrip() + "\n"


def standings_page(found: StandingsData, players: Mapping[str, str] = _EMPTY, site: str = "") -> str:
    """The standings as one HTML page with plots. On the page of a `site`, agents are links to the pages of `players`."""
    title = f"Standings of {clean(found['folder'])}"
    page = TablePage(title, "", [], [_section(game) for game in found["games"]], found["notes"])
    return page.html("gallery" if site else "standings", site, players)


def _section(game: GameData) -> PageSection:
    plots = [rating_plot(game["agents"]), seat_plot(game["seats"])]
    if any(agent["ranks"] for agent in game["agents"]):
        plots.insert(1, rank_plot(game["agents"]))
    if len({agent["cost_per_match"] for agent in game["agents"]}) > 1:
        plots.append(cost_plot(game["agents"]))
    counts = clean(game_title(game).partition(": ")[2])
    return PageSection(table_anchor(game), table_title(game), counts, plots, list(tables(game)), game["notes"])


def table_title(game: GameData) -> str:
    """The title of a game with its number of players, where all its matches have the same."""
    titles = {found.name: found.title for found in games.registered().games}
    title = clean(titles.get(game["game"], game["game"]))
    return title if game["players"] is None else f"{title}, {game['players']} players"


def table_anchor(game: GameData) -> str:
    """The fragment that leads to a game on the standings page."""
    name = game["game"].replace(" ", "-")
    return name if game["players"] is None else f"{name}-{game['players']}"


def standings_csv(found: StandingsData) -> str:
    """CSV with the rows of `agent_rows`."""
    rows = list(agent_rows(found))
    return csv_text(rows, dict.fromkeys(name for row in rows for name in row))


def agent_rows(found: StandingsData) -> Iterator[dict[str, object]]:
    """A row for each agent of each game, in full precision, with intervals as `NAME_low` and `NAME_high`."""
    for game in found["games"]:
        for agent in game["agents"]:
            values: Mapping[str, Any] = agent
            row: dict[str, object] = {"game": game["game"], "agent": agent["agent"]}
            for name in _FIGURES:
                bounds = values.get(name) or {}
                row |= {f"{name}{end}": bounds.get(end[1:] or "value") for end in ("", "_low", "_high")}
            row |= {"p_first": agent["ranks"][0] if agent["ranks"] else None} | {name: values[name] for name in _PLAIN}
            row |= {f"{kind}_rate": agent["rates"].get(kind, 0.0) for kind in _MISTAKE_KINDS}
            yield row | {name: measure["value"] for name, measure in sorted(agent["measures"].items())}


# -- plots: their shapes are in the template `plots.svg` --------------------------------------------------------------

_STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)


def _scale(agents: Sequence[AgentData]) -> dict[str, object]:
    """The ratings at the left end of a plot and from there to the right end, and at most eight round ones."""
    ratings = [agent["rating"] for agent in agents]
    ends = [end for rating in ratings for end in (rating["value"], rating["low"], rating["high"]) if end is not None]
    margin = max(10.0, (max(ends) - min(ends)) * 0.05)
    low, high = min(ends) - margin, max(ends) + margin
    step = next((step for step in _STEPS if (high - low) / step <= 8), _STEPS[-1])
    return {"low": low, "width": high - low, "ticks": range(int(low // step + 1) * step, int(high) + 1, step)}


def rating_plot(agents: Sequence[AgentData]) -> Markup:
    """Each agent's rating as a dot on its interval."""
    return macro("plots.svg", "rating_figure")(agents, _scale(agents))


def cost_plot(agents: Sequence[AgentData]) -> Markup:
    """Each agent's rating with its interval over what it cost a match: cheap and strong is at the top left."""
    return macro("plots.svg", "cost_figure")(agents, _scale(agents), max(agent["cost_per_match"] for agent in agents))


def rating_picture(found: StandingsData) -> str:
    """The ratings of every game of a folder, one game under the other, as an SVG document."""
    games = [(game_title(game), game["agents"], _scale(game["agents"])) for game in found["games"]]
    return macro("plots.svg", "rating_document")(games)


def rank_plot(agents: Sequence[AgentData]) -> Markup:
    """The probability of each rank of each agent: a row of squares, darker for higher."""
    return macro("plots.svg", "rank_figure")(agents)


class PlottedSeat(TypedDict):
    """A seat, in one kind of matches, with its share of the wins."""

    kind: str
    seat: int
    win_share: FigureData


def seat_plot(seats: Sequence[PlottedSeat]) -> Markup:
    """The share of wins of each seat as a bar with its interval; a dashed line marks an even share."""
    kinds = [seat["kind"] for seat in seats]
    named = [f"{seat['kind']}: P-{seat['seat']}" if len({*kinds}) > 1 else f"P-{seat['seat']}" for seat in seats]
    rows = [(name, seat["win_share"], 1 / kinds.count(seat["kind"])) for name, seat in zip(named, seats, strict=True)]
    longest = max(0.01, *(max(share["high"] or share["value"], even) for _, share, even in rows))
    return macro("plots.svg", "seat_figure")(rows, longest)
