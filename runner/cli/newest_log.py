"""Newest log: the log that a command uses when none is named, or only a folder."""

from __future__ import annotations

from pathlib import Path

from runner.errors import UsageError


def named_or_newest(given: Path | None) -> Path:
    """The log that is named; the newest one of a folder, or of `logs` without a name, which is then said on standard error.

    UsageError without any.
    """
    folder = _default_folder() if given is None else given
    if given is not None and not given.is_dir():
        return given
    path = newest_of(folder)
    _print_choice(path)
    return path


def newest_of(folder: Path) -> Path:
    """The log of a folder and its sub-folders that was written last. UsageError without any."""
    if not folder.is_dir():
        raise UsageError(f"No log is named, and there is no folder {folder}: name a log or a folder of logs.")
    logs = list(folder.rglob("*.jsonl"))
    if not logs:
        raise UsageError(f"No logs (*.jsonl) in {folder}.")
    return max(logs, key=lambda path: (path.stat().st_mtime_ns, path))


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
