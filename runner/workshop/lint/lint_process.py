"""Lint process: reads and checks templates of unknown quality, with bounded memory.

It reads its job as one line of JSON, and writes lines of JSON: {"at": …} for progress, {"findings": …} at the end.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import games
from runner.errors import UsageError
from runner.prompting.pack import PromptPack
from runner.workshop.lint.case_checks import check_pack

MEMORY = 1 << 30
"""Bytes of memory for the checks, beyond what the process has at its start."""


def main() -> None:
    """Run the job on standard input."""
    job = json.loads(sys.stdin.readline())
    found = [games.load(name) for name in job["games"]]
    limit = _used() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        pack = PromptPack(job["pack"] and Path(job["pack"]))
        findings = check_pack(pack, found, job["matches"], job["seed"], lambda what: _say(at=what))
    except UsageError as error:
        _say(error=str(error))
        return
    _say(
        findings=[finding.to_json() for finding in findings.sorted()],
        lengths={name: {"tokens": length.tokens, "case": length.case} for name, length in findings.lengths.items()},
        rendered=findings.rendered,
    )


def _used() -> int:
    """The bytes of address space of this process."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return MEMORY
    return pages * resource.getpagesize()


def _say(**what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
