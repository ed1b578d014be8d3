"""Game report: what playtests say about a game to those who design it, as one document, and two variants side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import games
from games.core import counted, seat_name
from games.search.samples import mean_and_error
from runner.export.table_pages import PageSection, TablePage, seat_plot
from runner.screen.safe_text import clean
from runner.standings.columns import FigureForm, rate_text
from runner.standings.document_types import AgentData, FigureData
from runner.standings.figures import FEWEST_FREE, bounded, student, t_tail, within
from runner.standings.tables import TextTable
from runner.workshop.playtest import RANDOM, SEARCH, STEADY, GameVariant, OfferedAnswer, PlayedMatch, PlaytestJob

_LEVEL = 0.05
_ENOUGH = 40
"""How often an answer has to be possible among others before it is called never or always given."""
_MOST_SHOWN = 12

Played = Sequence[tuple[PlaytestJob, PlayedMatch]]
ReportDocument = dict[str, Any]
"""The report, or a part of it: its game, figures and variants."""


class _Series(NamedTuple):
    """A figure: a value for each deal, which may be a share."""

    values: Mapping[int, float]
    is_share: bool = False


def game_report(variants: Sequence[GameVariant], played: Played, models: Sequence[list[AgentData]]) -> ReportDocument:
    """The report on variants of one game from their matches. `models` are the figures of models in each of them."""
    own = [[(job, match) for job, match in played if job.variant == variant] for variant in variants]
    setup = variants[0].begin(0).setup
    return {
        "game": variants[0].game,
        "players": setup.players,
        "rules": setup.rules,
        "figures": [*_figures([dict(_series(some, setup.players)) for some in own])],
        "variants": [_variant(*one) for one in zip(variants, own, models, strict=True)],
    }


def _figures(variants: Sequence[Mapping[str, _Series]]) -> Iterator[ReportDocument]:
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


def _series(played: Played, players: int) -> Iterator[tuple[str, _Series]]:
    kinds: dict[tuple[str, str], dict[int, list[PlayedMatch]]] = defaultdict(lambda: defaultdict(list))
    for job, match in played:
        kinds[job.kind][job.deal].append(match)
    even = kinds[STEADY, STEADY]

    def mean(value: Callable[[PlayedMatch], float], is_share: bool = False) -> _Series:
        return _Series({deal: sum(map(value, some)) / len(some) for deal, some in even.items()}, is_share)

    yield "decisions a match", mean(lambda match: match.decisions)
    yield "decisions a seat", mean(lambda match: match.decisions / players)
    yield "rounds", mean(lambda match: match.rounds)
    yield "forced decisions", mean(lambda match: match.forced / match.decisions, True)
    yield "legal answers, unless forced", mean(lambda match: match.choices)
    for seat in range(players):
        yield f"{seat_name(seat)} wins", mean(lambda match, seat=seat: match.shares[seat], True)  # type: ignore[misc]
    yield "who decides first wins", mean(lambda match: match.shares[match.first], True)
    yield "shared wins", mean(lambda match: max(match.shares) < 1, True)
    yield "luck of deal and seat", _Series(_luck(even, 1 / players), True)
    courses = {deal: match.course for deal, some in even.items() for match in some if match.course}
    yield "lead changes", _Series({deal: course[0] for deal, course in courses.items()})
    yield "comebacks", _Series({deal: course[1] for deal, course in courses.items()}, True)
    for bot in (RANDOM, SEARCH):
        shares = {deal: some[0].shares[deal % players] for deal, some in kinds[bot, STEADY].items()}
        yield f"bot:{bot} wins among bot:steady", _Series(shares, True)


def _luck(even: Mapping[int, Sequence[PlayedMatch]], fair: float) -> dict[int, float]:
    """For each deal what its two matches have in common of the seats' win shares, relative to how much these vary with one
    winner. The mean is the part of the variance that deal and seat explain (an intraclass correlation)."""
    pairs = {deal: zip(some[0].shares, some[1].shares, strict=True) for deal, some in even.items() if len(some) > 1}
    return {deal: sum((a - fair) * (b - fair) for a, b in pair) / (1 - fair) for deal, pair in pairs.items()}


def _variant(variant: GameVariant, played: Played, models: list[AgentData]) -> ReportDocument:
    """What stands out of a variant: matches by bots, answers that thinking bots never or always gave among others, edges of the
    phase graph that no match took, processor seconds a decision, models."""
    game, given, possible = games.load(variant.game), Counter[OfferedAnswer](), Counter[OfferedAnswer]()
    for match in (match for job, match in played if job.bot != RANDOM):
        possible, given = possible + match.offered, given + match.given
    common = [answer for answer, number in possible.most_common() if number >= _ENOUGH]
    shown = [{"phase": answer[0], "answer": answer[1], "offered": possible[answer]} for answer in common]
    counts = [(given[answer], possible[answer]) for answer in common]
    taken = {edge for _, match in played for edge in match.edges}
    edges = ((phase, game.phases.by_id(edge.to), edge.when) for phase in game.phases for edge in phase.edges)
    of_bots = {bot: [match for job, match in played if job.bot == bot] for bot in (STEADY, SEARCH)}
    asked = {bot: sum(match.asked for match in own) for bot, own in of_bots.items()}
    return {
        "name": "changed" if variant.options else "as it is",
        "options": {name: game.options[name].to_json(value) for name, value in variant.options.items()},
        "matches": dict(Counter(" among ".join(job.kind) for job, _ in played)),
        "never": [one for one, (number, _) in zip(shown, counts, strict=True) if not number],
        "always": [one for one, (number, most) in zip(shown, counts, strict=True) if number == most],
        "unused": [
            f"{phase.name} to {to.name}{': ' * bool(when)}{when}" for phase, to, when in edges if (phase.id, to.id) not in taken
        ],
        "seconds": {bot: sum(match.seconds for match in own) / asked[bot] for bot, own in of_bots.items() if asked[bot]},
        "models": models,
    }


def report_page(found: ReportDocument) -> TablePage:
    """The report as tables and a plot."""
    title, variants, rows = games.load(found["game"]).title, found["variants"], found["figures"]
    matches = " and ".join(counted(sum(one["matches"].values()), "match") for one in variants)
    lead = f"{title} with {counted(found['players'], 'player')}, rules {found['rules']}: {matches} between bots."
    wins = {row["name"]: row["variants"] for row in rows}
    seats = [(one["name"], seat, wins[f"{seat_name(seat)} wins"][place]) for place, one in enumerate(variants)
             for seat in range(found["players"])]  # fmt: skip
    plot = seat_plot([{"kind": name, "seat": seat, "win_share": figure} for name, seat, figure in seats])  # type: ignore[typeddict-item]
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
