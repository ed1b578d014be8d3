"""Web host: the tables of one folder of logs, and the secret links to their seats, which a restart does not change."""

from __future__ import annotations

import fcntl
import hmac
import os
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from pydantic import ValidationError

import games
from games.core import GameFault, OptionError
from runner.agents.environment import Environment
from runner.agents.spec import Human, Spec
from runner.errors import TabletopError, UsageError, told_fault
from runner.files import make_folder
from runner.record.log_folder import summaries
from runner.record.log_paths import journal_of
from runner.record.log_summary import LogState
from runner.record.reader import read_log
from runner.record.writer import balance
from runner.serve.hosted_match import ClientSeat, HostedMatch
from runner.serve.match_host import HostLimits, MatchHost
from runner.serve.served_folder import ServedFolder
from runner.serve.web_match import TableRules, WebMatch
from runner.session.match_spec import MatchSpec, ReadyMatch, SeatSpec
from runner.session.session import Source, new_log_path
from runner.validation import first_problem
from runner.worker_processes import ProcessPool

FOR_SPECTATORS = "This link is for spectators: it cannot play."

_LONGEST_LINK = 200
_MOST_SEATS = 16


class Ended(NamedTuple):
    """Where a link leads whose match is over and no longer in memory: its log, and the seat, None for spectators."""

    path: Path
    seat: int | None


class Place(NamedTuple):
    """Where a link leads: a match, and its seat, None for spectators."""

    match: WebMatch
    seat: int | None

    @property
    def client(self) -> ClientSeat:
        """The seat. UsageError for spectators, and for a seat that nobody at a browser has."""
        if self.seat is None or self.seat not in self.match.seats:
            raise UsageError(FOR_SPECTATORS)
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

    def __init__(self, environment: Environment, limits: HostLimits, processes: ProcessPool, *, adopts: bool = False) -> None:
        """`adopts`: take over what an earlier version, or the folder before it was moved, has left. UsageError without it."""
        super().__init__(environment, limits)
        self.environment, self.folder, self._processes = environment, limits.folder, processes
        make_folder(self.folder)
        self._lock: int | None = _locked(self.folder)
        try:
            self.served = ServedFolder(self.folder)
            if adopts:
                self.served.adopt()
        except BaseException:
            os.close(self._lock)
            raise
        self._state = self.served.state
        self._rules = self._state.tables
        self.troubles: dict[str, str] = {"The folder": self.served.foreign} if self.served.foreign else {}
        self._wants_another: dict[Path, set[int]] = {}
        self._ended_links: dict[str, Ended] = {}
        self._pool.spent_usd = sum(map(self._spent, self._rules))
        self.served.save()

    def _spent(self, name: str) -> float:
        """What the match of a log has cost, in USD, at most."""
        path = self.folder / name
        with suppress(TabletopError):
            settled, unsettled = balance(journal_of(path))
            logged = summaries(path)[path.name].cost if path.is_file() else 0.0
            return max(logged, settled.usd + sum(one.usd for one in unsettled))
        return 0.0

    # -- links ----

    def link(self, *of: object) -> str:
        """The secret of a link, 192 bits of a keyed hash (HMAC-SHA256, RFC 2104): the same after a restart."""
        what = "/".join(map(str, of))
        if times := self._state.withdrawn.get(what):
            what += f"/{times}"
        return urlsafe_b64encode(hmac.digest(self._state.key.encode(), what.encode(), "sha256")[:24]).decode()

    def link_of(self, name: str, seat: int | None) -> str:
        """The link of a seat of a log's match, None: of its spectators."""
        return self.link(name, "watch" if seat is None else seat)

    def withdraw(self, name: str, seat: int | None) -> None:
        """Give a seat, None: spectators, a new link; the old one leads nowhere from then on. UsageError where there is none."""
        path, match = self.table(name)
        handle = self._handles.pop(self.link_of(path.name, seat), None)
        if handle is None:
            raise UsageError(f"{path.name} has no link for seat {seat}.")
        what = f"{path.name}/{'watch' if seat is None else seat}"
        self._state.withdrawn[what] = self._state.withdrawn.get(what, 0) + 1
        self._handles[self.link_of(path.name, seat)] = handle
        self._ended_links.clear()
        self.served.save()
        match.tell()

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

    def ended(self, link: str) -> Ended | None:
        """Where the link of a match leads that is over and no longer in memory; None for any other link."""
        if len(link) > _LONGEST_LINK or link in self._handles:
            return None
        if len(self._ended_links) != len(self._rules) * (_MOST_SEATS + 1):
            places = [(name, seat) for name in self._rules for seat in (*range(_MOST_SEATS), None)]
            self._ended_links = {self.link_of(*place): Ended(self.folder / place[0], place[1]) for place in places}
        found = self._ended_links.get(link)
        return found if found is not None and self._state_of(found.path) is LogState.FINISHED else None

    def _state_of(self, path: Path) -> LogState | None:
        return summaries(path)[path.name].state if path.is_file() else None

    def seat_links(self, path: Path) -> dict[int, str]:
        """The links of a table's seats."""
        return {seat: link for link, (known, seat) in self._handles.items() if known == path and seat >= 0}

    def watch_link(self, path: Path) -> str:
        """The link of a table's spectators."""
        return self.link_of(path.name, None)

    def _new_handle(self, path: Path, seat: int) -> str:
        return self.link_of(path.name, seat)

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
        self._state.held.discard(path.name)
        self._opened(path)
        if isinstance(old, WebMatch):
            old.tell()
        return path

    async def hold(self, name: str) -> Path:
        """Pause a match for the host until somebody resumes it, after restarts too; its log. UsageError where there is none."""
        path, match = self.table(name)
        await match.pause()
        if not match.has_ended:
            match.is_held = True
            self._state.held.add(path.name)
            self.served.save()
        match.tell()
        return path

    async def go_on_with_all(self) -> None:
        """Go on with the matches that were open when the server stopped, but for those that the host had paused. `troubles`
        says which cannot, and why."""
        for name in [*self._rules]:
            if (state := self._state_of(self.folder / name)) is LogState.FINISHED:
                continue
            if state is None:
                del self._rules[name]
                continue
            was_held = name in self._state.held
            try:
                await self.go_on(name)
                if was_held:
                    await self.hold(name)
            except (TabletopError, OptionError) as refusal:
                self._trouble(name, str(refusal))
            except GameFault as fault:
                self._trouble(name, told_fault(fault))

    def _trouble(self, name: str, why: str) -> None:
        if self._state_of(self.folder / name) is not LogState.FINISHED:
            self.troubles[name] = why

    async def again(self, path: Path, seat: int | None) -> set[int]:
        """A person of a match, or None for the host, wants another: the same people and settings, seats rotated, a new deal.
        It begins once all people want it, or the host does. The seats that are still waited for. UsageError before the end."""
        spec, rules = self._played(path)
        if path.name in self._state.followed_by:
            return set()
        people = {place for place, one in enumerate(spec.seats) if isinstance(one.resolved(self.environment), Human)}
        if seat is not None:
            wanting = self._wants_another.setdefault(path, set())
            wanting.add(seat)
            if missing := people - wanting:
                self._tell(path)
                return missing
        self._state.followed_by[path.name] = ""
        try:
            new = await self.open(NewTable(spec.model_copy(update={"seed": None, "seats": _rotated(spec.seats)}), rules))
        except BaseException:
            del self._state.followed_by[path.name]
            raise
        self._state.followed_by[path.name] = new.name
        self.served.save()
        self._tell(path)
        return set()

    def _played(self, path: Path) -> tuple[MatchSpec, TableRules]:
        """What was played in a match, and by which rules of the table. UsageError for one that has not ended."""
        match = self._matches.get(path)
        if match.has_ended if match else path.name in self._rules and self._state_of(path) is LogState.FINISHED:
            rules = self._rules[path.name]
            if match is not None:
                return match.ready.spec, rules
            return MatchSpec.of_header(read_log(path).latest_header, {}, lambda name, value: f"{name}: {value!r:.60}"), rules
        raise UsageError("The match has not ended.")

    def wants_another(self, path: Path) -> list[int]:
        """The people of a match that has ended who want the next one."""
        return sorted(self._wants_another.get(path, ()))

    def _tell(self, path: Path) -> None:
        if path in self._matches:
            self._found(path).tell()

    def next_link(self, path: Path, seat: int | None) -> str | None:
        """The link of a person, None: of spectators, to the match that follows."""
        if not (name := self._state.followed_by.get(path.name)):
            return None
        if seat is None:
            return self.link_of(name, None)
        new = self.folder / name
        players = len(self._matches[new].ready.specs if new in self._matches else summaries(new)[name].names)
        return self.link_of(name, (seat + 1) % players)

    async def close(self) -> list[Path]:
        """Pause every match that is not over; their logs. A server of the same folder resumes them."""
        paused = await super().close()
        if self._lock is not None:
            self.served.save()
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
        self.served.save()


def _rotated(seats: Sequence[SeatSpec]) -> tuple[SeatSpec, ...]:
    return (*seats[-1:], *seats[:-1])


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
