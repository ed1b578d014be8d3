"""Unusable logs: those of a folder that a verb leaves out, each with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.core import GameFault, OptionError
from runner.errors import (
    AllDamagedError,
    BugError,
    Exit,
    LogDamagedError,
    TabletopError,
    UnreadableFileError,
    UsageError,
    told_fault,
)

UNUSABLE = (TabletopError, OptionError, GameFault)
"""What reading a log raises: it is damaged, it cannot be read, its game is not there or is at fault."""


def reason_of(error: Exception) -> str:
    """Why a log is not used, for one of `UNUSABLE`."""
    return told_fault(error) if isinstance(error, GameFault) else str(error)


class Unusable(NamedTuple):
    """A log that is left out, and why. `status` says who must act: nobody can for a log that is damaged or cannot be read."""

    name: str
    why: str
    status: Exit = Exit.DAMAGED

    @classmethod
    def of(cls, name: str, error: Exception) -> Unusable:
        """The log whose reading raised one of `UNUSABLE`."""
        if isinstance(error, LogDamagedError | UnreadableFileError):
            return cls(name, str(error))
        return cls(name, reason_of(error), Exit.BUG if isinstance(error, GameFault | BugError) else Exit.USAGE)

    @property
    def place(self) -> str:
        """The log and the reason, as every verb says it: the line behind the name, where one is known."""
        return f"{self.name}{', ' if self.why.startswith('line ') else ': '}{self.why.rstrip('.')}."

    @property
    def sentence(self) -> str:
        return f"Left out{', damaged' if self.status is Exit.DAMAGED else ''}: {self.place}"


def exit_of(found: Sequence[Unusable]) -> Exit:
    """The exit status of a verb that leaves these logs out."""
    return next((status for status in (Exit.DAMAGED, Exit.BUG) if any(one.status is status for one in found)), Exit.USAGE)


def none_left(found: Sequence[Unusable]) -> TabletopError:
    """The error for a folder of which every log is left out."""
    kind = {Exit.DAMAGED: AllDamagedError, Exit.BUG: BugError}.get(exit_of(found), UsageError)
    return kind(" ".join(one.place for one in found))
