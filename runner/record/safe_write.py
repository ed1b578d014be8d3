"""Files that are written for a user, which never take the place of a log."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from runner.errors import UsageError, unwritable
from runner.record.reader import RECORDING

_LONGEST_HEADER = 16_000_000


def write_file(path: Path, text: str) -> None:
    """Write text to a file, over another one unless that is a log or a recording. UsageError when it cannot be."""
    if _is_log(path):
        raise UsageError(f"{path} is a log of a match, which nothing else is written over: name another file.")
    try:
        path.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def write_whole(path: Path, text: str, what: str, mode: int = 0o666) -> None:
    """Write text to a file of tabletop's own, whole or not at all. PausedError on a full disk, else UsageError."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.touch(mode=mode)
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise unwritable(f"{what} {path}", error) from error


def make_folder(path: Path) -> None:
    """Create a folder and those above it. PausedError on a full disk, else UsageError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(f"The folder {path}", error) from error


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
