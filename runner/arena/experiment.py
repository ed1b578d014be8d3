"""Experiment: players, the deals that they are tried on, how certain an answer has to be, a budget and a folder.

A tournament, a comparison of prompts and a bench are experiments. One plays what has not been played, all players alike on each
deal, and stops at the end of its plan, when its answer is sure, or with its budget.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Literal

from runner.agents.environment import Environment
from runner.arena.estimate import TournamentEstimate, estimate_tournament
from runner.arena.match_runner import ExecutorOptions, MatchRunner, Show
from runner.arena.paired_differences import Differences
from runner.arena.plan import Plan
from runner.arena.progress import OnResult, Progress, check_ended
from runner.arena.schedule import Fixture
from runner.arena.tournament_dir import TournamentDir
from runner.errors import UsageError
from runner.llm.budget import Budget
from runner.match.records import ResultRecord
from runner.review.kept_reviews import keep_review
from runner.worker_processes import ProcessPool

EndsWhen = Literal["sure"] | int
"""When an experiment ends: as soon as its answer is sure, or after a number of deals."""

_SHOW_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Experiment:
    """A plan and its folder. `facts` are what must not change in the folder; None: the plan itself. `differences` are looked
    at after every deal, and end the experiment once they are decided. `is_reviewed`: every match that ends is reviewed."""

    plan: Plan
    folder: TournamentDir
    what: str = "The tournament"
    facts: Mapping[str, object] | None = None
    differences: Differences | None = None
    is_reviewed: bool = False

    def estimate(self, environment: Environment) -> TournamentEstimate:
        """What it costs at most and about, before the first call."""
        return estimate_tournament(self.plan, environment, self.folder.path)

    def run(
        self,
        environment: Environment,
        show: Show,
        options: ExecutorOptions,
        on_result: OnResult | None = None,
        interval: float = _SHOW_SECONDS,
    ) -> tuple[Progress, bool]:
        """Play what has not been played. UsageError when the folder holds something else. The result says how far it is, and
        is False when it was interrupted."""
        with (
            closing(ProcessPool(1)) if self.is_reviewed else nullcontext() as reviews,
            self._begun(environment, options, on_result, reviews) as runner,
        ):
            has_run = runner.run(show, interval)
        show(runner.progress)
        return runner.progress, has_run

    async def play(self, environment: Environment, show: Show, budget: Budget) -> None:
        """The same within a command that is open, with its budget. What stops it is raised; cancelled, it pauses matches."""
        with self._begun(environment, ExecutorOptions()) as runner:
            await runner.play(show, _SHOW_SECONDS, budget)
        show(runner.progress)
        self.check(runner.progress, True, "")

    @contextmanager
    def _begun(
        self,
        environment: Environment,
        options: ExecutorOptions,
        on_result: OnResult | None = None,
        reviews: ProcessPool | None = None,
    ) -> Iterator[MatchRunner]:
        def told(fixture: Fixture, result: ResultRecord) -> None:
            if on_result is not None:
                on_result(fixture, result)
            if reviews is not None:
                reviews.submit(keep_review, self.folder.path / fixture.name)
            if self.differences is not None:
                self.differences.add(fixture, result)
                runner.progress.is_decided = self.differences.is_decided

        runner = MatchRunner(self.plan, environment, self.folder, options, told)
        with self.folder.locked():
            if self.facts is None:
                self.folder.record_plan(self.plan)
            else:
                self.folder.record(self.facts)
            yield runner

    def check(self, progress: Progress, has_run: bool, again: str) -> None:
        """The gravest error of a run that stopped before its answer; `again` says how to continue."""
        if not progress.is_decided:
            check_ended(progress, has_run, self.what, again)


def until_of(text: str | None, margin: float | None) -> EndsWhen | None:
    """What `--until` says, or a `--margin` without it. UsageError for anything but `sure` and a number."""
    if text is None or text == "sure":
        return "sure" if text or margin else None
    if not text.isdecimal() or not int(text):
        raise UsageError(f"--until {text}: expected sure, or a number of at least 1.")
    return int(text)
