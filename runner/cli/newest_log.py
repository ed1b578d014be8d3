"""Newest log: the log that a verb uses when none is named, or only a folder."""

from pathlib import Path

from runner.errors import TabletopError, UsageError
from runner.record.log_paths import LOGS, has_logs, logs_in, modified_of, refuse_missing


def named_or_newest(given: Path | None) -> Path:
    """The named log; else, and said on standard error, the newest of a folder or of `logs`. UsageError without any."""
    if given is not None and not has_logs(given):
        refuse_missing(given)
        return given
    from runner.screen.consoles import print_note
    from runner.screen.safe_text import clean

    files = newest_files(given or LOGS)
    path = next(filter(_begins_as_log, files), files[0])
    print_note(f"Newest log: {clean(path, 5000)}")
    return path


def newest_files(folder: Path) -> list[Path]:
    """The files named like logs below a folder, or those of a pack, newest first. UsageError without any."""
    if not has_logs(folder):
        raise UsageError(f"No log is named, and there is no folder {folder}: name a log or a folder of logs.")
    return sorted(logs_in(folder), key=lambda path: (modified_of(path), path), reverse=True)


def _begins_as_log(path: Path) -> bool:
    """Whether a file is a log: recordings and live events can have the same suffix."""
    from runner.record.reader import open_log, read_start

    try:
        with open_log(path) as file:
            read_start(path, file)
    except TabletopError:
        return False
    return True
