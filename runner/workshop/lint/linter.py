"""Linter: checks a pack in a separate process, so that no template can harm this one."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from select import select
from typing import IO

import games
from games.core import Game, GameFault
from runner.child_processes import start_python
from runner.errors import BugError, UsageError, told_fault
from runner.prompting.loader import built_in_folder
from runner.prompting.pack import PromptPack
from runner.prompting.render_process import address_space, limit
from runner.prompting.template_errors import PromptError
from runner.workshop.lint.case_checks import check_pack
from runner.workshop.lint.issues import Issue, LintReport
from runner.workshop.prompt_cost import prompt_cost

SILENCE = 60.0
"""Seconds without output after which the process is killed."""


def lint(
    pack: PromptPack,
    names: Sequence[str],
    matches: int,
    seed: int,
    on_progress: Callable[[str], None],
    silence: float = SILENCE,
) -> LintReport:
    """The issues of the prompts of these games. UsageError for a pack that cannot be read."""
    job = {"pack": str(pack.folder) if pack.folder else None, "games": list(names), "matches": matches, "seed": seed}
    process = start_python("runner.workshop.lint.linter", bufsize=0)
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{json.dumps(job)}\n".encode())
        return _listened(process.stdout, pack, on_progress, silence)
    finally:
        process.kill()
        process.communicate()


def _listened(stream: IO[bytes], pack: PromptPack, on_progress: Callable[[str], None], silence: float) -> LintReport:
    at, why = "the templates were being read", "ends the process that renders it, for want of memory or by a crash"
    while select([stream], [], [], silence)[0]:
        if not (line := stream.readline()):
            break
        record = json.loads(line)
        if "error" in record:
            raise UsageError(record["error"])
        if "fault" in record:
            raise BugError(record["fault"])
        if "findings" in record:
            issues = [Issue(**finding) for finding in record["findings"]]
            return LintReport(issues, record["lengths"], record["rendered"], record["costs"])
        at = record["at"]
        on_progress(at)
    else:
        why = f"takes more than {silence:g} seconds and does not let itself be stopped"
    return LintReport([Issue(str(pack.folder or built_in_folder()), 0, "bounds", f"a prompt {why}; it was {at}.")])


MEMORY = 1 << 30
"""Bytes of memory for the checks, beyond what the process has at its start."""


def main() -> None:
    job = json.loads(sys.stdin.readline())
    found = [games.load(name) for name in job["games"]]
    limit(resource.RLIMIT_AS, address_space() + MEMORY)
    try:
        pack = PromptPack(job["pack"] and Path(job["pack"]))
        report = check_pack(pack, found, job["matches"], job["seed"], lambda what: _say(at=what))
        costs = {} if report.faults else {game.name: _costs(pack, game) for game in found}
        _say(**replace(report, costs=costs).to_json())
    except UsageError as error:
        _say(error=str(error))
    except GameFault as fault:
        _say(fault=told_fault(fault))


def _costs(pack: PromptPack, game: Game) -> dict[str, dict[str, float]]:
    _say(at=f"the tokens of {game.title} were being counted")
    packs = (pack,) if pack.folder is None else (PromptPack(), pack)
    with suppress(PromptError):
        return {one.name: prompt_cost(game, game.default_players, one).to_json() for one in packs}
    return {}


def _say(**what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
