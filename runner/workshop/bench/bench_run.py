"""Bench run: the matches of a suite, run as those of a tournament are, in a folder of the model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import games
from runner.agents.environment import Settings
from runner.agents.factory import check_spec, given_name
from runner.agents.named_spec import seat_spec
from runner.arena.match_player import MatchSettings
from runner.arena.match_runner import ExecutorOptions, MatchRunner, MatchSet, Show
from runner.arena.plan import Entrant
from runner.arena.progress import Progress
from runner.arena.tournament_dir import TournamentDir
from runner.errors import UsageError
from runner.record.log_paths import log_paths
from runner.record.private_files import write_whole
from runner.regular_files import read_regular_text
from runner.workshop.bench.suite import Suite

MANIFEST = "bench.json"
_SHOW_SECONDS = 0.5
_OTHER_LETTERS = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Bench:
    """A model on a suite, in the folder of all benched models; the logs are in `logs`, the document is in `document`."""

    suite: Suite
    model: Entrant
    folder: Path

    @property
    def logs(self) -> Path:
        """The folder of the matches."""
        return self.folder / _file_name(self.model.name)

    @property
    def document(self) -> Path:
        """The file of the document."""
        return self.folder / f"{_file_name(self.model.name)}.json"


def _file_name(name: str) -> str:
    return _OTHER_LETTERS.sub("-", name).strip("-.") or "model"


def entrant_of(text: str, suite: Suite, settings: Settings) -> Entrant:
    """The model that a SPEC stands for. UsageError when it cannot play every game of the suite, or has a reference's name."""
    spec = seat_spec(text, settings)
    for name in suite.games:
        check_spec(spec, games.load(name), settings)
    found = Entrant(given_name(spec, settings) or spec.text, spec)
    if found.name in suite.references:
        raise UsageError(f"{found.name} is the name of a reference: give the model another one, such as my-{text}.")
    return found


def run_bench(
    bench: Bench,
    chosen: Suite,
    settings: Settings,
    budget: float | None,
    concurrency: int,
    options: ExecutorOptions,
    show: Show,
) -> tuple[Progress, bool]:
    """Play what has not been played of the `chosen` part of the suite. The result says how far it is, and is False when it
    was interrupted."""
    shared = MatchSettings(None, settings, 0.0, bench.suite.seed)
    matches = MatchSet(lambda: chosen.fixtures(bench.model), shared, budget, concurrency=concurrency)
    folder = TournamentDir(bench.logs)
    runner = MatchRunner(matches, folder, options)
    _check_folder(bench)
    with folder.locked():
        _record(bench)
        has_run = runner.run(show, _SHOW_SECONDS)
    show(runner.progress)
    return runner.progress, has_run


def _facts(bench: Bench) -> dict[str, object]:
    """What must not change when a bench is resumed. Games and deals can be added."""
    return {"suite": bench.suite.digest, "model": bench.model.name, "spec": bench.model.spec.text}


def _check_folder(bench: Bench) -> None:
    """UsageError for a folder that holds another bench or anything else."""
    path = bench.logs
    if (path / MANIFEST).exists():
        found = _recorded(path / MANIFEST)
        if changed := [name for name, value in _facts(bench).items() if value != found.get(name)]:
            raise UsageError(f"{path} holds another bench: its {', '.join(changed)} differs. Name another folder with --out.")
    elif path.is_dir() and log_paths(path):
        raise UsageError(f"{path} holds logs, but no bench: name another folder with --out.")


def _recorded(path: Path) -> Mapping[str, object]:
    try:
        return dict(json.loads(read_regular_text(path, "The record of the bench")))
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"The file {path} is not the record of a bench.") from error


def _record(bench: Bench) -> None:
    path = bench.logs / MANIFEST
    if not path.exists():
        write_whole(path, json.dumps(_facts(bench), ensure_ascii=False, indent=1) + "\n", "The bench")
