"""Errors by who must act: each carries its exit status, and its text is the sentence the user reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path


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
        return f"{self.why} {self.remedy}".rstrip()

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


def words_of(error: BaseException) -> str:
    """An error in words: the sentence of ours, the type and text of any other."""
    return str(error) if isinstance(error, TabletopError) else f"{type(error).__name__}: {error}".rstrip(": ")


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
