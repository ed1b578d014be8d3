"""Comparison report: what the matches of a comparison say so far, as data, as a table, and as one sentence to act on."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from games.core import counted
from games.statistics.figures import student
from games.statistics.power import needed
from games.statistics.rank_changes import rank_changes
from runner.arena.paired_differences import ERROR_RATE, PairData
from runner.arena.schedule import schedule
from runner.export.table_pages import TablePage
from runner.match.records import ResultRecord, win_share
from runner.standings.tables import TextTable
from runner.workshop.comparison import Comparison

FEWEST = 6
"""With fewer deals a measure other than wins has no interval: at this error rate, fewer that all agree show nothing."""

MARGIN = 0.05
"""The difference in the share of the win for which the report says what it takes, unless another is named."""

Measure = Callable[[ResultRecord, int], float]
"""What is measured of a seat in a finished match."""

ComparisonData = dict[str, Any]
"""The document: `agents` with the `measures` of each player's matches; `pairs` with the first pack less each other one in the
`measure` of the verdict, `measures` the same in all measures, each with an interval for itself alone; `halves`, half of the
first pack's deals less the others; `ranks`, the order of models with each pack, and the sum of rank changes."""

_Seats = Sequence[Mapping[int, tuple[ResultRecord, int]]]
"""Of each player by deal the result of its match, and its seat."""


def asked(result: ResultRecord, seat: int) -> int:
    """How often the seat's player was asked for a decision."""
    tally = result["seats"][seat]
    return tally["decisions"] - tally["forced"] + tally["penalties"]


def _a_decision(*names: str) -> Measure:
    def measure(result: ResultRecord, seat: int) -> float:
        tally: Mapping[str, Any] = result["seats"][seat]
        return float(sum(tally[name] for name in names)) / max(1, asked(result, seat))

    return measure


_WINS = "wins"
MEASURES: Mapping[str, tuple[str, Measure]] = {
    _WINS: ("share of wins", win_share),
    "points": ("points", lambda result, seat: result["scores"][seat]),
    "invalid": ("invalid answers per decision", _a_decision("mistakes")),
    "penalties": ("penalties per decision", _a_decision("penalties")),
    "tokens": ("tokens per decision", _a_decision("prompt_tokens", "completion_tokens")),
    "cost": ("USD per decision", _a_decision("cost")),
}
"""Each measure in words, and of a match: all are means over deals."""


def report_of(
    comparison: Comparison, results: Mapping[str, ResultRecord], measure: str = _WINS, margin: float | None = None
) -> ComparisonData:
    """The results so far. `measure` is that of the verdict, chosen in advance."""
    names, game, seats = comparison.names, comparison.game, _seats(comparison, results)
    each = {
        name: [_figures(names[0], other, _differences(comparison, seats, of, pack)) for pack, other in enumerate(names[1:], 1)]
        for name, (_, of) in MEASURES.items()
    }
    agents = [_row(comparison, place, own) for place, own in enumerate(seats)]
    data: ComparisonData = {
        "game": game.game,
        "players": game.players[0],
        "by": "matches",
        "opponent": comparison.plan.opponents[0].spec.text,
        "seed": comparison.plan.seed,
        "measure": measure,
        "error_rate": ERROR_RATE,
        "agents": agents,
        "pairs": _wins(comparison, results) if measure == _WINS else each[measure],
        "measures": each,
        "halves": _halves(comparison, seats[0], MEASURES[measure][1]),
        "ranks": rank_changes(names, [agent["measures"][measure] for agent in agents], comparison.models),
        "decisions": sum(agent["decisions"] for agent in agents),
        "spent": sum(agent["spent"] for agent in agents),
        "folder": str(comparison.path),
    }
    spread = spread_of(comparison, results)
    data["verdict"] = " ".join(_verdict(data, pair, margin or MARGIN, spread) for pair in data["pairs"])
    return data | {"shown": any(pair["sure"] for pair in data["pairs"])}


def _seats(comparison: Comparison, results: Mapping[str, ResultRecord]) -> _Seats:
    found: list[dict[int, tuple[ResultRecord, int]]] = [{} for _ in comparison.players]
    for number, fixture in enumerate(schedule(comparison.plan)):
        deal, place = divmod(number, len(found))
        if fixture.name in results:
            found[place][deal] = results[fixture.name], deal % len(fixture.seats)
    return found


def _wins(comparison: Comparison, results: Mapping[str, ResultRecord]) -> list[PairData]:
    """The differences in the share of the win, with intervals that hold at any time of looking."""
    found, names = comparison.differences(), comparison.names
    for fixture in schedule(comparison.plan):
        if fixture.name in results:
            found.add(fixture, results[fixture.name])
    found.close()
    return [pair.data(names[0], name) for pair, name in zip(found.pairs, names[1:], strict=True)]


def _differences(comparison: Comparison, seats: _Seats, of: Measure, pack: int) -> list[float]:
    """On each deal that all models have played with both, the first pack less another."""
    packs = len(comparison.names)
    one, other = seats[::packs], seats[pack::packs]
    common = [deal for deal in one[0] if all(deal in own for own in (*one, *other))]
    return [fmean(of(*own[deal]) for own in one) - fmean(of(*own[deal]) for own in other) for deal in common]


def _figures(a: str, b: str, each: Sequence[float]) -> PairData:
    """A difference with Student's interval, for a number of deals chosen in advance; none for few deals, or all alike."""
    found = student(fmean(each), stdev(each) / math.sqrt(len(each)), len(each) - 1) if len(each) >= FEWEST else None
    mean, low, high = fmean(each or [0.0]), found and found["low"], found and found["high"]
    is_sure = found is not None and mean != 0
    if low is None or high is None or low == high:
        return PairData(a=a, b=b, deals=len(each), difference=mean, low=None, high=None, sure=is_sure)
    return PairData(a=a, b=b, deals=len(each), difference=mean, low=low, high=high, sure=is_sure and not low <= 0 <= high)


def _halves(comparison: Comparison, own: Mapping[int, tuple[ResultRecord, int]], measure: Measure) -> PairData:
    """What chance alone does: of a player's deals, those of one half less those of the other, in the same seats."""
    seats, name = comparison.game.players[0], comparison.names[0]
    pairs = [(deal, deal + seats) for deal in own if deal // seats % 2 == 0 and deal + seats in own]
    return _figures(name, name, [measure(*own[one]) - measure(*own[other]) for one, other in pairs])


def _row(comparison: Comparison, place: int, own: Mapping[int, tuple[ResultRecord, int]]) -> dict[str, Any]:
    player, played = comparison.players[place], own.values()
    return {
        "agent": player.agent,
        "pack": player.name,
        "model": player.model.text,
        "matches": len(own),
        "measures": {name: fmean([of(*one) for one in played] or [0.0]) for name, (_, of) in MEASURES.items()},
        "decisions": sum(asked(*one) for one in played),
        "spent": sum(result["seats"][seat]["cost"] for result, seat in played),
    }


def spread_of(comparison: Comparison, results: Mapping[str, ResultRecord]) -> float:
    """The standard deviation over deals of the difference of the first two packs; before that is known, what equal players
    have who win as chance has it."""
    each = _differences(comparison, _seats(comparison, results), win_share, 1) if results else []
    if len(each) >= 2 * FEWEST and (found := stdev(each)):
        return float(found)
    share = 1 / comparison.game.players[0]
    return math.sqrt(2 * share * (1 - share) / len(comparison.models))


def _verdict(data: ComparisonData, pair: PairData, wanted: float, spread: float) -> str:
    """What to conclude on a pair of packs."""
    deals, words, apart = counted(pair["deals"], "deal"), MEASURES[data["measure"]][0], abs(pair["difference"])
    what = f"{deals}, {counted(data['decisions'], 'decision')}, {money(data['spent'])}"
    least, most = sorted(abs(end or 0.0) for end in (pair["low"], pair["high"]))
    more, less = (pair["a"], pair["b"]) if pair["difference"] > 0 else (pair["b"], pair["a"])
    if data["measure"] == _WINS and pair["sure"]:
        return f"{more} wins more than {less}: {points(apart)} of win share ({bare(least)} to {bare(most)}), {what}."
    if data["measure"] == _WINS:
        takes = "" if most <= wanted else f" {points(wanted)} take about {counted(needed(spread, wanted), 'deal')}."
        size = f"larger than {points(most)} of win share" if most < 1 else "so far: so few deals bound nothing"
        return f"No difference of {more} and {less} {size}, {what}.{takes}"
    if pair["deals"] < FEWEST:
        return f"{deals} are too few for {words}: at least {FEWEST} are needed."
    if pair["sure"]:
        return f"{more} has more than {less} ({words}): {_text(pair)}, {pair['a']} minus {pair['b']}, {what}."
    bound = f"larger than {most:.4g}" if _ends(pair) else "at all so far"
    return f"No difference of {more} and {less} {bound} ({words}), {what}."


def points(share: float) -> str:
    """A share of the win in points, as people say it."""
    return f"{bare(share)} {'point' if bare(share) == '1' else 'points'}"


def bare(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def money(usd: float) -> str:
    return f"${usd:.2f}" if usd >= 0.005 else f"${usd:.4f}" if usd else "free"


def comparison_page(comparison: Comparison, data: ComparisonData) -> TablePage:
    """The report for people. The row of the measure of the verdict is marked."""
    names, letters = comparison.names, [chr(ord("A") + place) for place in range(len(comparison.names))]
    who = "   ".join(f"{letter}: {name}" for letter, name in zip(letters, names, strict=True))
    against = f"against {data['opponent']}, {data['players']} players, seed {data['seed']}"
    headers = ("", *letters, *(f"A - {letter}" for letter in letters[1:]))
    table = TextTable("Means over deals", headers, tuple(_cells(data, len(names))))
    return TablePage("", f"{who}   with {', '.join(comparison.models)}, {against}", [table], [], [])


def _cells(data: ComparisonData, packs: int) -> Iterator[tuple[str, ...]]:
    for name, (words, _) in MEASURES.items():
        own = [fmean(row["measures"][name] for row in data["agents"][place::packs]) for place in range(packs)]
        apart = data["pairs"] if name == data["measure"] else data["measures"][name]
        mark = "*" if name == data["measure"] else " "
        yield f"{mark} {words}", *(f"{value:.4g}" for value in own), *map(_text, apart)
    yield "  noise: halves of A", *[""] * packs, _text(data["halves"]), *[""] * (packs - 2)


def _text(found: PairData) -> str:
    return f"{found['difference']:+.4g}{_ends(found)}"


def _ends(found: PairData) -> str:
    return "" if found["low"] is None else f" ({found['low']:+.4g} to {found['high']:+.4g})"
