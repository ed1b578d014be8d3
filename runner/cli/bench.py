"""`tabletop bench SPEC`: a model against references with fixed ratings, on fixed deals, next to those benched before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.cli.option_groups import with_option_groups
from runner.cli.output import say_json
from runner.cli.same_command import same_command
from runner.cli.stopping import stoppable
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.arena.progress import Progress
    from runner.review.folder_reviews import FolderReviews
    from runner.standings.agent_honesty import FolderHonesty
    from runner.workshop.bench.bench_run import Bench
    from runner.workshop.bench.suite import Suite

app = new_app()


@dataclass(frozen=True, slots=True)
class SuiteOptions:
    """The part of the suite that is played."""

    games: Annotated[
        str | None, typer.Option("--games", help="Games of the suite, with commas. [default: all]", metavar="GAME,...")
    ] = None
    deals: Annotated[
        int | None,
        typer.Option("--deals", help="Play the first N deals of each game. [default: all of the suite]", metavar="N", min=1),
    ] = None

    def of(self, suite: Suite) -> Suite:
        """The chosen part of a suite. UsageError for a game that it does not have."""
        if self.games is not None:
            suite = suite.of_games([name.strip().replace("-", "_") for name in self.games.split(",")])
        return suite if self.deals is None else suite.of_deals(self.deals)


@app.command()
@with_option_groups
def bench(
    model: Annotated[str, typer.Argument(help="The model to bench, a SPEC as for --seat; NAME=SPEC names it.", metavar="SPEC")],
    options: SuiteOptions,
    out: Annotated[
        Path, typer.Option("--out", help="Folder of all benched models: a document and the logs of each.", metavar="DIR")
    ] = Path("benches"),
    pool: Annotated[
        list[Path] | None,
        typer.Option("--pool", help="Further folder of documents of `tabletop bench` to compare with.", metavar="DIR"),
    ] = None,
    budget: Annotated[
        float | None, typer.Option("--budget", help="Maximum cost of the model's whole bench in USD.", metavar="USD")
    ] = None,
    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the matches and the estimated cost and time; play nothing.")
    ] = False,
    concurrency: Annotated[int, typer.Option("--concurrency", help="Concurrent matches.", metavar="N", min=1, max=5000)] = 200,
    patience: Annotated[
        float,
        typer.Option("--patience", help="Seconds to retry matches that an outage stopped.", metavar="SECONDS", min=0),
    ] = 60.0,
    html: Annotated[Path | None, typer.Option("--html", help="Write the page as HTML.", metavar="FILE")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Rate a model against fixed references on the fixed deals of a suite, next to the models benched before.

    The same command resumes a bench that stopped; with more games or deals it continues one.

    Example: tabletop bench openai/gpt-5-mini --budget 5 --html bench.html
    """
    from runner.arena.check_ended import check_ended
    from runner.cli.config_files import load_settings
    from runner.workshop.bench.bench_run import Bench, entrant_of
    from runner.workshop.bench.suite import load_suite

    if budget is not None and not 0 < budget < math.inf:
        raise UsageError(f"--budget {budget}: expected more than 0 USD.")
    settings, suite = load_settings(), load_suite()
    chosen = options.of(suite)
    found = Bench(suite, entrant_of(model, chosen, settings), out)
    if is_dry_run:
        from runner.cli.estimate_output import print_bench_estimate

        print_bench_estimate(found, chosen, settings, concurrency, budget, as_json)
        return
    is_narrating = not (quiet or as_json)
    progress, has_run = _played(found, chosen, settings, budget, concurrency, patience, is_narrating)
    if has_run:
        _report(found, [out, *(pool or ())], html, as_json, is_narrating)
    check_ended(progress, has_run, "The bench", same_command(budget))


def _played(
    found: Bench, chosen: Suite, settings: Settings, budget: float | None, concurrency: int, patience: float, is_narrating: bool
) -> tuple[Progress, bool]:
    from runner.arena.match_runner import ExecutorOptions
    from runner.screen.match_counter import match_counter
    from runner.workshop.bench.bench_run import run_bench

    with match_counter(not is_narrating) as show:
        return run_bench(found, chosen, settings, budget, concurrency, ExecutorOptions(patience=patience), show)


def _report(found: Bench, folders: Sequence[Path], html: Path | None, as_json: bool, is_narrating: bool) -> None:
    """Write the document of the matches that have ended, and print the page."""
    from runner.workshop.bench.bench_document import bench_document
    from runner.workshop.bench.bench_page import bench_html, bench_page, bench_screen
    from runner.workshop.bench.benched import benched, write_document

    with stoppable("The review"):
        data = bench_document(found, _reviewing, _reckoning)
    if not data["tables"]:
        return
    write_document(found.document, data)
    before = benched(folders, data["suite"])
    others = [one for one in before.documents if one["model"] != data["model"]]
    page = bench_page(data, others, before.notes)
    if html is not None:
        from runner.record.safe_write import write_file

        write_file(html, bench_html(page))
    if as_json:
        say_json({**data, "others": others, "notes": list(before.notes)})
    elif html is None:
        from runner.screen.consoles import results

        results().print(bench_screen(page))
    if is_narrating:
        _tell(found, html)


def _tell(found: Bench, html: Path | None) -> None:
    from runner.screen.consoles import narration

    wrote = found.document if html is None else f"{found.document} and {html}"
    narration().print(f"Wrote {wrote}. Logs: {found.logs}", soft_wrap=True)


def _reviewing(paths: Sequence[Path], playouts: int) -> FolderReviews:
    from runner.review.folder_reviews import reviews_with
    from runner.review.kept_reviews import Settings as ReviewSettings
    from runner.screen.progress_bar import with_progress

    kept = ReviewSettings(playouts)
    return reviews_with(kept, paths, lambda found, total: with_progress(found, total, "reviewing matches"))


def _reckoning(paths: Sequence[Path]) -> FolderHonesty:
    from runner.review.honesty import folder_honesty
    from runner.screen.progress_bar import with_progress

    return folder_honesty(paths, lambda found, total: with_progress(found, total, "reading claims"))
