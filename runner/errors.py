"""What ends a command early: each error carries its exit status, and its text is the sentence the user reads."""

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
    """An end with a sentence and an exit status."""

    exit = Exit.BUG

    @property
    def sentence(self) -> str:
        """What the user reads where nothing else stands beside it."""
        return str(self)


class UsageError(TabletopError):
    """The command was told something it cannot take."""

    exit = Exit.USAGE


class PausedError(TabletopError):
    """The match stopped and can be resumed."""

    exit = Exit.PAUSED


class AccountError(TabletopError):
    """Key, credit, model or another part of the set-up was refused."""

    exit = Exit.ACCOUNT


class LogDamagedError(TabletopError):
    """A log that is damaged or does not replay. `line` counts from 1."""

    exit = Exit.DAMAGED

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why
        self.path: Path | None = None

    @property
    def sentence(self) -> str:
        """What the user reads, with the log's file where that is known."""
        return str(self) if self.path is None else f"{self.path}, {self}"


@contextmanager
def in_log(path: Path) -> Iterator[None]:
    """Name the log in what is found to be damaged within."""
    try:
        yield
    except LogDamagedError as damage:
        damage.path = damage.path or path
        raise
