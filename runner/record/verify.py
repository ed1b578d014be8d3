"""Log verification: chain, rules, views, digests, counts and result."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from runner.errors import LogDamagedError, in_log
from runner.match.records import ResultRecord
from runner.record.reader import Log, read_sound_part
from runner.record.replay import replay
from runner.record.unusable import UNUSABLE, reason_of
from runner.worker_processes import in_order

_WORTH_PROCESSES = 60
"""Logs that are worth several processes."""
_CHUNK = 5
"""Logs that a process checks at a time."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Result of verifying a log: counts, and the match's result if it has ended."""

    lines: int
    decisions: int
    attempts: int
    result: ResultRecord | None

    @property
    def has_ended(self) -> bool:
        return self.result is not None


def verify(log: Log) -> Verified:
    """Play the whole match again and check everything. LogDamagedError where it does not hold."""
    with in_log(log.path):
        counts = Counter(event.record["kind"] for _, event in replay(log))
    return Verified(log.records[-1][0] if log.records else 1, counts["decision"], counts["attempt"], log.result)


def verify_file(path: Path) -> tuple[Log, Verified]:
    """A verified log; a last line cut short is no damage to an unfinished match. LogDamagedError where it does not hold."""
    log = read_sound_part(path)
    if log.damage is not None and not (log.is_torn and log.result is None):
        raise log.damage
    return log, verify(replace(log, damage=None))


@dataclass(frozen=True, slots=True)
class LogCheck:
    """Result of verifying one file of a folder: `state` is sound, unfinished, damaged or unreadable."""

    path: str
    state: str
    line: int | None = None
    why: str = ""
    decisions: int = 0

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def verify_folder(paths: Sequence[Path]) -> Iterator[LogCheck]:
    """The check of each log, in the order of the paths; of many, by all processors."""
    return in_order(_check, paths, _CHUNK) if len(paths) >= _WORTH_PROCESSES else map(_check, paths)


def _check(path: Path) -> LogCheck:
    try:
        log, verdict = verify_file(path)
    except LogDamagedError as damage:
        return LogCheck(str(path), "damaged", damage.line, damage.why)
    except UNUSABLE as error:
        return LogCheck(str(path), "unreadable", None, reason_of(error))
    line, why = (None, "") if log.damage is None else (log.damage.line, log.damage.why)
    return LogCheck(str(path), "sound" if verdict.has_ended else "unfinished", line, why, verdict.decisions)
