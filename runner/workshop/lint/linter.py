"""Linting a pack in a process of its own, so that no template can harm the one that asks."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any

from runner.errors import UsageError
from runner.prompting.loader import built_in_folder
from runner.prompting.pack import PromptPack
from runner.workshop.lint.findings import FAULT, Finding

SILENCE = 60.0
"""Seconds without a word after which the process is stopped."""


@dataclass(frozen=True, slots=True)
class Report:
    """What lint found: findings, the longest prompt of each template, and how many prompts were looked at."""

    findings: tuple[Finding, ...]
    lengths: dict[str, dict[str, Any]]
    rendered: int

    @property
    def faults(self) -> int:
        """How many findings are faults."""
        return sum(finding.level == FAULT for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """The report as data."""
        found = [finding.to_json() for finding in self.findings]
        return {"faults": self.faults, "findings": found, "lengths": self.lengths, "rendered": self.rendered}


def lint(
    pack: PromptPack, names: Sequence[str], matches: int, seed: int, told: Callable[[str], None], silence: float = SILENCE
) -> Report:
    """What is wrong with the prompts of these games. UsageError when the pack cannot be read at all."""
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
        return _listened(process.stdout, pack, told, silence)
    finally:
        process.kill()
        process.communicate()


def _listened(stream: IO[str], pack: PromptPack, told: Callable[[str], None], silence: float) -> Report:
    """What the process says, until it has said all or is silent for too long."""
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
            found = tuple(Finding(**finding) for finding in record["findings"])
            return Report(found, record["lengths"], record["rendered"])
        at = record["at"]
        told(at)


def _read(stream: IO[str], said: queue.SimpleQueue[str]) -> None:
    for line in stream:
        said.put(line)
    said.put("")


def _broken(pack: PromptPack, at: str, why: str) -> Report:
    folder = str(pack.folder or built_in_folder())
    return Report((Finding(folder, 0, "bounds", f"a prompt {why}; it was {at}."),), {}, 0)
