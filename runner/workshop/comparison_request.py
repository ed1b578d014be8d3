"""Comparison request: what is asked for on the command line or in Python, and the plan that can answer it."""

import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast, get_args

import games
from runner.agents.environment import Environment
from runner.agents.settings import DEFAULT_SETTINGS, Reason, SeatSettings
from runner.agents.spec import Spec, parse_spec, resolved
from runner.arena.estimate import Range, total_cost
from runner.arena.experiment import EndsWhen, needed, visible
from runner.arena.plan import GamePlan, Plan
from runner.errors import TabletopError, UsageError
from runner.prompting.pack import BUILT_IN
from runner.workshop.comparison import Comparison, comparison_of
from runner.workshop.comparison_report import MARGIN, money, points, spread_of

_MOST, _MOST_PAID = 200, 2000
"""Deals of a plan of its own: without a budget, and with one that ends it before."""

_WORTHLESS = 0.3
"""A plan of its own that cannot show this difference in the share of the win is refused."""


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """A comparison as it is asked for. `packs` are folders, or `built-in`; `until`, `deals` and `decisions` None: as the budget
    allows. `margin` is a share of the win."""

    game: str
    packs: Sequence[str]
    models: Sequence[str] = ("offline",)
    players: int | None = None
    rules: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    opponents: str = "bot:steady"
    reason: str | None = None
    measure: str = "wins"
    deals: int | None = None
    decisions: int | None = None
    until: EndsWhen | None = None
    margin: float | None = None
    seed: int | None = None
    budget: float | None = None
    concurrency: int = 16
    out: Path = Path("comparisons")
    is_reviewed: bool = False

    @property
    def command(self) -> str:
        """The command that compares the same packs by matches."""
        words = ["tabletop", "prompts", "compare", self.game, *self.packs, *(f"--seat={one}" for one in self.models)]
        return shlex.join([*words, *([] if self.players is None else [f"--players={self.players}"]), "--by=matches"])

    @property
    def folders(self) -> tuple[Path | None, ...]:
        return tuple(None if pack == BUILT_IN else Path(pack) for pack in self.packs)

    @property
    def own(self) -> list[SeatSettings]:
        """For each pack whether models are asked for reasons."""
        return _reasons(self.reason, len(self.packs))

    def specs(self, environment: Environment) -> list[Spec]:
        return [resolved(parse_spec(model), environment) for model in self.models]

    @property
    def fixed(self) -> int | None:
        """The number of deals that was chosen by whoever asks."""
        return self.until if isinstance(self.until, int) else self.deals

    @property
    def stops_when_sure(self) -> bool:
        """Whether it ends as soon as its answer is sure; only shares of the win have bounds that allow it."""
        if self.until == "sure" and self.measure != "wins":
            raise UsageError("--until sure: only --measure wins can be looked at after every deal; specify --deals N.")
        return self.measure == "wins" and (self.until == "sure" or self.fixed is None)

    def comparison(self, environment: Environment) -> Comparison:
        """The comparison by matches, with its players checked. UsageError for what cannot play."""
        game = games.load(self.game)
        players = game.set_up(self.players, 0, self.rules, self.options).players
        most = self.fixed or (_MOST_PAID if self.budget else _MOST)
        return comparison_of(
            GamePlan(game.name, (players,), self.rules, self.options, most),
            self.folders,
            self.specs(environment),
            resolved(parse_spec(self.opponents), environment),
            self.out,
            environment,
            self.own,
            seed=self.seed,
            budget=self.budget,
            concurrency=self.concurrency,
        )


def _reasons(text: str | None, packs: int) -> list[SeatSettings]:
    """For each pack whether the model is asked for reasons; the last word holds for the rest. UsageError for other words."""
    if text is None:
        return [DEFAULT_SETTINGS] * packs
    words = text.split(",")
    if len(words) > packs or not {*words} <= {*get_args(Reason)}:
        raise UsageError(f"--reason {text}: expected auto, always or never, or one for each pack, such as always,never.")
    words += words[-1:] * (packs - len(words))
    return [SeatSettings(reason=cast(Reason, word)) for word in words]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a comparison costs in USD (None: unknown), and what it can show: the spread of a deal's difference, and the number
    of deals that are planned, or that the budget is likely to pay for."""

    usd: Range | None
    spread: float
    deals: int
    matches: int

    @property
    def text(self) -> str:
        """At most and about, and the difference that it shows."""
        cost = "unknown" if self.usd is None else "free"
        if self.usd is not None and self.usd.high:
            cost = f"at most {money(self.usd.high)}, about {money(self.usd.likely)}"
        least = visible(self.spread, self.deals)
        cannot = "" if least <= MARGIN else f"; {points(MARGIN)} take about {needed(self.spread, MARGIN):,} deals"
        shown = f"{self.deals:,} deals show a difference of {points(least)} of win share in four of five comparisons"
        return f"Cost: {cost}. {shown}{cannot}."

    def to_json(self) -> dict[str, object]:
        shown = {"visible": visible(self.spread, self.deals), "deals_for_5_points": needed(self.spread, MARGIN)}
        return {"deals": self.deals, "matches": self.matches, "usd": self.usd and self.usd.to_json(), **shown}


def outlook_of(request: ComparisonRequest, comparison: Comparison, environment: Environment) -> Outlook:
    """What comes of a comparison, before its first call. UsageError for a plan of its own that is too small."""
    deals, seats = comparison.game.deals, comparison.game.players[0]
    known = comparison.results()
    spread, sample = spread_of(comparison, known), replace(comparison, plan=_with_deals(comparison, seats))
    left = {name.partition("/")[0]: deals for name in (player.agent for player in comparison.players)}
    for name in known:
        left[name.partition("/")[0]] -= 1
    usd: Range | None = None
    with suppress(TabletopError):  # an endpoint that cannot be asked has no known prices
        agents = sample.experiment().estimate(environment).agents
        usd = total_cost(_times(agents[name].usd, number / seats) for name, number in left.items())
    if usd is not None and usd.likely and request.budget and request.fixed is None:
        deals = min(deals, int(deals * request.budget / usd.likely))
        if visible(spread, deals) > _WORTHLESS:
            enough = usd.likely * needed(spread, _WORTHLESS) / comparison.game.deals
            raise UsageError(
                f"The budget of {request.budget:g} USD pays for about {deals} deals, too few to show a difference of"
                f" {points(_WORTHLESS)} of win share: that takes about {money(enough)}. `--deals {max(1, deals)}` plays them."
            )
    if usd is not None and request.budget:
        usd = Range(*(min(one, request.budget) for one in usd))
    return Outlook(usd, spread, deals, sum(left.values()))


def _with_deals(comparison: Comparison, deals: int) -> Plan:
    return comparison.plan.model_copy(update={"games": (replace(comparison.game, deals=deals),)})


def _times(cost: Range | None, factor: float) -> Range | None:
    return cost and cost.combined(lambda usd: usd * factor)
