"""Newest log: the log that a command uses when none is named, or only a folder."""

from __future__ import annotations

from pathlib import Path

from runner.errors import TabletopError, UsageError
from runner.record.log_paths import has_logs, log_paths, modified_of


def named_or_newest(given: Path | None) -> Path:
    """The log that is named; the newest one of a folder, or of `logs` without a name, which is then said on standard error.

    UsageError without any.
    """
    folder = _default_folder() if given is None else given
    if given is not None and not has_logs(given):
        return given
    files = newest_files(folder)
    path = next(filter(_begins_as_log, files), files[0])
    _print_choice(path)
    return path


def newest_files(folder: Path) -> list[Path]:
    """The files of a folder and its sub-folders that are named like logs, or those of a pack, the newest first. UsageError
    without any."""
    if not has_logs(folder):
        raise UsageError(f"No log is named, and there is no folder {folder}: name a log or a folder of logs.")
    logs = log_paths(folder)
    if not logs:
        raise UsageError(f"No logs (*.jsonl) in {folder}.")
    return sorted(logs, key=lambda path: (modified_of(path), path), reverse=True)


def _begins_as_log(path: Path) -> bool:
    """Whether a file is a log: recordings and live events can have the same suffix."""
    from runner.record.reader import open_log, read_start

    try:
        with open_log(path) as file:
            read_start(path, file)
    except TabletopError:
        return False
    return True


def folder_or_default(given: Path | None) -> Path:
    """What is named; without a name the default folder of logs."""
    return _default_folder() if given is None else given


def _default_folder() -> Path:
    from runner.record.log_target import LOGS

    return LOGS


def _print_choice(path: Path) -> None:
    from runner.screen.consoles import print_note
    from runner.screen.safe_text import clean

    print_note(f"Newest log: {clean(path, 5000)}")
