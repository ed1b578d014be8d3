"""Comparison: two prompt packs with the same model, balanced seats and the same deals: its plan, and what its results say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

import games
from games.core import counted
from runner.agents.environment import Environment
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.agents.spec import Spec, with_pack
from runner.arena.match_runner import ExecutorOptions, Show, play_recorded
from runner.arena.plan import GamePlan, Plan
from runner.arena.progress import check_ended
from runner.arena.schedule import Fixture, kind_of, schedule
from runner.arena.tournament_dir import TournamentDir
from runner.match.records import ResultRecord
from runner.prompting.pack import PromptPack
from runner.session.match_spec import SeatSpec
from runner.standings.deal_sums import DealSums, ratio
from runner.standings.figures import NORMAL
from runner.workshop.prompt_cost import prompt_cost

A, B, OTHER = "A", "B", "opponent"
REAL, NULL = "packs", "null"
"""The two halves and their folders: A against B, and A against A under both names."""

_KIND = "comparison"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A plan of two halves with one `model`, and the packs of A and B (None: the built-in one). Without opponents the packs
    meet at one table, and each has every seat once per deal. With opponents each pack plays the same deal from the same seat
    against the same opponents."""

    plan: Plan
    model: Spec
    folders: tuple[Path | None, Path | None]

    @property
    def names(self) -> tuple[str, str]:
        """The names of both sides, which differ: the pack, and whether its model is asked for reasons if that is given."""
        packs = zip((PromptPack(folder).name for folder in self.folders), self.plan.agents, strict=True)
        whys = ((name, side.settings.said.get("reason")) for name, side in packs)
        a, b = (name if why is None else f"{name}, reason {why}" for name, why in whys)
        return (a, b) if a != b else (f"{a} (A)", f"{b} (B)")

    def to_json(self) -> dict[str, object]:
        """What must not change when a comparison is resumed: everything but the number of deals; packs by their digests."""
        plan, game = self.plan, self.plan.games[0]
        reasons = [side.settings.said.get("reason") for side in plan.agents]
        return {
            "game": game.game,
            "players": game.players[0],
            "rules": game.rules,
            "options": dict(game.options),
            "model": self.model.text,
            "opponents": plan.opponents[0].spec.text if plan.opponents else None,
            "seed": plan.seed,
            "packs": [PromptPack(folder).to_json(game.game) for folder in self.folders],
            **({"deal_seeds": "hashed"} if plan.deal_seeds == "hashed" else {}),
            **({"reasons": reasons} if any(reasons) else {}),
            **({"secret": plan.secret} if plan.secret else {}),
        }

    def with_recorded_seeds(self, out: Path) -> Comparison:
        """The comparison with the seeds that its folder has recorded. A seed that was named stays as it is."""
        return replace(self, plan=TournamentDir(out, _KIND).with_recorded_seeds(self.plan))


def comparison_of(
    game: GamePlan,
    folders: tuple[Path | None, Path | None],
    model: Spec,
    opponents: Spec | None,
    null_deals: int,
    own: tuple[SeatSettings, SeatSettings] = (DEFAULT_SETTINGS, DEFAULT_SETTINGS),
    **settings: Any,
) -> Comparison:
    """The comparison of two packs in a game. A plays `null_deals` deals against itself. `own` are the settings of either side,
    `settings` those of a plan."""
    a, b = (SeatSpec(with_pack(model, folder), side, each) for side, folder, each in zip((A, B), folders, own, strict=True))
    others = () if opponents is None else (SeatSpec(opponents, OTHER),)
    halves = replace(game, folder=REAL), replace(game, folder=NULL, deals=null_deals, agents=(a, replace(a, name=B)))
    return Comparison(Plan(games=halves, agents=(a, b), opponents=others, is_paired=True, **settings), model, folders)


def run(comparison: Comparison, out: Path, environment: Environment, show: Show, again: str, options: ExecutorOptions) -> None:
    """Play what has not been played. PausedError, which says how to go on (`again`), when it stops before the end."""
    progress, has_run = play_recorded(
        comparison.plan, environment, TournamentDir(out, _KIND), comparison.to_json(), show, options
    )
    check_ended(progress, has_run, "The comparison", again)


def results(comparison: Comparison, out: Path) -> Mapping[str, ResultRecord]:
    found = {fixture.name: TournamentDir(out, _KIND).result(fixture.name) for fixture in schedule(comparison.plan)}
    return {name: result for name, result in found.items() if result is not None}


ERROR_RATE = 0.05
POWER = 0.8
FEWEST = 6
"""With fewer deals there is no interval: at this error rate, fewer that all agree show nothing."""

_COSTS = {
    "decision": "prompt tokens a decision",
    "match": "prompt tokens a match of bots",
    "cached": "share that can be cached",
}
_MATCHES_A_DEAL = 2
_MOST_SAID = 10_000_000

MEASURES = {
    "wins": ("share of wins per seat", "seats"),
    "points": ("points per seat", "seats"),
    "invalid": ("invalid answers per decision", "questions"),
    "penalties": ("penalties per decision", "questions"),
    "tokens": ("tokens per decision", "questions"),
    "cost": ("USD per decision", "questions"),
}
"""Each measure in words, and what it is counted by: seats, or decisions that were asked for."""

TERMS = ("seats", "questions", *MEASURES)


class Difference(TypedDict):
    """A difference over deals, its interval (None: too few deals, or all alike), and the standard deviation per deal. It is
    `shown` if the interval excludes 0, or without one all deals agree that it is not 0."""

    deals: int
    mean: float
    interval: list[float] | None
    spread: float
    shown: bool


class HalfData(TypedDict):
    """One half of a comparison on its complete deals: by measure the figures of A and of B, and the difference A minus B."""

    deals: int
    measures: dict[str, dict[str, Any]]


def deals_to_show(found: Difference) -> int | None:
    """Deals that show a difference as large as the observed one with a power of 0.8; None: unknown."""
    if not found["mean"] or not found["spread"]:
        return None
    quantiles = NORMAL.inv_cdf(1 - ERROR_RATE / 2) + NORMAL.inv_cdf(POWER)
    return max(FEWEST, math.ceil((quantiles * found["spread"] / abs(found["mean"])) ** 2))


def half_of(comparison: Comparison, half: str, results: Mapping[str, ResultRecord]) -> HalfData:
    """A half from the results so far; deals with a missing match are left out."""
    deals: dict[int, list[Fixture]] = {}
    for fixture in schedule(comparison.plan):
        if kind_of(fixture) == half:
            deals.setdefault(fixture.seed, []).append(fixture)
    whole = [deal for deal in deals.values() if all(fixture.name in results for fixture in deal)]
    sums = DealSums[str](len(TERMS))
    for fixture in (fixture for deal in whole for fixture in deal):
        for seat, entrant in enumerate(fixture.seats):
            sums.add((half, str(fixture.seed)), entrant.name, *_terms(results[fixture.name], seat))
    return measured(len(whole), sums)


def _terms(result: ResultRecord, seat: int) -> Iterator[float]:
    """What a seat did in a finished match. A shared win counts in parts."""
    tally = result["seats"][seat]
    yield 1
    yield tally["decisions"] - tally["forced"] + tally["penalties"]
    yield (seat in result["winners"]) / len(result["winners"])
    yield result["scores"][seat]
    yield tally["mistakes"]
    yield tally["penalties"]
    yield tally["prompt_tokens"] + tally["completion_tokens"]
    yield tally["cost"]


def measured(deals: int, sums: DealSums[str]) -> HalfData:
    """A half from the terms of both sides."""
    found: HalfData = {"deals": deals, "measures": {}}
    for name, (_, number) in MEASURES.items():
        terms = TERMS.index(name), TERMS.index(number)
        a, b = (ratio(sums.parts(side).sums, *terms) if deals else 0.0 for side in (A, B))
        found["measures"][name] = {A: a, B: b, "difference": _difference(deals, sums, *terms, are_shares=name == "wins")}
    return found


def _difference(deals: int, sums: DealSums[str], above: int, below: int, are_shares: bool) -> Difference:
    if not deals:
        return {"deals": 0, "mean": 0.0, "interval": None, "spread": 0.0, "shown": False}
    found, error = sums.parts(A).difference(sums.parts(B), above, below, are_shares)
    mean, low, high = found["value"], found["low"], found["high"]
    interval = None if low is None or high is None or deals < FEWEST else [low, high]
    is_shown = (deals >= FEWEST and mean != 0) if interval is None else not interval[0] <= 0 <= interval[1]
    return {"deals": deals, "mean": mean, "interval": interval, "spread": error * math.sqrt(deals), "shown": is_shown}


def report_of(comparison: Comparison, measure: str, results: Mapping[str, ResultRecord]) -> dict[str, Any]:
    """The results so far as data. `measure` is that of the verdict, chosen in advance; `further_matches` show the observed
    difference, if it is real, with a power of 0.8 (None: unknown); `prompts` is the cost of both packs' prompts."""
    real, null = (half_of(comparison, half, results) for half in (REAL, NULL))
    main: Difference = real["measures"][measure]["difference"]
    needed, game = deals_to_show(main), comparison.plan.games[0]
    further = None if needed is None else max(0, needed - main["deals"]) * _MATCHES_A_DEAL
    costs = (
        prompt_cost(games.load(game.game), game.players[0], PromptPack(folder), rules=game.rules, options=game.options)
        for folder in comparison.folders
    )
    return {
        "comparison": comparison.to_json(),
        "measure": measure,
        "shown": main["shown"],
        "verdict": _verdict(comparison.names, MEASURES[measure][0], main, further),
        "further_matches": further,
        "error_rate": ERROR_RATE,
        "packs": real,
        "null": null,
        "prompts": {side: cost.to_json() for side, cost in zip((A, B), costs, strict=True)},
    }


def _verdict(names: tuple[str, str], what: str, main: Difference, further: int | None) -> str:
    if main["deals"] < FEWEST:
        return f"No difference shown: {main['deals']} complete deals are too few; at least {FEWEST} are needed."
    if main["shown"]:
        more, less = names if main["mean"] > 0 else names[::-1]
        return f"A difference is shown: {more} has more than {less} ({what}): {_text(main)}, A minus B."
    if further is None:
        rest = "The number of further matches is unknown, because no difference was observed."
    elif not further:
        rest = "This many matches show a difference of the observed size in four out of five comparisons."
    else:
        count = f"more than {_MOST_SAID:,}" if further > _MOST_SAID else f"about {further:,}"
        rest = f"If the difference is as large as observed, {count} further matches show it in four out of five comparisons."
    return f"No difference shown ({what}): {_text(main)}, A minus B. {rest}"


def _text(found: Difference) -> str:
    return f"{found['mean']:+.4g}" + (" ({:+.4g} to {:+.4g})".format(*found["interval"]) if found["interval"] else "")


def lines_of(comparison: Comparison, report: Mapping[str, Any]) -> Iterator[str]:
    (a, b), plan, packs, null = comparison.names, comparison.plan, report["packs"], report["null"]
    against = f" against {plan.opponents[0].spec}" if plan.opponents else " at one table"
    yield f"A: {a}   B: {b}   with {comparison.model},{against}, {plan.games[0].players[0]} players, seed {plan.seed}"
    deals = counted(packs["deals"], "deal")
    yield f"{deals} of {_MATCHES_A_DEAL} matches; {null['deals']} of A against itself to measure the noise."
    yield ""
    yield f"{'':<34}{'A':>10}{'B':>10}   A - B, 95 % interval"
    for name, (words, _) in MEASURES.items():
        row, mark = packs["measures"][name], "*" if name == report["measure"] else " "
        yield f"{mark} {words:<32}{row[A]:>10.4g}{row[B]:>10.4g}   {_text(row['difference'])}"
    for name, words in _COSTS.items():
        yield f"  {words:<32}{report['prompts'][A][name]:>10.4g}{report['prompts'][B][name]:>10.4g}"
    noise = null["measures"][report["measure"]]["difference"]
    yield f"  {'noise: A against A, same measure':<32}{'':>20}   {_text(noise)}"
    yield ""
    yield report["verdict"]
    if noise["shown"]:
        yield f"Warning: A differs from itself, which happens in {ERROR_RATE:.0%} of comparisons by chance alone."
