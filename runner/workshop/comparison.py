"""Comparison: two prompt packs with the same model, balanced seats and the same deals: its plan, and what its results say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

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

_TERMS = ("seats", "questions", *MEASURES)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference over deals, its interval (None: too few deals, or all alike), and the standard deviation per deal."""

    deals: int
    mean: float
    low: float | None
    high: float | None
    spread: float

    @property
    def is_shown(self) -> bool:
        """Whether the interval excludes 0, or without one all deals agree that it is not 0."""
        if self.low is None or self.high is None:
            return self.deals >= FEWEST and self.mean != 0
        return self.low > 0 or self.high < 0

    def deals_to_show(self) -> int | None:
        """Deals that show a difference as large as the observed one with a power of 0.8; None: unknown."""
        if not self.mean or not self.spread:
            return None
        quantiles = NORMAL.inv_cdf(1 - ERROR_RATE / 2) + NORMAL.inv_cdf(POWER)
        return max(FEWEST, math.ceil((quantiles * self.spread / abs(self.mean)) ** 2))

    def to_json(self) -> dict[str, object]:
        interval = None if self.low is None else [self.low, self.high]
        return {"deals": self.deals, "mean": self.mean, "interval": interval, "spread": self.spread, "shown": self.is_shown}

    def __str__(self) -> str:
        interval = "" if self.low is None or self.high is None else f" ({self.low:+.4g} to {self.high:+.4g})"
        return f"{self.mean:+.4g}{interval}"


class Half(NamedTuple):
    """One half of a comparison: what both sides did on its complete deals, by their names."""

    deals: int
    sums: DealSums[str]

    def figure(self, side: str, measure: str) -> float:
        return ratio(self.sums.parts(side).sums, *_terms_of(measure)) if self.deals else 0.0

    def difference(self, measure: str) -> Difference:
        if not self.deals:
            return Difference(0, 0.0, None, None, 0.0)
        a, b = self.sums.parts(A), self.sums.parts(B)
        found, error = a.difference(b, *_terms_of(measure), are_shares=measure == "wins")
        bounds = (found["low"], found["high"]) if self.deals >= FEWEST else (None, None)
        return Difference(self.deals, found["value"], *bounds, error * math.sqrt(self.deals))

    def to_json(self) -> dict[str, object]:
        figures = {name: {side: self.figure(side, name) for side in (A, B)} for name in MEASURES}
        found = {name: {**figures[name], "difference": self.difference(name).to_json()} for name in MEASURES}
        return {"deals": self.deals, "measures": found}


def _terms_of(measure: str) -> tuple[int, int]:
    return _TERMS.index(measure), _TERMS.index(MEASURES[measure][1])


def half_of(comparison: Comparison, half: str, results: Mapping[str, ResultRecord]) -> Half:
    """A half from the results so far; deals with a missing match are left out."""
    deals: dict[int, list[Fixture]] = {}
    for fixture in schedule(comparison.plan):
        if kind_of(fixture) == half:
            deals.setdefault(fixture.seed, []).append(fixture)
    whole = [deal for deal in deals.values() if all(fixture.name in results for fixture in deal)]
    sums = DealSums[str](len(_TERMS))
    for fixture in (fixture for deal in whole for fixture in deal):
        for seat, entrant in enumerate(fixture.seats):
            sums.add((half, str(fixture.seed)), entrant.name, *_terms(results[fixture.name], seat))
    return Half(len(whole), sums)


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


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """A comparison with its two halves, the measure of the verdict, chosen in advance, and the cost of both packs' prompts."""

    comparison: Comparison
    measure: str
    real: Half
    null: Half
    costs: tuple[dict[str, float], dict[str, float]]

    @property
    def main(self) -> Difference:
        return self.real.difference(self.measure)

    @property
    def further_matches(self) -> int | None:
        """Further matches that show the observed difference, if it is real, with a power of 0.8; None: unknown."""
        needed = self.main.deals_to_show()
        return None if needed is None else max(0, needed - self.main.deals) * _MATCHES_A_DEAL

    def to_json(self) -> dict[str, object]:
        return {
            "comparison": self.comparison.to_json(),
            "measure": self.measure,
            "shown": self.main.is_shown,
            "verdict": self.verdict(),
            "further_matches": self.further_matches,
            "error_rate": ERROR_RATE,
            "packs": self.real.to_json(),
            "null": self.null.to_json(),
            "prompts": dict(zip((A, B), self.costs, strict=True)),
        }

    def verdict(self) -> str:
        what, main = MEASURES[self.measure][0], self.main
        if main.deals < FEWEST:
            return f"No difference shown: {main.deals} complete deals are too few; at least {FEWEST} are needed."
        if main.is_shown:
            more, less = self.comparison.names if main.mean > 0 else self.comparison.names[::-1]
            return f"A difference is shown: {more} has more than {less} ({what}): {main}, A minus B."
        return f"No difference shown ({what}): {main}, A minus B. {self._further()}"

    def _further(self) -> str:
        further = self.further_matches
        if further is None:
            return "The number of further matches is unknown, because no difference was observed."
        if not further:
            return "This many matches show a difference of the observed size in four out of five comparisons."
        count = f"more than {_MOST_SAID:,}" if further > _MOST_SAID else f"about {further:,}"
        return f"If the difference is as large as observed, {count} further matches show it in four out of five comparisons."

    def lines(self) -> Iterator[str]:
        (a, b), plan, model = self.comparison.names, self.comparison.plan, self.comparison.model
        against = f" against {plan.opponents[0].spec}" if plan.opponents else " at one table"
        yield f"A: {a}   B: {b}   with {model},{against}, {plan.games[0].players[0]} players, seed {plan.seed}"
        deals = counted(self.real.deals, "deal")
        yield f"{deals} of {_MATCHES_A_DEAL} matches; {self.null.deals} of A against itself to measure the noise."
        yield ""
        yield f"{'':<34}{'A':>10}{'B':>10}   A - B, 95 % interval"
        for name, (words, _) in MEASURES.items():
            left, right = self.real.figure(A, name), self.real.figure(B, name)
            mark = "*" if name == self.measure else " "
            yield f"{mark} {words:<32}{left:>10.4g}{right:>10.4g}   {self.real.difference(name)}"
        for name, words in _COSTS.items():
            yield f"  {words:<32}{self.costs[0][name]:>10.4g}{self.costs[1][name]:>10.4g}"
        noise = self.null.difference(self.measure)
        yield f"  {'noise: A against A, same measure':<32}{'':>20}   {noise}"
        yield ""
        yield self.verdict()
        if noise.is_shown:
            yield f"Warning: A differs from itself, which happens in {ERROR_RATE:.0%} of comparisons by chance alone."


def report_of(comparison: Comparison, measure: str, results: Mapping[str, ResultRecord]) -> ComparisonReport:
    real, null = (half_of(comparison, half, results) for half in (REAL, NULL))
    a, b = (_cost(comparison, folder) for folder in comparison.folders)
    return ComparisonReport(comparison, measure, real, null, (a, b))


def _cost(comparison: Comparison, folder: Path | None) -> dict[str, float]:
    """What the prompts of a match between bots cost with a pack."""
    plan = comparison.plan.games[0]
    game, pack = games.load(plan.game), PromptPack(folder)
    return prompt_cost(game, plan.players[0], pack, rules=plan.rules, options=plan.options).to_json()
