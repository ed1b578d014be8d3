"""What a tournament and its workers tell each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from runner.agents.environment import Settings
from runner.arena.match_outcome import Outcome
from runner.arena.schedule import Fixture
from runner.errors import TabletopError
from runner.llm.budget import Reservation
from runner.llm.call_errors import AccountProblem
from runner.llm.prices import Worst
from runner.llm.rate_limiter import Rank
from runner.llm.rate_limiters import Held, Way


class Brief(NamedTuple):
    """What a worker has to know. `folder` is None where it shares no disk with the tournament, and sends its logs.

    `is_limited` says that there is a budget to be asked.
    """

    folder: Path | None
    prompts: Path | None
    settings: Settings
    mistakes: float
    seed: int
    is_limited: bool
    is_rated: bool = False


# -- to a worker ------------------------------------------------------------------------------------------------------


class Play(NamedTuple):
    """Play a match; `begun` is the log it has so far, for a worker that shares no disk."""

    fixture: Fixture
    begun: bytes = b""


class Pause(NamedTuple):
    """Stop a match where it is."""

    name: str


class Granted(NamedTuple):
    """What was asked for under this number is had."""

    number: int
    value: Reservation | None


class Denied(NamedTuple):
    """What was asked for under this number is not to be had."""

    number: int
    why: TabletopError


class End(NamedTuple):
    """There is nothing left to do."""


ToWorker: TypeAlias = Play | Pause | Granted | Denied | End


# -- to the tournament ------------------------------------------------------------------------------------------------


class Ended(NamedTuple):
    """How a match went."""

    outcome: Outcome


class Attempted(NamedTuple):
    """An agent's attempt that was no answer: a mistake, or a failure of transport."""

    agent: str
    outcome: str


class Enter(NamedTuple):
    """A turn is asked for."""

    number: int
    way: Way
    rank: Rank


class Reserve(NamedTuple):
    """Money is asked for."""

    number: int
    worst: Worst
    source: str


class GiveBack(NamedTuple):
    """The turn that was asked for under this number is over, or nothing asked for under it is wanted any more."""

    number: int


class Settle(NamedTuple):
    """What a call took of the money that was set aside under this number."""

    number: int
    usd: float | None
    tokens: int
    is_answer: bool


class Spent(NamedTuple):
    """What a call took that nothing was set aside for."""

    usd: float
    tokens: int


class CameThrough(NamedTuple):
    """A call was answered."""

    way: Way


class Hold(NamedTuple):
    """The endpoint asks for a pause, of a call that began so many seconds ago."""

    way: Way
    what: Held
    seconds: float | None
    age: float


class Refuse(NamedTuple):
    """The endpoint refuses for good."""

    way: Way
    problem: AccountProblem


class Logged(NamedTuple):
    """More of a match's log, which ends with it. With a number, it is to be granted once it is on the disk."""

    name: str
    at: int
    lines: bytes
    number: int | None


ToTournament: TypeAlias = Ended | Attempted | Enter | Reserve | GiveBack | Settle | Spent | CameThrough | Hold | Refuse | Logged

Batch: TypeAlias = list[Any]
"""Messages of one direction, in their order."""
