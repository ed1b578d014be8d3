"""Web host: the tables of one folder of logs, and the secret links to their seats, which a restart does not change."""

from __future__ import annotations

import fcntl
import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import games
from games.core import GameFault, OptionError
from runner.agents.environment import Environment
from runner.agents.spec import Spec
from runner.errors import TabletopError, UsageError, told_fault
from runner.files import make_folder, read_regular_text, write_whole
from runner.record.log_folder import summaries
from runner.record.log_summary import LogState
from runner.serve.hosted_match import ClientSeat, HostedMatch
from runner.serve.match_host import HostLimits, MatchHost
from runner.serve.web_match import TableRules, WebMatch
from runner.session.match_spec import MatchSpec
from runner.session.ready import ReadyMatch
from runner.session.sources import Source, new_log_path
from runner.validation_messages import first_problem
from runner.worker_processes import ProcessPool

STATE = ".tabletop-serve.json"
"""The file of a folder of logs that has the key of its links and the tables that are open."""

_LONGEST_LINK = 200


class _State(BaseModel):
    """What outlasts the server: the key from which all links follow, and the rules of each open table by its log."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field(min_length=32, max_length=200)
    tables: dict[str, TableRules] = Field(default_factory=dict)


class Place(NamedTuple):
    """Where a link leads: a match, and its seat, None for spectators."""

    match: WebMatch
    seat: int | None

    @property
    def client(self) -> ClientSeat:
        """The seat. UsageError for spectators, and for a seat that nobody at a browser has."""
        if self.seat is None or self.seat not in self.match.seats:
            raise UsageError("This link is for spectators: it cannot play.")
        return self.match.seats[self.seat]

    def check_seat(self) -> None:
        """UsageError for spectators."""
        _ = self.client


@dataclass(frozen=True, slots=True)
class NewTable:
    """A match that is to begin, and how its table treats its people."""

    spec: MatchSpec
    rules: TableRules

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> NewTable:
        """What a browser sends: `match` as a MatchSpec has it, but with the options of the game in words, and `rules` of the
        table. UsageError for anything wrong."""
        match = given.get("match")
        if not isinstance(match, dict) or not isinstance(match.get("game"), str):
            raise UsageError("A new match needs its game and its seats.")
        options, words, seats = games.load(match["game"]).options, match.get("options", {}), match.get("seats", ())
        if not isinstance(words, dict):
            raise UsageError("The options have to be an object.")
        parsed = {name: options[name].parse(str(word)) if name in options else word for name, word in words.items()}
        try:
            rules = TableRules.model_validate(given.get("rules", {}))
        except ValidationError as error:
            raise UsageError(f"The table: {first_problem(error, TableRules)}") from error
        match = {**match, "options": parsed, "seats": tuple(seats) if isinstance(seats, list) else seats}
        return cls(MatchSpec.of(match, lambda name, value: f"{name}: {value!r:.60}"), rules)


class WebHost(MatchHost):
    """The matches of a web server. A log's name is that of its table."""

    def __init__(self, environment: Environment, limits: HostLimits, processes: ProcessPool) -> None:
        super().__init__(environment, limits)
        self.environment, self.folder, self._processes = environment, limits.folder, processes
        make_folder(self.folder)
        self._lock: int | None = _locked(self.folder)
        self._state = _read_state(self.folder / STATE)
        self._rules = dict(self._state.tables)
        self.troubles: dict[str, str] = {}
        self._save()

    # -- links ----

    def link(self, *of: object) -> str:
        """The secret of a link, 192 bits of a keyed hash (HMAC-SHA256, RFC 2104): the same after a restart."""
        digest = hmac.digest(self._state.key.encode(), "/".join(map(str, of)).encode(), "sha256")
        return urlsafe_b64encode(digest[:24]).decode()

    @property
    def own_link(self) -> str:
        """The secret of the lobby."""
        return self.link("host")

    def is_host(self, link: str) -> bool:
        return hmac.compare_digest(link.encode(), self.own_link.encode())

    def place(self, link: str) -> Place:
        """Where a link leads. UsageError for one that leads nowhere."""
        if len(link) <= _LONGEST_LINK and link in self._handles:
            path, seat = self._handles[link]
            return Place(self._found(path), None if seat < 0 else seat)
        raise UsageError("This link leads to no table of this server.", remedy="Ask the host for a new one.")

    def seat_links(self, path: Path) -> dict[int, str]:
        """The links of a table's seats."""
        return {seat: link for link, (known, seat) in self._handles.items() if known == path and seat >= 0}

    def watch_link(self, path: Path) -> str:
        """The link of a table's spectators."""
        return self.link(path.name, "watch")

    def _new_handle(self, path: Path, seat: int) -> str:
        return self.link(path.name, seat)

    @property
    def budget(self) -> float | None:
        """The most that all matches may cost, in USD; None: no model that costs money plays."""
        return self._limits.usd

    def checked(self, spec: MatchSpec) -> list[Spec]:
        """The players of a match. UsageError for one that this server does not allow."""
        self._check_allowed(spec)
        return [seat.resolved(self.environment) for seat in spec.seats]

    # -- tables ----

    @property
    def tables(self) -> Iterator[tuple[Path, WebMatch]]:
        """The matches that this server has begun or resumed, by their logs, the newest last."""
        return ((path, self._found(path)) for path in self._matches)

    def table(self, name: str) -> tuple[Path, WebMatch]:
        """The match of a log. UsageError where there is none."""
        path = self.folder / Path(name).name
        return path, self._found(path)

    def _found(self, path: Path) -> WebMatch:
        if path not in self._matches:
            raise UsageError(f"There is no table {path.name} on this server.")
        return cast(WebMatch, self._matches[path])

    async def open(self, new: NewTable) -> Path:
        """Begin a match; its log. UsageError or OptionError for what cannot be played."""
        path = new_log_path(games.load(new.spec.game), self.folder)
        self._rules[path.name] = new.rules
        try:
            await self.begin(new.spec, path)
        except BaseException:
            del self._rules[path.name]
            raise
        self._opened(path)
        return path

    async def go_on(self, name: str, rules: TableRules | None = None) -> Path:
        """Go on with a match that is paused, or that was played elsewhere; its log. TabletopError for one that cannot."""
        path, known = self.folder / Path(name).name, self._rules.get(name)
        old = self._matches.get(path)
        self._rules[name] = rules or known or TableRules()
        try:
            await self.resume(name, {})
        except BaseException:
            self._rules |= {name: known} if known else {}
            if known is None:
                del self._rules[name]
            raise
        self._opened(path)
        if isinstance(old, WebMatch):
            old.tell()
        return path

    async def go_on_with_all(self) -> None:
        """Go on with the matches that were open when the server stopped. `troubles` says which cannot, and why."""
        for name in [*self._rules]:
            try:
                await self.go_on(name)
            except (TabletopError, OptionError) as refusal:
                self._trouble(name, str(refusal))
            except GameFault as fault:
                self._trouble(name, told_fault(fault))

    def _trouble(self, name: str, why: str) -> None:
        path = self.folder / Path(name).name
        if path.is_file() and summaries(path)[path.name].state is not LogState.FINISHED:
            self.troubles[name] = why
        else:
            self._rules.pop(name, None)

    async def again(self, place: Place) -> Path:
        """The same people and the same settings with a new deal, everybody one seat further on; the log of the new match. The
        first call begins it. UsageError before the end, and for spectators."""
        place.check_seat()
        match = place.match
        if not match.has_ended:
            raise UsageError("The match has not ended.")
        if match.followed_by is None:
            seats = match.ready.spec.seats
            spec = match.ready.spec.model_copy(update={"seed": None, "seats": (*seats[-1:], *seats[:-1])})
            match.followed_by = new_log_path(match.ready.config.game, self.folder)
            try:
                match.followed_by = await self.open(NewTable(spec, match.rules))
            except BaseException:
                match.followed_by = None
                raise
            match.tell()
        return match.followed_by

    def next_link(self, place: Place) -> str | None:
        """The link of the same person to the match that follows."""
        if (path := place.match.followed_by) is None or path not in self._matches:
            return None
        if place.seat is None:
            return self.watch_link(path)
        return self.seat_links(path).get((place.seat + 1) % len(place.match.ready.specs))

    async def close(self) -> list[Path]:
        """Pause every match that is not over; their logs. A server of the same folder resumes them."""
        paused = await super().close()
        if self._lock is not None:
            self._save()
            os.close(self._lock)
            self._lock = None
        return paused

    def _new_match(self, found: ReadyMatch, source: Source) -> HostedMatch:
        rules = self._rules[source.path.name]
        WebMatch.check(rules, found)
        return WebMatch(found, source, rules, self._pool, self._processes)

    def _opened(self, path: Path) -> None:
        self.troubles.pop(path.name, None)
        self._handles[self.watch_link(path)] = (path, -1)
        self._save()

    def _save(self) -> None:
        done = {path.name for path, match in self._matches.items() if match.has_ended}
        self._state.tables = {name: rules for name, rules in self._rules.items() if name not in done}
        write_whole(self.folder / STATE, self._state.model_dump_json(), "The file")


def _locked(folder: Path) -> int:
    """The open folder, which no other server has. UsageError where one has."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise UsageError(
            f"Another `tabletop serve` has the folder {folder}: stop it first, or name another --log-dir."
        ) from error
    return handle


def _read_state(path: Path) -> _State:
    """The state of a folder; a new one where there is none. UsageError for a file that is something else."""
    if not path.exists():
        return _State(key=secrets.token_urlsafe(32))
    with suppress(ValidationError):
        return _State.model_validate_json(read_regular_text(path, "The file"))
    raise UsageError(f"{path} is no file of `tabletop serve`: move it away, and all links to seats become new ones.")
