"""Taking up a log again: locked first, then proved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from runner.errors import LogDamagedError, TabletopError, in_log
from runner.record.reader import Log, read_sound_part
from runner.record.verify import verify
from runner.record.writer import LogWriter


def take_up(path: Path) -> tuple[LogWriter, Log]:
    """The log, proved from end to end but for a last line that was not written out, and its writer, which holds its lock.

    UsageError when it cannot be had, LogDamagedError when it is damaged.
    """
    writer = LogWriter(path, goes_on=True)
    try:
        with in_log(path):
            log = read_sound_part(path)
            if log.damage is not None and not log.is_torn:
                raise log.damage
            verify(replace(log, damage=None))
            _check_copied(log)
    except TabletopError:
        writer.close()
        raise
    return writer, log


def _check_copied(log: Log) -> None:
    """LogDamagedError for a fork that was stopped while its parent's records were being copied."""
    due = (log.header.get("fork") or {}).get("lines", 0)
    if len(log.records) < due:
        raise LogDamagedError(1, f"only {len(log.records)} of {due} records of its parent were copied: fork again.")
