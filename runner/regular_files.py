"""Regular files: opened without blocking and read up to a bound, so that a pipe, a device or a huge file stops nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from runner.errors import UnreadableFileError

LARGEST_TEXT = 16 * 2**20
"""Maximum bytes of a text file that a person writes: settings, a plan, a deck, a list of digests."""

_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a named pipe, not a regular file"),
    (stat.S_ISSOCK, "it is a socket, not a regular file"),
    (stat.S_ISCHR, "it is a device, not a regular file"),
    (stat.S_ISBLK, "it is a device, not a regular file"),
)


def open_regular(path: Path, what: str, largest: int) -> BinaryIO:
    """A regular file of at most `largest` bytes, open for reading; links are followed. UnreadableFileError names `what`."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _refusal(what, path, error) from error
    try:
        reason = _objection(os.fstat(handle), largest)
        if reason is not None:
            raise UnreadableFileError(what, path, reason)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, what: str, largest: int = LARGEST_TEXT) -> bytes:
    """All of a regular file. UnreadableFileError when it cannot be read or has more than `largest` bytes."""
    with open_regular(path, what, largest) as file:
        try:
            data = file.read(largest + 1)
        except OSError as error:
            raise _refusal(what, path, error) from error
    if len(data) > largest:
        raise UnreadableFileError(what, path, _too_large(largest))
    return data


def read_regular_text(path: Path, what: str, largest: int = LARGEST_TEXT) -> str:
    """All of a regular file as text in UTF-8, line ends as `\\n`. UnreadableFileError when it is not that."""
    try:
        text = read_regular(path, what, largest).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableFileError(what, path, "it is not text in UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _objection(facts: os.stat_result, largest: int) -> str | None:
    """Why a file is not read; None when it may be."""
    if not stat.S_ISREG(facts.st_mode):
        return next((why for is_kind, why in _KINDS if is_kind(facts.st_mode)), "it is not a regular file")
    return _too_large(largest) if facts.st_size > largest else None


def _too_large(largest: int) -> str:
    return f"it is larger than {largest // 2**20} MiB" if largest >= 2**20 else f"it is larger than {largest} bytes"


def _refusal(what: str, path: Path, error: OSError | ValueError) -> UnreadableFileError:
    reason = error.strerror if isinstance(error, OSError) else "no file has such a name"
    return UnreadableFileError(what, path, str(reason), is_missing=isinstance(error, FileNotFoundError))
