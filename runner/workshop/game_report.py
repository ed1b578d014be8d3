"""Game report: what playtests say about a game to those who design it, as one document, and two variants side by side."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from typing_extensions import TypedDict

import games
from games.core import counted, seat_name
from games.search.samples import mean_and_error
from runner.export.table_pages import PageSection, TablePage, seat_plot
from runner.screen.safe_text import clean
from runner.standings.columns import FigureForm, rate_text
from runner.standings.document_types import AgentData, FigureData, SeatData
from runner.standings.figures import FEWEST_FREE, bounded, student, t_tail, within
from runner.standings.tables import TextTable
from runner.workshop.playtest import RANDOM, SEARCH, STEADY, GameVariant, OfferedAnswer, PlayedMatch, PlaytestJob

_LEVEL = 0.05
_ENOUGH = 10.0
"""How often an answer has to be expected of a random choice, or to be beside others, before its absence is reported."""
_MOST_SHOWN = 12
_FORMS = {"share": FigureForm.SMALL_SHARE, "number": FigureForm.SCORE}

Played = Sequence[tuple[PlaytestJob, PlayedMatch]]


class FigureRow(TypedDict):
    """A figure of each variant with its 95 % interval over deals, and of two variants the second minus the first over the same
    deals. `sure`: the difference is not 0, with an error of 5 % for all figures together."""

    name: str
    form: Literal["share", "number"]
    variants: list[FigureData]
    difference: FigureData | None
    sure: bool


class ReportAnswer(TypedDict):
    phase: str
    answer: str
    offered: int


class VariantReport(TypedDict):
    """What a variant's matches show: their number by bot, answers that bots that think never or always gave among others, edges
    of the phase graph that no match took, processor seconds a decision by bot, figures of models."""

    name: str
    options: dict[str, object]
    matches: dict[str, int]
    never: list[ReportAnswer]
    always: list[ReportAnswer]
    unused: list[str]
    seconds: dict[str, float]
    models: list[AgentData]


class GameReport(TypedDict):
    game: str
    players: int
    rules: str
    figures: list[FigureRow]
    variants: list[VariantReport]


class _Series(NamedTuple):
    """A figure: a value for each deal."""

    form: Literal["share", "number"]
    values: Mapping[int, float]


def game_report(variants: Sequence[GameVariant], played: Played, models: Sequence[list[AgentData]]) -> GameReport:
    """The report on variants of one game from their matches. `models` are the figures of models in each of them."""
    own = [[(job, match) for job, match in played if job.variant == variant] for variant in variants]
    setup = variants[0].begin(0).setup
    return {
        "game": variants[0].game,
        "players": setup.players,
        "rules": setup.rules,
        "figures": [*_rows([dict(_series(some, setup.players)) for some in own])],
        "variants": [_variant(*one) for one in zip(variants, own, models, strict=True)],
    }


def _rows(variants: Sequence[Mapping[str, _Series]]) -> Iterator[FigureRow]:
    names = [name for name in variants[0] if all(one[name].values for one in variants)]
    for name in names:
        found = [one[name] for one in variants]
        most = 1 if found[0].form == "share" else math.inf
        row: FigureRow = {
            "name": name,
            "form": found[0].form,
            "variants": [within(_figure([*one.values.values()]), 0, most) for one in found],
            "difference": None,
            "sure": False,
        }
        if len(found) > 1:
            first, second = (one.values for one in found)
            changes = [second[deal] - first[deal] for deal in first if deal in second]
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

    def mean(form: Literal["share", "number"], value: Callable[[PlayedMatch], float]) -> _Series:
        return _Series(form, {deal: sum(map(value, some)) / len(some) for deal, some in even.items()})

    yield "decisions a match", mean("number", lambda match: match.decisions)
    yield "decisions a seat", mean("number", lambda match: match.decisions / players)
    yield "rounds", mean("number", lambda match: match.rounds)
    yield "forced decisions", mean("share", lambda match: match.forced / match.decisions)
    yield "legal answers, unless forced", mean("number", lambda match: match.choices)
    for seat in range(players):
        yield f"{seat_name(seat)} wins", mean("share", lambda match, seat=seat: match.shares[seat])  # type: ignore[misc]
    yield "who decides first wins", mean("share", lambda match: match.shares[match.first])
    yield "shared wins", mean("share", lambda match: max(match.shares) < 1)
    yield "luck of deal and seat", _Series("share", _luck(even, players))
    courses = {deal: match.course for deal, some in even.items() for match in some if match.course}
    yield "lead changes", _Series("number", {deal: course[0] for deal, course in courses.items()})
    yield "comebacks", _Series("share", {deal: course[1] for deal, course in courses.items()})
    for bot in (RANDOM, SEARCH):
        shares = {deal: some[0].shares[deal % players] for deal, some in kinds[bot, STEADY].items()}
        yield f"bot:{bot} wins among bot:steady", _Series("share", shares)


def _luck(even: Mapping[int, Sequence[PlayedMatch]], players: int) -> dict[int, float]:
    """For each deal what its two matches have in common of the seats' win shares, relative to how much these vary with one
    winner. The mean is the part of the variance that deal and seat explain (an intraclass correlation)."""
    fair = 1 / players
    pairs = {deal: zip(some[0].shares, some[1].shares, strict=True) for deal, some in even.items() if len(some) > 1}
    return {deal: sum((a - fair) * (b - fair) for a, b in pair) / (1 - fair) for deal, pair in pairs.items()}


def _variant(variant: GameVariant, played: Played, models: list[AgentData]) -> VariantReport:
    game, given, possible = games.load(variant.game), Counter[OfferedAnswer](), Counter[OfferedAnswer]()
    expected = dict[OfferedAnswer, float]()
    for match in (match for job, match in played if job.bot != RANDOM):
        possible, given = possible + match.offered, given + match.given
        expected |= {answer: expected.get(answer, 0.0) + number for answer, number in match.expected.items()}
    never = (answer for answer in possible if not given[answer] and expected[answer] >= _ENOUGH)
    always = (answer for answer in possible if given[answer] == possible[answer] >= expected[answer] + _ENOUGH)
    shown: list[list[ReportAnswer]] = [
        [
            {"phase": answer[0], "answer": answer[1], "offered": possible[answer]}
            for answer in sorted(some, key=lambda one: -possible[one])
        ]
        for some in (never, always)
    ]
    taken = {edge for _, match in played for edge in match.edges}
    times = {
        f"bot:{bot}": (sum(match.seconds for match in own), sum(match.asked for match in own))
        for bot in (STEADY, SEARCH)
        for own in [[match for job, match in played if job.bot == bot]]
    }
    return {
        "name": "changed" if variant.options else "as it is",
        "options": {name: game.options[name].to_json(value) for name, value in variant.options.items()},
        "matches": dict(Counter(" among ".join(job.kind) for job, _ in played)),
        "never": shown[0],
        "always": shown[1],
        "unused": [
            f"{phase.name} to {game.phases.by_id(edge.to).name}" + (f": {edge.when}" if edge.when else "")
            for phase in game.phases
            for edge in phase.edges
            if (phase.id, edge.to) not in taken
        ],
        "seconds": {bot: seconds / asked for bot, (seconds, asked) in times.items() if asked},
        "models": models,
    }


def report_page(found: GameReport) -> TablePage:
    """The report as tables and a plot."""
    title, variants = games.load(found["game"]).title, found["variants"]
    matches = " and ".join(counted(sum(one["matches"].values()), "match") for one in variants)
    lead = f"{title} with {counted(found['players'], 'player')}, rules {found['rules']}: {matches} between bots."
    figures = PageSection("figures", "Figures", "", [seat_plot([*_seats(found)])], [_figures(found)], [*_notes(found)])
    sections = [_section(number, one) for number, one in enumerate(variants, 1)]
    return TablePage(f"Report on {clean(title)}", clean(lead), [], [figures, *sections], [])


def _seats(found: GameReport) -> Iterator[SeatData]:
    rows = {row["name"]: row["variants"] for row in found["figures"]}
    for place, variant in enumerate(found["variants"]):
        for seat in range(found["players"]):
            wins = rows[f"{seat_name(seat)} wins"][place]
            yield {"kind": variant["name"], "seat": seat, "win_share": wins, "mean_score": wins, "matches": 0}


def _figures(found: GameReport) -> TextTable:
    """Each figure with its interval, of two variants side by side with their difference."""
    rows = list[tuple[str, ...]]()
    for row in found["figures"]:
        form, more = _FORMS[row["form"]], row["difference"]
        differs = () if more is None else (form.whole(more), "sure" if row["sure"] else "-")
        rows.append((row["name"], *map(form.whole, row["variants"]), *differs))
    headers = ("", *(one["name"] for one in found["variants"]), "difference", "differs")[: len(rows[0])]
    return TextTable("Between bot:steady, where no other bot is named; in brackets 95 % intervals", headers, tuple(rows))


def _notes(found: GameReport) -> Iterator[str]:
    yield f"An even share of the wins is {100 / found['players']:.0f} %."
    yield "Luck is the part of the variance of wins that two matches of equal players on one deal have in common."
    yield "The lead changes when another seat is clearly likelier to win; a comeback once had a third of an even share."
    if len(found["variants"]) > 1:
        sure = [row["name"] for row in found["figures"] if row["sure"]]
        yield f"Differs surely: {', '.join(sure)}." if sure else "Nothing differs surely."


def _section(number: int, variant: VariantReport) -> PageSection:
    """What stands out of a variant: models, answers, edges, time."""
    wins, found = "Wins among bot:steady", list[TextTable]()
    if variant["models"]:
        rows = [
            (one["agent"], FigureForm.SHARE.whole(one["win_share"]), rate_text(one["mistake_rate"]), f"{one['latency']:.2f} s")
            for one in variant["models"]
        ]
        found.append(TextTable("Models", ("Model", wins, "Invalid", "Time an answer"), tuple(rows)))
    for word, answers in (("never", variant["never"]), ("always", variant["always"])):
        if answers:
            cells = [(one["answer"], one["phase"], f"{one['offered']:,}") for one in answers[:_MOST_SHOWN]]
            title = f"Answers that were {word} given among others: {len(answers)}"
            found.append(TextTable(title, ("Answer", "Phase", "Offered"), tuple(cells), 2))
    if unused := variant["unused"]:
        found.append(TextTable("Edges of the phase graph that no match took", ("Edge",), tuple((one,) for one in unused)))
    times = ", ".join(f"{bot} {1000 * seconds:.2f} ms" for bot, seconds in variant["seconds"].items())
    words = ", ".join(f"{name}={str(value).lower()}" for name, value in variant["options"].items())
    title = clean(f"{variant['name']}: {words}") if words else variant["name"]
    notes = [f"Processor time a decision: {times}."] if times else []
    return PageSection(f"variant-{number}", title, "", [], found, notes)
