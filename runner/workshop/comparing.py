"""Comparing: a comparison of prompt packs by decisions or by matches, as the command line and Python run it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

import games
from games.search.policy import has_playing_policy
from runner.agents.environment import Environment
from runner.arena.experiment import needed
from runner.arena.match_runner import ExecutorOptions, until_stopped
from runner.arena.progress import Progress
from runner.errors import PausedError, TabletopError
from runner.screen.safe_text import clean
from runner.workshop.bench_page import bench_screen
from runner.workshop.comparison import check_packs
from runner.workshop.comparison_report import lines_of, money, report_of
from runner.workshop.comparison_request import ComparisonRequest, outlook_of
from runner.workshop.decision_comparison import decision_report, exam_of
from runner.workshop.exam.exam_report import report_of as exam_page

By = Literal["decisions", "matches"]
Tell = Callable[[str], object]


def comparing(request: ComparisonRequest, by: By | None, environment: Environment) -> ByMatches | ByDecisions:
    """The comparison, with all checks made that can be before the first call. Decisions are compared where a game can be
    graded, unless what is asked for concerns matches alone."""
    if by is None:
        game = games.load(request.game)
        is_graded = has_playing_policy(game) and game.has_worlds
        of_matches = request.deals or request.opponents != "bot:steady" or request.measure != "wins" or request.is_reviewed
        by = "matches" if of_matches or not is_graded else "decisions"
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
        found = outlook_of(request, self._comparison, environment)
        self.outlook = f"{found.matches:,} matches. {found.text}"
        self.plan: dict[str, object] = {"by": "matches", **found.to_json()}

    def run(self, tell: Tell, again: str) -> None:
        """Ask what has not been asked. TabletopError when it stops before its end; `again` says how to continue."""
        differences = self._comparison.differences(self._request.margin) if self._stops_when_sure else None
        experiment = self._comparison.experiment(differences, self._request.is_reviewed)

        def show(found: Progress) -> None:
            tell(f"{found.ended} of {found.total} matches")

        progress, has_run = experiment.run(self._environment, show, ExecutorOptions())
        experiment.check(progress, has_run, again)

    def data(self) -> Mapping[str, Any] | None:
        results = self._comparison.results()
        return report_of(self._comparison, results, self._request.measure, self._request.margin) if results else None

    def screen(self, data: Any) -> Iterable[Any]:
        return [clean(line) for line in lines_of(self._comparison, data)]


class ByDecisions:
    """A comparison of graded decisions, with the interface of `ByMatches`."""

    def __init__(self, request: ComparisonRequest, environment: Environment) -> None:
        self._request, self._environment = request, environment
        self._exam, found = exam_of(request, environment)
        self.outlook = found.text
        usd = None if found.most is None else [found.about, found.most]
        shown = {"visible": found.shows, "decisions_for_5_points": found.enough}
        self.plan: dict[str, object] = {
            "by": "decisions",
            "decisions": found.decisions,
            "usd": usd,
            **shown,
        }

    def run(self, tell: Tell, again: str) -> None:
        most = self._exam.spec.decisions
        try:
            has_run = asyncio.run(until_stopped(self._exam.run(lambda found: tell(f"{found.decisions} of {most} decisions"))))
        except TabletopError as stop:
            raise type(stop)(stop.why, seat=stop.seat, remedy=again) from stop
        if not has_run:
            raise PausedError("The comparison was interrupted.", remedy=again)

    def data(self) -> Mapping[str, Any] | None:
        return decision_report(self._request, self._exam, self._confirming()) if self._exam.results.decisions else None

    def screen(self, data: Mapping[str, Any]) -> Iterable[Any]:
        ranks = [f"{one['pack']}: {' > '.join(one['order'])}; ranks moved by {one['changes']}" for one in data["ranks"]]
        return [bench_screen(exam_page(self._exam)), *map(clean, ranks), "", clean(data["verdict"])]

    def _confirming(self) -> str:
        """How whole matches would confirm what is sure, with what they cost; empty for nothing to confirm."""
        sure = [pair for pair in self._exam.results.pairs if pair["sure"]]
        if not sure:
            return ""
        apart = min(abs(pair["difference"]) for pair in sure) * self._exam.results.population["decisions"]
        request, cost = replace(self._request, budget=None, until=None, measure="wins"), ""
        with suppress(TabletopError):
            one = replace(request, deals=1)
            sample = outlook_of(one, one.comparison(self._environment), self._environment)
            deals = needed(sample.spread, min(1.0, apart))
            usd = sample.usd and sample.usd.likely * deals
            cost = f" (about {f'{deals:,} deals' if not usd else money(usd)})"
        return f"; matches would confirm it: `{request.command}`{cost}"
