"""Comparison run: the matches of a comparison, run as those of a tournament are, in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from runner.agents.environment import Settings
from runner.arena.check_ended import check_ended
from runner.arena.match_player import MatchSettings
from runner.arena.match_runner import ExecutorOptions, MatchRunner, MatchSet, Show
from runner.arena.schedule import Fixture
from runner.arena.tournament_dir import TournamentDir
from runner.errors import UsageError
from runner.match.records import ResultRecord
from runner.match.seeds import DealSeeds
from runner.record.private_files import write_whole
from runner.regular_files import read_regular_text
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
    check_ended(runner.progress, has_run, "The comparison", again)


def results(comparison: Comparison, out: Path) -> dict[str, ResultRecord]:
    """The results of all matches that have ended, by the names of their logs."""
    folder = TournamentDir(out)
    found = {fixture.name: folder.result(fixture.name) for fixture in _fixtures(comparison)}
    return {name: result for name, result in found.items() if result is not None}


def _fixtures(comparison: Comparison) -> Iterator[Fixture]:
    return (fixture for deal in deals(comparison) for fixture in deal.fixtures)


def with_recorded_seeds(comparison: Comparison, out: Path) -> Comparison:
    """The comparison with the seeds that its folder has recorded. A seed that was named stays as it is."""
    if not (out / MANIFEST).exists():
        return comparison
    found = _recorded(out / MANIFEST)
    seed = found.get("seed") if comparison.is_seed_drawn else comparison.seed
    how: DealSeeds = "hashed" if found.get("deal_seeds") == "hashed" else "consecutive"
    return replace(comparison, seed=seed if isinstance(seed, int) else comparison.seed, deal_seeds=how)


def _check_folder(comparison: Comparison, out: Path) -> None:
    """UsageError for a folder that holds another comparison or anything else."""
    if (out / MANIFEST).exists():
        found, data = _recorded(out / MANIFEST), json.loads(json.dumps(comparison.to_json()))
        if changed := [name for name, value in data.items() if value != found.get(name)]:
            raise UsageError(f"{out} holds another comparison: {', '.join(changed)} differ. Name another folder with --out.")
    elif any(out.glob("*")):
        raise UsageError(f"{out} is not empty and holds no comparison: name another folder with --out.")


def _recorded(path: Path) -> Mapping[str, object]:
    """What the folder of a comparison says it holds. UsageError for a file that is not such a record."""
    try:
        return dict(json.loads(read_regular_text(path, "The record of the comparison")))
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"The file {path} is not the record of a comparison.") from error


def _record(comparison: Comparison, out: Path) -> None:
    if not (out / MANIFEST).exists():
        text = json.dumps(comparison.to_json(), ensure_ascii=False, indent=1)
        write_whole(out / MANIFEST, text + "\n", "The comparison")  # who has the seed can deal every match
