"""Game report: what playtests say about a game to those who design it, as tables and a plot."""

from collections.abc import Iterator

import games
from games.core import counted, seat_name
from games.statistics.columns import FigureForm, rate_text
from games.statistics.playtest_report import ReportDocument
from runner.export.table_pages import PageSection, PlottedSeat, TablePage, seat_plot
from runner.screen.safe_text import clean
from runner.standings.tables import TextTable

_MOST_SHOWN = 12


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
    found, none = list[TextTable](), list[str]()
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
        else:
            none.append(f"No answer was {word} given among others.")
    if unused := variant["unused"]:
        found.append(TextTable("Edges of the phase graph that no match took", ("Edge",), tuple((one,) for one in unused)))
    none += ["Matches took every edge of the phase graph."] * (not unused)
    times = ", ".join(f"bot:{bot} {1000 * seconds:.2f} ms" for bot, seconds in variant["seconds"].items())
    words = ", ".join(f"{name}={str(value).lower()}" for name, value in variant["options"].items())
    title = clean(": ".join(filter(None, (variant["name"], words))))
    return PageSection(f"variant-{number}", title, "", [], found, [*none, f"Processor time a decision: {times}."])
