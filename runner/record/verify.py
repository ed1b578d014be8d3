"""Proving logs: chain, rules, views, digests, counts and result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from runner.errors import LogDamagedError, TabletopError, UsageError, in_log
from runner.record.reader import Log, read_log
from runner.record.replay import steps


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verifying found: counts, and the result when the match had ended."""

    lines: int
    decisions: int
    attempts: int
    result: dict[str, Any] | None

    @property
    def has_ended(self) -> bool:
        """Whether the match was played to its end."""
        return self.result is not None


def verify(log: Log) -> Verdict:
    """Play the whole match again and check everything. LogDamagedError where it does not hold."""
    counts = {"decision": 0, "attempt": 0}
    last, result = 1, None
    with in_log(log.path):
        for step in steps(log):
            last, kind = step.line, step.record["kind"]
            if kind in counts:
                counts[kind] += 1
            elif kind == "result":
                result = step.record
    return Verdict(last, counts["decision"], counts["attempt"], result)


@dataclass(frozen=True, slots=True)
class Finding:
    """What verifying one file of a folder found: `state` is sound, unfinished, damaged or unreadable."""

    path: str
    state: str
    line: int | None = None
    why: str = ""
    decisions: int = 0

    def to_json(self) -> dict[str, Any]:
        """The finding as data."""
        return asdict(self)


def verify_folder(folder: Path) -> Iterator[Finding]:
    """A finding for every log under a folder, in the order of their names. UsageError when there is none."""
    paths = sorted(folder.rglob("*.jsonl"))
    if not paths:
        raise UsageError(f"There are no logs (*.jsonl) in {folder}.")
    return (_finding(path) for path in paths)


def _finding(path: Path) -> Finding:
    try:
        verdict = verify(read_log(path))
    except LogDamagedError as damage:
        return Finding(str(path), "damaged", damage.line, damage.why)
    except TabletopError as error:
        return Finding(str(path), "unreadable", None, str(error))
    return Finding(str(path), "sound" if verdict.has_ended else "unfinished", decisions=verdict.decisions)
