"""Linter: checks a pack in a separate process, so that no template can harm this one."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO

from runner.errors import UsageError
from runner.prompting.loader import built_in_folder
from runner.prompting.pack import PromptPack
from runner.workshop.lint.issues import FAULT, Issue

SILENCE = 60.0
"""Seconds without output after which the process is killed."""


@dataclass(frozen=True, slots=True)
class LintReport:
    """The issues, the longest prompt of each template, and the number of rendered prompts."""

    findings: tuple[Issue, ...]
    lengths: dict[str, dict[str, object]]
    rendered: int

    @property
    def faults(self) -> int:
        """How many issues are faults."""
        return sum(finding.level == FAULT for finding in self.findings)

    def to_json(self) -> dict[str, object]:
        """The report as data."""
        found = [finding.to_json() for finding in self.findings]
        return {"faults": self.faults, "findings": found, "lengths": self.lengths, "rendered": self.rendered}


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
    process = subprocess.Popen(
        [sys.executable, "-m", "runner.workshop.lint.lint_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        return _listened(process.stdout, pack, on_progress, silence)
    finally:
        process.kill()
        process.communicate()


def _listened(stream: IO[str], pack: PromptPack, on_progress: Callable[[str], None], silence: float) -> LintReport:
    """The report of the process, or that it ended or hangs."""
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(stream, said), daemon=True).start()
    at = "the templates were being read"
    while True:
        try:
            line = said.get(timeout=silence)
        except queue.Empty:
            return _broken(pack, at, f"takes more than {silence:g} seconds and does not let itself be stopped")
        if not line:
            return _broken(pack, at, "ends the process that renders it, for want of memory or by a crash")
        record = json.loads(line)
        if "error" in record:
            raise UsageError(record["error"])
        if "findings" in record:
            found = tuple(Issue(**finding) for finding in record["findings"])
            return LintReport(found, record["lengths"], record["rendered"])
        at = record["at"]
        on_progress(at)


def _read(stream: IO[str], said: queue.SimpleQueue[str]) -> None:
    for line in stream:
        said.put(line)
    said.put("")


def _broken(pack: PromptPack, at: str, why: str) -> LintReport:
    folder = str(pack.folder or built_in_folder())
    return LintReport((Issue(folder, 0, "bounds", f"a prompt {why}; it was {at}."),), {}, 0)
