"""Game report: what playtests say about a game to those who design it, as one document, and two variants side by side."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import games
from games.core import counted, seat_name
from games.search.playtest import GameVariant, Played, PlaytestFigure, playtest_figures, playtest_variant
from games.search.samples import mean_and_error
from games.statistics.columns import FigureForm, rate_text
from games.statistics.document_types import AgentData, FigureData
from games.statistics.figures import FEWEST_FREE, bounded, student, t_tail, within
from runner.export.table_pages import PageSection, PlottedSeat, TablePage, seat_plot
from runner.screen.safe_text import clean
from runner.standings.tables import TextTable

_LEVEL = 0.05
_MOST_SHOWN = 12

ReportDocument = dict[str, Any]
"""The report, or a part of it: its game, figures and variants."""


def game_report(variants: Sequence[GameVariant], played: Played, models: Sequence[list[AgentData]]) -> ReportDocument:
    """The report on variants of one game from their matches. `models` are the figures of models in each of them."""
    own = [[(job, match) for job, match in played if job.variant == variant] for variant in variants]
    setup = variants[0].begin(0).setup
    return {
        "game": variants[0].game,
        "players": setup.players,
        "rules": setup.rules,
        "figures": [*_figures([dict(playtest_figures(some, setup.players)) for some in own])],
        "variants": [
            playtest_variant(variant, some) | {"models": found}
            for variant, some, found in zip(variants, own, models, strict=True)
        ],
    }


def _figures(variants: Sequence[Mapping[str, PlaytestFigure]]) -> Iterator[ReportDocument]:
    """Each figure of all variants with its 95 % interval over deals, and of two the second minus the first over the same deals.
    `sure`: the difference is not 0, with an error of 5 % for all figures together (Bonferroni)."""
    names = [name for name in variants[0] if all(one[name].values for one in variants)]
    for name in names:
        found, is_share = [one[name].values for one in variants], variants[0][name].is_share
        shown = [_figure([*values.values()]) for values in found]
        row = {"name": name, "is_share": is_share, "variants": [within(one, 0, 1) if is_share else one for one in shown]}
        if len(found) > 1:
            changes = [found[1][deal] - value for deal, value in found[0].items() if deal in found[1]]
            row |= {"difference": _figure(changes), "sure": _is_sure(changes, _LEVEL / len(names))}
        yield row


def _figure(values: Sequence[float]) -> FigureData:
    return student(*mean_and_error([*values]), len(values) - 1) if values else bounded(0.0)


def _is_sure(values: Sequence[float], level: float) -> bool:
    """Whether the mean of values is not 0, but for an error of this probability."""
    if len(values) <= FEWEST_FREE:
        return False
    mean, error = mean_and_error([*values])
    return mean != 0 and (not error or 2 * t_tail(abs(mean) / error, len(values) - 1) < level)


def report_page(found: ReportDocument) -> TablePage:
    """The report as tables and a plot."""
    title, variants, rows = games.load(found["game"]).title, found["variants"], found["figures"]
    matches = " and ".join(counted(sum(one["matches"].values()), "match") for one in variants)
    lead = f"{title} with {counted(found['players'], 'player')}, rules {found['rules']}: {matches} between bots."
    wins = {row["name"]: row["variants"] for row in rows}
    seats = [(one["name"], seat, wins[f"{seat_name(seat)} wins"][place]) for place, one in enumerate(variants)
             for seat in range(found["players"])]  # fmt: skip
    plot = seat_plot([PlottedSeat(kind=name, seat=seat, win_share=figure) for name, seat, figure in seats])
    headers = ("", *(one["name"] for one in variants), *("difference", "differs") * (len(variants) > 1))
    table = TextTable("Between bot:steady, or as named; in brackets 95 % intervals", headers, tuple(map(_cells, rows)))
    sections = [_section(number, one) for number, one in enumerate(variants, 1)]
    figures = PageSection("figures", "Figures", "", [plot], [table], [*_notes(found)])
    return TablePage(f"Report on {clean(title)}", clean(lead), [], [figures, *sections], [])


def _cells(row: ReportDocument) -> tuple[str, ...]:
    form = FigureForm.SMALL_SHARE if row["is_share"] else FigureForm.SCORE
    cells = (row["name"], *map(form.whole, row["variants"]))
    return (*cells, form.whole(row["difference"]), "sure" if row["sure"] else "-") if "sure" in row else cells


def _notes(found: ReportDocument) -> Iterator[str]:
    yield f"An even share of the wins is {100 / found['players']:.0f} %."
    yield "Luck is the part of the variance of wins that two matches of equal players on one deal have in common."
    yield "The lead changes when another seat is clearly likelier to win; a comeback once had a third of an even share."
    if len(found["variants"]) > 1:
        sure = [row["name"] for row in found["figures"] if row["sure"]]
        yield f"Differs surely: {', '.join(sure)}." if sure else "Nothing differs surely."


def _section(number: int, variant: ReportDocument) -> PageSection:
    """What stands out of a variant: models, answers, edges, time."""
    found = list[TextTable]()
    if models := variant["models"]:
        share = FigureForm.SHARE.whole
        rows = (
            (one["agent"], share(one["win_share"]), rate_text(one["mistake_rate"]), f"{one['latency']:.2f} s") for one in models
        )
        found.append(TextTable("Models", ("Model", "Wins among bot:steady", "Invalid", "Time an answer"), tuple(rows)))
    for word in ("never", "always"):
        if answers := variant[word]:
            cells = ((one["answer"], one["phase"], f"{one['offered']:,}") for one in answers[:_MOST_SHOWN])
            title = f"Answers that were {word} given among others: {len(answers)}"
            found.append(TextTable(title, ("Answer", "Phase", "Offered"), tuple(cells), 2))
    if unused := variant["unused"]:
        found.append(TextTable("Edges of the phase graph that no match took", ("Edge",), tuple((one,) for one in unused)))
    times = ", ".join(f"bot:{bot} {1000 * seconds:.2f} ms" for bot, seconds in variant["seconds"].items())
    words = ", ".join(f"{name}={str(value).lower()}" for name, value in variant["options"].items())
    title = clean(": ".join(filter(None, (variant["name"], words))))
    return PageSection(f"variant-{number}", title, "", [], found, [f"Processor time a decision: {times}."])
