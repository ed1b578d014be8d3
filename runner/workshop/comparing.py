"""Comparing: a comparison of prompt packs by decisions or by matches, as the command line and Python run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

import games
from games.core import counted
from games.search.policy import has_playing_policy
from games.statistics.document_types import GameData
from games.statistics.power import needed, visible
from games.statistics.rank_changes import rank_changes
from runner.agents.environment import Environment
from runner.arena.estimate import Range, total_cost
from runner.arena.match_runner import ExecutorOptions, stopped_by
from runner.arena.progress import Progress
from runner.errors import TabletopError, UsageError
from runner.export.table_pages import TablePage
from runner.prompting.pack import PromptPack
from runner.record.log_folder import unfollowed
from runner.review.kept_reviews import folder_reviews
from runner.screen.safe_text import clean
from runner.standings.luck import adjusted_games, shares_of
from runner.standings.tables import agent_table
from runner.workshop.bench_page import bench_screen
from runner.workshop.comparison import Comparison, ComparisonRequest, check_alike, check_packs
from runner.workshop.comparison_report import MARGIN, bare, comparison_page, money, points, report_of, spread_of
from runner.workshop.exam.exam import DECISIONS, Exam, ExamSpec, planned
from runner.workshop.exam.exam_report import report_of as exam_page
from runner.workshop.exam.exam_results import ExamResults, PairRow, document_of
from runner.workshop.exam.examinee import Examined

By = Literal["decisions", "matches"]
Tell = Callable[[str], object]

_WORTHLESS = 0.3
"""A plan of its own that cannot show this difference in the share of the win is refused."""


def comparing(request: ComparisonRequest, by: By | None, environment: Environment) -> ByMatches | ByDecisions:
    """The comparison, with all checks made that can be before the first call. Decisions are compared where a game can be
    graded, unless what is asked for concerns matches alone."""
    of_logs = request.is_reviewed or request.adjust
    if by is None:
        game = games.load(request.game)
        is_graded = has_playing_policy(game) and game.has_worlds
        of_matches = request.deals or request.opponents != "bot:steady" or request.measure != "wins" or of_logs
        by = "matches" if of_matches or not is_graded else "decisions"
    elif by == "decisions" and of_logs:
        raise UsageError("--by decisions plays no matches: leave --review and --adjust out, or compare --by matches.")
    return ByMatches(request, environment) if by == "matches" else ByDecisions(request, environment)


def compared(request: ComparisonRequest, by: By | None, environment: Environment) -> Mapping[str, Any]:
    """The report of a comparison that is played to its end. TabletopError when it stops before."""
    found = comparing(request, by, environment)
    found.run(lambda what: None, "The same call continues.")
    data = found.data()
    assert data is not None
    return data


class ByMatches:
    """A comparison of whole matches: what it costs and shows, as text and as data, and what it has found so far."""

    def __init__(self, request: ComparisonRequest, environment: Environment) -> None:
        self._request, self._environment = request, environment
        self._stops_when_sure, self._comparison = request.stops_when_sure, request.comparison(environment)
        check_packs(games.load(request.game), request.folders, request.own)
        found = outlook_of(self._comparison, environment)
        self.outlook = f"{found.matches:,} matches. {found.text}"
        self.plan: dict[str, object] = {"by": "matches", **found.to_json()}
        self._adjusted: list[GameData] = []

    def run(self, tell: Tell, again: str) -> None:
        """Ask what has not been asked. TabletopError when it stops before its end; `again` says how to continue."""
        differences = self._comparison.differences(self._request.margin) if self._stops_when_sure else None
        experiment = self._comparison.experiment(differences, self._request.is_reviewed)

        def show(found: Progress) -> None:
            tell(f"{found.ended} of {found.total} matches")

        progress, has_run = experiment.run(self._environment, show, ExecutorOptions())
        if self._request.is_reviewed:
            folder_reviews([self._comparison.path / name for name in self._comparison.results()], unfollowed)
        experiment.check(progress, has_run, again)

    def data(self) -> Mapping[str, Any] | None:
        results = self._comparison.results()
        if not results:
            return None
        data, adjust = report_of(self._comparison, results, self._request.measure, self._request.margin), self._request.adjust
        if adjust:
            self._adjusted = adjusted_games(self._comparison.path, adjust, unfollowed)
            data["adjusted"] = shares_of(self._adjusted)
        return data

    def screen(self, data: Mapping[str, Any]) -> Iterable[Any]:
        page = comparison_page(self._comparison, {**data})
        shares = (agent_table("adjusted", game["agents"]) for game in self._adjusted)
        return _screen(page._replace(overview=[*page.overview, *shares]), data)


class ByDecisions:
    """A comparison of graded decisions, with the interface of `ByMatches`: an exam of all packs with all models, each compared
    with the first pack of its model."""

    def __init__(self, request: ComparisonRequest, environment: Environment) -> None:
        self._request, self._environment = request, environment
        agents, packs = request.agents(environment), len(request.packs)
        check_alike(games.load(request.game), [*map(PromptPack, request.folders)], request.own)
        number = request.until if isinstance(request.until, int) else request.decisions
        has_limit = request.budget or request.budget_tokens
        spec = ExamSpec(
            game=request.game,
            examined=[Examined(request.spec_of(one), one.name, one.settings) for one in agents],
            players=request.players,
            rules=request.rules,
            options=request.options,
            seed=1 if request.seed is None else request.seed,
            decisions=DECISIONS if number is None else number,
            until="sure" if request.until == "sure" or (number is None and has_limit) else "",
            margin=request.margin,
            budget=request.budget,
            budget_tokens=request.budget_tokens,
            concurrency=request.concurrency,
            compared=[(one - one % packs, one) for one in range(len(agents)) if one % packs],
        )
        self._exam = Exam(spec, request.out, environment)
        self._plan = found = planned(self._exam, number is not None)
        if number is None and found.shows is not None and found.shows > 1:
            raise UsageError(
                f"{counted(found.decisions, 'decision')} are too few to show anything; 5 points of win share take about"
                f" {found.enough:,}. `--decisions {found.decisions}` asks them."
            )
        self.outlook, usd = found.text, None if found.most is None else [found.about, found.most]
        shown = {"visible": found.shows, "decisions_for_5_points": found.enough}
        self.plan: dict[str, object] = {"by": "decisions", "decisions": found.decisions, "usd": usd, **shown}

    def run(self, tell: Tell, again: str) -> None:
        running = self._exam.run(lambda found: tell(self._so_far(found)))
        if (stop := stopped_by(running, "The comparison was interrupted.")) is not None:
            stop.remedy = again
            raise stop

    def _so_far(self, found: ExamResults) -> str:
        """How far it is, and by how much the second pack of the first pair is better so far."""
        pair, times = found.pairs[0], found.population["decisions"]
        apart, low, high = (f"{100 * max(-1, min(1, times * pair[end])):+.0f}" for end in ("difference", "low", "high"))
        asked = f"{found.decisions} of {self._exam.spec.decisions} decisions"
        return f"{asked}: {pair['b']} {apart} points of win share a match ({low} to {high})"

    def data(self) -> Mapping[str, Any] | None:
        """The document of the exam, with the verdict, and the order of models with each pack."""
        results, request = self._exam.results, self._request
        if not results.decisions:
            return None
        document = document_of(results)
        spent = sum(agent["cost"] for agent in document["agents"])
        what = f"{counted(results.decisions, 'decision')}, {money(spent)}"
        said = [self._verdict(pair, what) for pair in document["pairs"]]
        played = [one.pack.folder for one in self._exam.players]
        names = [name for name, folder in zip(request.names, request.folders, strict=True) if folder in played]
        ranks = rank_changes(names, [-agent["given_up"] for agent in document["agents"]], list(request.models))
        is_shown = any(pair["sure"] for pair in document["pairs"])
        return {"by": "decisions", **document, "verdict": " ".join(said), "shown": is_shown, "ranks": ranks, "spent": spent}

    def screen(self, data: Mapping[str, Any]) -> Iterable[Any]:
        return _screen(exam_page(self._exam), data)

    def _verdict(self, pair: PairRow, what: str) -> str:
        """What to conclude on a pair of packs."""
        times, wanted = self._exam.results.population["decisions"], self._request.margin or MARGIN
        low, high, apart = (times * pair[end] for end in ("low", "high", "difference"))
        less, more = (pair["b"], pair["a"]) if apart > 0 else (pair["a"], pair["b"])
        least, most = sorted((abs(low), abs(high)))
        if pair["sure"]:
            gain = f"{points(abs(apart))} of win share a match better ({bare(least)} to {bare(min(1.0, most))})"
            return f"{less} gives up less than {more}: {gain}, {what}{self._confirming(min(1.0, abs(apart)))}."
        size = f"larger than {points(most)} of win share a match" if most < 1 else "so far: so few decisions bound nothing"
        bound = f"No difference of {more} and {less} {size}, {what}."
        return bound if most <= wanted else f"{bound} {points(wanted)} take about {self._plan.enough:,} decisions."

    def _confirming(self, apart: float) -> str:
        """How whole matches would confirm a difference, with what they cost."""
        request, cost = replace(self._request, budget=None, budget_tokens=None, until=None, measure="wins"), ""
        with suppress(TabletopError):
            sample = outlook_of(replace(request, deals=1).comparison(self._environment), self._environment)
            deals = needed(sample.spread, apart)
            usd = sample.usd and sample.usd.likely * deals
            cost = f" (about {f'{deals:,} deals' if not usd else money(usd)})"
        return f"; matches would confirm it: `{request.command}`{cost}"


def _screen(page: TablePage, data: Mapping[str, Any]) -> Iterable[Any]:
    ranks = (f"{one['pack']}: {' > '.join(one['order'])}; ranks moved by {one['changes']}" for one in data["ranks"])
    return [bench_screen(page), *map(clean, ranks), "", clean(data["verdict"])]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a comparison by matches costs in USD (None: unknown), and what it can show: the spread of a deal's difference, and
    the number of deals that are planned, or that the budget is likely to pay for."""

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
        shown = f"{self.deals:,} deals show no difference reliably"
        if least < 1:
            shown = f"{self.deals:,} deals show a difference of {points(least)} of win share in four of five comparisons"
        return f"Cost: {cost}. {shown}{cannot}."

    def to_json(self) -> dict[str, object]:
        shown = {"visible": visible(self.spread, self.deals), "deals_for_5_points": needed(self.spread, MARGIN)}
        return {"deals": self.deals, "matches": self.matches, "usd": self.usd and self.usd.to_json(), **shown}


def outlook_of(comparison: Comparison, environment: Environment) -> Outlook:
    """What comes of a comparison, before its first call. UsageError for a plan of its own that is too small."""
    request, deals, seats = comparison.request, comparison.game.deals, comparison.game.players[0]
    known = comparison.results()
    spread, left = spread_of(comparison, known), {player.agent: deals for player in comparison.players}
    for name in known:
        left[name.partition("/")[0]] -= 1
    usd: Range | None = None
    with suppress(TabletopError):  # an endpoint that cannot be asked has no known prices
        agents = comparison.of_deals(seats).experiment().estimate(environment).agents
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


def _times(cost: Range | None, factor: float) -> Range | None:
    return cost and cost.combined(lambda usd: usd * factor)
