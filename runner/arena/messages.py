"""Messages between a tournament and its workers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from runner.arena.match_outcome import Outcome
from runner.arena.match_player import MatchSettings
from runner.arena.schedule import Fixture
from runner.errors import TabletopError
from runner.llm.budget import Reservation
from runner.llm.call_errors import AccountProblem
from runner.llm.local_servers import ServerAccess
from runner.llm.prices import WorstCase
from runner.llm.rate_limiter import Learnt, LimitKey, LimitScope, Priority


class WorkerConfig(NamedTuple):
    """What a worker needs to start. `folder` is None for a worker that has no access to the tournament's disk and sends its
    logs; `is_limited` tells whether there is a budget to ask; `servers` gives access to those of model files."""

    folder: Path | None
    shared: MatchSettings
    is_limited: bool
    servers: Mapping[str, ServerAccess]


# -- to a worker ------------------------------------------------------------------------------------------------------


class Play(NamedTuple):
    """Play a match. `begun` is its log so far, for a worker without access to the disk."""

    fixture: Fixture
    begun: bytes = b""


class Pause(NamedTuple):
    """Pause a match."""

    name: str


class Granted(NamedTuple):
    """Request `number` was granted: with a reservation, or with what is known of the endpoint."""

    number: int
    value: Reservation | Learnt | None


class Denied(NamedTuple):
    """Request `number` was denied."""

    number: int
    why: TabletopError


class End(NamedTuple):
    """Exit: nothing is left to do."""


ToWorker: TypeAlias = Play | Pause | Granted | Denied | End


# -- to the tournament ------------------------------------------------------------------------------------------------


class Ended(NamedTuple):
    """A match ended or stopped."""

    outcome: Outcome


class Attempted(NamedTuple):
    """An agent's attempt was no valid answer: a mistake, or a transport failure."""

    agent: str
    outcome: str


class Acquire(NamedTuple):
    """Request a call within the rate limits of an endpoint."""

    number: int
    key: LimitKey
    priority: Priority


class Reserve(NamedTuple):
    """Request a reservation of the budget."""

    number: int
    worst: WorstCase
    source: str


class Release(NamedTuple):
    """Release what request `number` got, or withdraw the request."""

    number: int


class Settle(NamedTuple):
    """Charge what a call cost against reservation `number`."""

    number: int
    usd: float | None
    tokens: int
    is_answer: bool


class Charge(NamedTuple):
    """Charge a call without a reservation."""

    usd: float
    tokens: int


class Learn(NamedTuple):
    """A worker learnt this about an endpoint."""

    key: LimitKey
    learnt: Learnt


class Succeeded(NamedTuple):
    """A call was answered."""

    key: LimitKey


class Throttle(NamedTuple):
    """The endpoint asks for a pause; the call began `age` seconds ago."""

    key: LimitKey
    scope: LimitScope
    seconds: float | None
    age: float


class Block(NamedTuple):
    """The endpoint refuses all further calls."""

    key: LimitKey
    problem: AccountProblem


class Logged(NamedTuple):
    """The end of a match's log from byte `at`. With a number, it is granted once it is on the disk."""

    name: str
    at: int
    lines: bytes
    number: int | None


LimitsRequest: TypeAlias = Acquire | Reserve | Release | Settle | Charge | Learn | Succeeded | Throttle | Block
ToTournament: TypeAlias = Ended | Attempted | LimitsRequest | Logged
Message: TypeAlias = ToWorker | ToTournament
