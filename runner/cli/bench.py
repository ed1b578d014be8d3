"""`tabletop bench SPEC`: a model against references with fixed ratings, on fixed deals, next to those benched before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from runner.cli.options import ExperimentOptions, UsdBudget
from runner.cli.output import same_command, say_json, stoppable

if TYPE_CHECKING:
    from runner.workshop.bench_suite import Bench, BenchData


def bench(
    model: str,
    games: str | None = None,
    deals: int | None = None,
    out: Path = Path("benches"),
    pool: list[Path] | None = None,
    budget: UsdBudget = None,
    budget_tokens: int | None = None,
    *,
    ends: ExperimentOptions,
    concurrency: int = 200,
    html: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Rate a model against fixed references on the fixed deals of a suite, next to the models benched before."""
    from runner.arena.experiment import until_of
    from runner.arena.match_runner import ExecutorOptions
    from runner.cli.command_environment import load_environment
    from runner.screen.consoles import with_progress
    from runner.screen.dashboard import match_counter
    from runner.workshop.bench_suite import Bench, bench_document, entrant_of, experiment_of, load_suite

    environment, suite, end = load_environment(), load_suite(), until_of(ends.until, ends.margin)
    deals = end if isinstance(end, int) else deals
    chosen = suite if games is None else suite.of_games([name.strip().replace("-", "_") for name in games.split(",")])
    chosen = chosen if deals is None else chosen.of_deals(deals)
    found = Bench(suite, entrant_of(model, chosen, environment), out)
    plan = chosen.plan(found.model, budget, budget_tokens, concurrency)
    experiment = experiment_of(found, plan, end == "sure", ends.share)
    if ends.is_dry_run:
        from runner.cli.estimate_output import print_bench_estimate

        print_bench_estimate(found, experiment, environment, as_json)
        return
    is_narrating = not (quiet or as_json)
    with match_counter(not is_narrating) as show:
        progress, has_run = experiment.run(environment, show, ExecutorOptions())
    if has_run:
        with stoppable("The review"):
            follow = partial(partial, with_progress, is_quiet=not is_narrating)
            data = bench_document(found, follow, ends.is_reviewed, ends.adjust)
        if data["tables"]:
            _report(found, data, [out, *(pool or ())], html, as_json, is_narrating)
    experiment.check(progress, has_run, same_command(budget, budget_tokens))


def _report(found: Bench, data: BenchData, folders: Sequence[Path], has_page: bool, as_json: bool, is_narrating: bool) -> None:
    from runner.record.writer import write_file
    from runner.screen.consoles import narration, results
    from runner.workshop.bench_page import bench_page, bench_screen
    from runner.workshop.bench_suite import benched, write_document

    write_document(found.document, data)
    documents, notes = benched(folders, data["suite"])
    others = [one for one in documents if one["model"] != data["model"]]
    page = bench_page(data, others, notes)
    html = found.document.with_suffix(".html") if has_page else None
    if html is not None:
        write_file(html, page.html("bench"))
    if as_json:
        say_json({**data, "others": others, "notes": notes})
    elif html is None:
        results().print(bench_screen(page))
    if is_narrating:
        wrote = found.document if html is None else f"{found.document} and {html}"
        narration().print(f"Wrote {wrote}. Logs: {found.logs}", soft_wrap=True)
