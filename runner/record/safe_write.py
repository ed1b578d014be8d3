"""Files that are written for a user, which never take the place of a log."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import BinaryIO

from runner.errors import UsageError
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
    """Write a text or bytes to a file, over another one unless that is a log, a recording or a pack. UsageError otherwise."""
    check_is_no_log(path)
    try:
        with _opened(path) as file:
            file.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def _opened(path: Path) -> BinaryIO:
    """A file to write to. A named pipe that nobody reads is an error at once."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    os.set_blocking(handle, True)
    return os.fdopen(handle, "wb")


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
