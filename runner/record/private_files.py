"""Private files: created for their owner alone, with mode 0600, folders with 0700; a stricter umask still applies."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from runner.errors import UsageError, unwritable

PRIVATE = 0o600
"""Permissions of a new log and of what is kept beside it."""

_PRIVATE_FOLDER = 0o700


def make_private_folder(path: Path) -> None:
    """Create a folder, and those above it, for their owner alone. Folders that exist stay as they are."""
    if not path.is_dir():
        if path.parent != path:
            make_private_folder(path.parent)
        path.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)


def write_private(path: Path, text: str) -> None:
    """Write text to a file, which is created for its owner alone."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


def make_folder(path: Path) -> None:
    """Create a private folder. PausedError on a full disk, else UsageError."""
    try:
        make_private_folder(path)
    except OSError as error:
        raise unwritable(f"The folder {path}", error) from error


def write_whole(path: Path, text: str, what: str) -> None:
    """Write text to a private file, whole or not at all. PausedError on a full disk, else UsageError."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        write_private(fresh, text)
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise unwritable(f"{what} {path}", error) from error


def path_to_write(path: Path, what: str = "log") -> Path:
    """The file that a name leads to. UsageError for a link out of the name's folder."""
    if not path.is_symlink():
        return path
    target, folder = Path(os.path.realpath(path)), Path(os.path.realpath(path.parent))
    if not target.is_relative_to(folder):
        raise UsageError(f"The {what} {path} is a link out of its folder, to {target}: specify that file if it is meant.")
    return target
