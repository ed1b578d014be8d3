"""Errors by who must act: each carries its exit status, and its text is the sentence the user reads."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.core.errors import GameFault

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Error numbers of a disk that takes no more."""


_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Error numbers of a process or a system that may not open more files, or has no more memory."""

_NO_MEMORY = (os.strerror(errno.ENOMEM), "can't start new thread")
"""What other kinds of errors say for want of memory, such as that of a library that cannot be loaded."""

_LONGEST_PATH = 200


class Exit(IntEnum):
    """Exit statuses of the command."""

    DONE = 0
    BUG = 1
    USAGE = 2
    PAUSED = 3
    DAMAGED = 4
    ACCOUNT = 5


class TabletopError(Exception):
    """Base of the errors a user reads: `why` is the cause, `remedy` what to do next, `seat` the seat it concerns, if any."""

    exit = Exit.BUG

    def __init__(self, why: str = "", *, seat: int | None = None, remedy: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.seat = seat
        self.remedy = remedy

    def __str__(self) -> str:
        ends = not self.remedy or self.why.endswith((".", "!", "?", ":"))
        return f"{self.why}{'' if ends else '.'} {self.remedy}".rstrip()

    @property
    def sentence(self) -> str:
        """The text for a user who sees nothing else."""
        return str(self)


class UsageError(TabletopError):
    """The caller must change the command line or a file it names."""

    exit = Exit.USAGE


class BugError(TabletopError):
    """A bot, a game or tabletop itself has a bug, whose traceback was shown."""


class UnreadableFileError(UsageError):
    """A file is missing, is not a regular file, is too large, or is not text. `reason` is the clause that says which."""

    def __init__(self, what: str, path: Path, reason: str, *, is_missing: bool = False) -> None:
        super().__init__(f"{what} {path} cannot be read: {reason}.")
        self.reason = reason
        self.is_missing = is_missing


class PausedError(TabletopError):
    """The match stopped before its end. Resume it."""

    exit = Exit.PAUSED


class HopelessError(PausedError):
    """No seat gives valid answers. Another try without a change would only cost money."""


class AccountError(TabletopError):
    """The owner of the key or of agents.toml must act: key, credit, model or another setting was refused."""

    exit = Exit.ACCOUNT


class AllDamagedError(TabletopError):
    """Every log is damaged."""

    exit = Exit.DAMAGED


class DigestError(TabletopError):
    """A log is not the one that its digest or signature was published of."""

    exit = Exit.DAMAGED


class LogDamagedError(TabletopError):
    """A log is damaged or does not replay. `line` counts from 1."""

    exit = Exit.DAMAGED

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.path: Path | None = None

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"

    @property
    def sentence(self) -> str:
        """The text for a user who sees nothing else: it names the log's file where that is known."""
        return str(self) if self.path is None else f"{self.path}, {self}"


def shortened(path: str) -> str:
    """A path or a setting for a sentence: of a long one, the beginning and the end."""
    return path if len(path) <= _LONGEST_PATH else f"{path[:60]}…{path[-30:]} ({len(path):,} letters)"


def is_exhausted(error: BaseException) -> bool:
    """Whether a limit of open files or of memory is behind an error of the system."""
    return isinstance(error, OSError) and error.errno in _EXHAUSTED


def exhausted(error: BaseException) -> PausedError | None:
    """The error for a process that has reached a limit of the system; None for any other error."""
    said = str(error)
    if (isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)) or os.strerror(errno.EMFILE) in said:
        return PausedError("The limit of open files is reached.", remedy="Raise it (`ulimit -n`) and start again.")
    if isinstance(error, MemoryError) or is_exhausted(error) or any(text in said for text in _NO_MEMORY):
        return PausedError("There is not enough memory.", remedy="Raise its limit (`ulimit -v`) or free some, and start again.")
    return None


_trace_files: dict[str, str] = {}
"""The file with the traceback of each fault of a game that this process has told."""


def told_fault(fault: GameFault) -> str:
    """A game's fault in a sentence that names a file with its traceback: the first one of a fault that comes again."""
    import tempfile
    import traceback

    if str(fault) not in _trace_files:
        try:
            handle, name = tempfile.mkstemp(prefix="tabletop-fault-", suffix=".txt")
            with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.writelines(traceback.format_exception(fault))
        except OSError as error:
            return f"{fault}. Its traceback cannot be written: {error.strerror}."
        _trace_files[str(fault)] = name
    return f"{fault}. The traceback is in {_trace_files[str(fault)]}."


def words_of(error: BaseException) -> str:
    """An error in words: the sentence of ours, path and reason of the system's, the type and text of any other."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{shortened(str(error.filename))}: {error.strerror}"
    from games.core.errors import GameFault  # not before: another package could stand in for tabletop's games

    return str(error) if isinstance(error, TabletopError | GameFault) else f"{type(error).__name__}: {error}".rstrip(": ")


def refused(sentence: str, error: OSError, kind: type[TabletopError] = UsageError) -> TabletopError:
    """The error for what the system refuses: a pause at a limit of the machine (disk, memory, open files), else of `kind`."""
    return (PausedError if error.errno in _FULL | _EXHAUSTED else kind)(sentence)


def unwritable(what: str, error: OSError) -> TabletopError:
    return refused(f"{what} cannot be written: {error.strerror}.", error)


def unusable(error: OSError) -> TabletopError | None:
    """The error for a path that cannot be used; None when the system names no path."""
    if error.filename is not None:
        return refused(f"The path {words_of(error)}.", error)
    if isinstance(error, FileNotFoundError):
        return UsageError("The current folder no longer exists: change to another one.")
    return None


@contextmanager
def in_log(path: Path) -> Iterator[None]:
    """Name the log in every LogDamagedError raised within."""
    try:
        yield
    except LogDamagedError as damage:
        damage.path = damage.path or path
        raise


@contextmanager
def at_seat(seat: int) -> Iterator[None]:
    """Name the seat in every TabletopError raised within that names none."""
    try:
        yield
    except TabletopError as error:
        error.seat = seat if error.seat is None else error.seat
        raise
