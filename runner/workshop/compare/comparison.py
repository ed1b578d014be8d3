"""Comparison run: the matches of a comparison, run as those of a tournament are, in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from runner.agents.environment import Settings
from runner.arena.match_outcome import Stop, error_of
from runner.arena.match_player import MatchSettings
from runner.arena.match_runner import ExecutorOptions, MatchRunner, MatchSet, Show
from runner.arena.schedule import Fixture
from runner.arena.tournament_dir import TournamentDir
from runner.errors import PausedError, UsageError
from runner.match.records import ResultRecord
from runner.workshop.compare.comparison_plan import Comparison, deals

MANIFEST = "comparison.json"
_SHOW_SECONDS = 0.5


def run(
    comparison: Comparison,
    out: Path,
    settings: Settings,
    budget: float | None,
    concurrency: int,
    options: ExecutorOptions,
    show: Show,
    again: str = "The same command resumes it.",
) -> None:
    """Play what has not been played. PausedError, which says how to go on (`again`), when it stops before the end."""
    shared = MatchSettings(None, settings, 0.0, comparison.seed)
    matches = MatchSet(lambda: _fixtures(comparison), shared, budget, concurrency=concurrency)
    folder = TournamentDir(out)
    runner = MatchRunner(matches, folder, options)
    _check_folder(comparison, out)
    with folder.locked():
        _record(comparison, out)
        has_run = runner.run(show, _SHOW_SECONDS)
    show(runner.progress)
    if not has_run:
        raise PausedError("The comparison was interrupted.", remedy=again)
    stops = {outcome.stop: outcome for outcome in runner.progress.failed.values()}
    for stop in (Stop.BUG, Stop.DAMAGED, Stop.USAGE, Stop.ACCOUNT):
        if stop in stops:
            raise error_of(stops[stop], again)
    for outcome in stops.values():
        raise PausedError(f"The comparison is paused: {outcome.why.rstrip('.')}.", remedy=again)


def results(comparison: Comparison, out: Path) -> dict[str, ResultRecord]:
    """The results of all matches that have ended, by the names of their logs."""
    folder = TournamentDir(out)
    found = {fixture.name: folder.result(fixture.name) for fixture in _fixtures(comparison)}
    return {name: result for name, result in found.items() if result is not None}


def _fixtures(comparison: Comparison) -> Iterator[Fixture]:
    return (fixture for deal in deals(comparison) for fixture in deal.fixtures)


def _check_folder(comparison: Comparison, out: Path) -> None:
    """UsageError for a folder that holds another comparison or anything else."""
    if (out / MANIFEST).exists():
        found, data = json.loads((out / MANIFEST).read_text(encoding="utf-8")), json.loads(json.dumps(comparison.to_json()))
        if changed := [name for name, value in data.items() if value != found.get(name)]:
            raise UsageError(f"{out} holds another comparison: {', '.join(changed)} differ. Name another folder with --out.")
    elif any(out.glob("*")):
        raise UsageError(f"{out} is not empty and holds no comparison: name another folder with --out.")


def _record(comparison: Comparison, out: Path) -> None:
    if not (out / MANIFEST).exists():
        text = json.dumps(comparison.to_json(), ensure_ascii=False, indent=1)
        (out / MANIFEST).write_text(text + "\n", encoding="utf-8")
