"""Files that are written for a user, which never take the place of a log."""

import json
import os
from pathlib import Path

from runner.errors import UsageError, unwritable
from runner.files import make_folder, path_to_write, write_whole
from runner.record.log_paths import is_pack
from runner.record.reader import RECORDING

_LONGEST_HEADER = 16_000_000


def check_is_no_log(path: Path) -> None:
    """UsageError when a file is a log, a recording or a pack."""
    if is_pack(path):
        raise UsageError(f"{path} is a pack of logs, which nothing is written over: name another file.")
    if _is_log(path):
        raise UsageError(f"{path} is a log of a match, which nothing else is written over: name another file.")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a text or bytes to a file, with its folders, in place of another one unless that is a log, a recording or a pack. A
    named pipe or a device is written to as it is. PausedError on a full disk, else UsageError."""
    check_is_no_log(path)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if path.is_fifo() or path.is_char_device():
        _write_stream(path, data)
    else:
        path = path_to_write(path, "file")
        make_folder(path.parent)
        write_whole(path, data, "The file", is_private=False)


def _write_stream(path: Path, data: bytes) -> None:
    """Write to a pipe or a device. A pipe that nobody reads is an error at once."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError as error:
        raise unwritable(f"The file {path}", error) from error


def _is_log(path: Path) -> bool:
    """Whether the first line of a file is a header, sound or not."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline(_LONGEST_HEADER))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("kind") in ("header", RECORDING)
