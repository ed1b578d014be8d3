"""Resuming a log: lock it first, then verify it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from runner.errors import LogDamagedError, TabletopError, UsageError, in_log
from runner.record.log_paths import pack_of
from runner.record.reader import Log, read_sound_part
from runner.record.verify import verify
from runner.record.writer import LogWriter


def open_to_resume(path: Path) -> tuple[LogWriter, Log]:
    """The log, verified but for a last line that is cut short, and its writer, which holds its lock.

    UsageError when it cannot be opened, LogDamagedError when it is damaged.
    """
    if pack_of(path) is not None:
        raise UsageError(
            f"The log {path} is in a pack, which holds only matches that have ended: `tabletop fork` plays on from it."
        )
    writer = LogWriter(path, resume=True)
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
    fork = log.header.get("fork")
    if fork and len(log.records) < fork["lines"]:
        raise LogDamagedError(1, f"only {len(log.records)} of {fork['lines']} records of its parent were copied: fork again.")
