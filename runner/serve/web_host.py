"""Web host: the tables of one folder of logs, and the secret links to their seats, which a restart does not change."""

from __future__ import annotations

import fcntl
import hmac
import os
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

from pydantic import ValidationError

import games
from games.core import GameFault, OptionError
from runner.agents.environment import Environment
from runner.agents.spec import HUMAN, Spec, is_given
from runner.errors import TabletopError, UsageError, told_fault
from runner.files import make_folder
from runner.record.log_folder import summaries
from runner.record.log_paths import journal_of
from runner.record.log_summary import LogState
from runner.record.reader import read_log
from runner.record.writer import balance
from runner.serve.hosted_match import HostedMatch
from runner.serve.match_host import HostLimits, MatchHost
from runner.serve.served_folder import ServedFolder
from runner.serve.sitting_down import Gathering, Sitter, seated
from runner.serve.web_match import FOR_SPECTATORS, TableRules, WebMatch
from runner.session.match_spec import MatchSpec, ReadyMatch
from runner.session.session import Source, new_log_path
from runner.validation import first_problem
from runner.worker_processes import ProcessPool

PLAY, AGAIN, GO_ON, WATCH = "play", "again", "go-on", "watch"
"""What a link may grant."""

_HOST = "host"
_MOST_SEATS = 16


class Grant(NamedTuple):
    """What a link allows at the table of a log: to `play` a seat, with what else its person may; to want another match
    (`again`) or to continue a paused one (`go-on`) in place of that person; or to `watch`, without a seat."""

    path: Path
    seat: int | None = None
    what: str = WATCH

    @property
    def name(self) -> str:
        """What a link follows from, with the key of the folder."""
        found = {PLAY: (self.seat,), WATCH: (WATCH,)}.get(self.what, (self.seat, self.what))
        return "/".join(map(str, (self.path.name, *found)))

    @property
    def own(self) -> int | None:
        """The seat whose view the link shows, None: that of spectators."""
        return self.seat if self.what == PLAY else None


class Place(NamedTuple):
    """Where a link leads: what it grants, and the match, None where it has ended and is no longer in memory."""

    grant: Grant
    match: WebMatch | None


@dataclass(frozen=True, slots=True)
class NewTable:
    """A match that is to begin, and how its table treats its people."""

    spec: MatchSpec
    rules: TableRules
    given: Mapping[str, Any] = field(default_factory=dict)

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
        whole = {**match, "options": parsed, "seats": tuple(seats) if isinstance(seats, list) else seats}
        return cls(MatchSpec.of(whole, lambda name, value: f"{name}: {value!r:.60}"), rules, match)


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
        self.troubles: dict[str, str] = {"": self.served.foreign} if self.served.foreign else {}
        self._wants_another: dict[Path, set[int]] = {}
        self._grants: dict[str, Grant] = {}
        self._enter(*self._rules)
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

    def _secret(self, what: str) -> str:
        """The secret of a link, 192 bits of a keyed hash (HMAC-SHA256, RFC 2104): the same after a restart."""
        if times := self._state.withdrawn.get(what):
            what += f"/{times}"
        return urlsafe_b64encode(hmac.digest(self._state.key.encode(), what.encode(), "sha256")[:24]).decode()

    def link(self, grant: Grant) -> str | None:
        """The link of a grant; None where the host has revoked it."""
        return None if grant.name in self._state.revoked else self._secret(grant.name)

    def _enter(self, *names: str) -> None:
        """Know the links of these logs' tables as they are now, and no earlier ones of them."""
        paths = {self.folder / name for name in names}
        seats = (Grant(path, seat, what) for path in paths for seat in range(_MOST_SEATS) for what in (PLAY, AGAIN, GO_ON))
        self._grants = {link: grant for link, grant in self._grants.items() if grant.path not in paths}
        self._grants |= {link: grant for grant in (*seats, *map(Grant, paths)) if (link := self.link(grant)) is not None}

    def withdraw(self, name: str, seat: int | None, what: str, *, is_renewed: bool) -> None:
        """Make a link lead nowhere. Is it renewed, there is a new one in its place. `seat` is None for spectators. UsageError
        where there is none."""
        path, match = self.table(name)
        grant = Grant(path, seat, WATCH if seat is None else what)
        if grant.what not in (PLAY, AGAIN, GO_ON, WATCH) or (seat is not None and seat not in match.ready.people):
            raise UsageError(f"{path.name} has no link for seat {seat} to {what:.20}.")
        (self._state.revoked.discard if is_renewed else self._state.revoked.add)(grant.name)
        self.renew(grant.name)
        self._enter(path.name)
        match.tell()

    def renew(self, what: str = _HOST) -> None:
        """Give the lobby, or what else a link follows from, a new link; the old one leads nowhere."""
        self._state.withdrawn[what] = self._state.withdrawn.get(what, 0) + 1
        self.served.save()

    @property
    def own_link(self) -> str:
        """The secret of the lobby."""
        return self._secret(_HOST)

    def is_host(self, link: str) -> bool:
        return hmac.compare_digest(link.encode(), self.own_link.encode())

    def place(self, link: str) -> Place:
        """Where a link leads. UsageError for one that leads nowhere."""
        grant = self._grants.get(link)
        match = self._matches.get(grant.path) if grant else None
        if grant is None or (match is None and self._state_of(grant.path) is not LogState.FINISHED):
            raise UsageError("This link leads to no table of this server.", remedy="Ask the host for a new one.")
        return Place(grant, cast("WebMatch | None", match))

    def allows(self, grant: Grant, what: str) -> bool:
        """Whether a link allows something, alone or with the play of its seat."""
        return grant.what == what or (grant.what == PLAY and self.link(grant._replace(what=what)) is not None)

    def check(self, grant: Grant, what: str) -> None:
        """UsageError for a link that does not allow something."""
        if not self.allows(grant, what):
            raise UsageError(FOR_SPECTATORS if grant.seat is None else f"The host has not allowed this link to {what:.20}.")

    def _state_of(self, path: Path) -> LogState | None:
        return summaries(path)[path.name].state if path.is_file() else None

    def seat_links(self, path: Path) -> dict[int, str]:
        """The links that play a table's seats."""
        found = {seat: self.link(Grant(path, seat, PLAY)) for seat in self._found(path).ready.people}
        return {seat: link for seat, link in found.items() if link is not None}

    def watch_link(self, path: Path) -> str:
        """The link of a table's spectators, empty where it is revoked."""
        return self.link(Grant(path)) or ""

    def _new_handles(self, path: Path, match: HostedMatch) -> dict[str, str]:
        return {}  # links follow from the key

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

    async def open(self, new: NewTable, sat: Mapping[int, Sitter] | None = None) -> Path:
        """Begin a match, once its people have sat down where the rules of the table say so; its log. `sat` are people who said
        before what they are called. UsageError or OptionError for what cannot be played."""
        path = new_log_path(games.load(new.spec.game), self.folder)
        self._rules[path.name] = new.rules
        if sat is not None or new.rules.gathers:
            self._state.gathering[path.name] = Gathering(match=dict(new.given), sat=dict(sat or {}))
        try:
            await self.begin(new.spec, path)
        except BaseException:
            self._drop(path.name)
            raise
        self._opened(path)
        return path

    def _drop(self, name: str) -> None:
        del self._rules[name]
        self._state.gathering.pop(name, None)

    async def sit(self, grant: Grant, sitter: Sitter) -> None:
        """A person takes a seat of a table that waits for its people; the last one begins the match. UsageError for a name that
        cannot be, and after the beginning."""
        self.check(grant, PLAY)
        if grant.path.name not in self._state.gathering or grant.seat is None:
            raise UsageError("The match has begun: names stay as they are.")
        self._state.gathering[grant.path.name].sat = self._found(grant.path).sit(grant.seat, sitter)
        await self.begin_gathered(grant.path.name, is_whole=False)

    async def begin_gathered(self, name: str, *, is_whole: bool = True) -> Path:
        """Begin the match of a table once all its people sit there, or as it is; its log. TabletopError if it cannot start."""
        path, match = self.table(name)
        if is_whole or not match.missing:
            self._check_room()
            await match.begin_gathered()
        self._opened(path)
        match.tell()
        return path

    async def go_on(self, name: str) -> Path:
        """Go on with a match that is paused, or that was played elsewhere; its log. TabletopError for one that cannot."""
        path, known = self.folder / Path(name).name, self._rules.get(name)
        old = self._matches.get(path)
        self._rules[name] = known or TableRules()
        try:
            await self.resume(name, {})
        except BaseException:
            if known is None:
                del self._rules[name]
            raise
        self._state.held.discard(path.name)
        self._opened(path)
        if isinstance(old, WebMatch):
            old.tell()
        return path

    async def hold(self, name: str) -> Path:
        """Pause a match for the host until somebody resumes it, after restarts too, or remove one whose people sit down; its
        log. UsageError where there is none."""
        path, match = self.table(name)
        if match.gathers:
            del self._matches[path]
            self._drop(path.name)
        else:
            await match.pause()
            if not match.has_ended:
                match.is_held = True
                self._state.held.add(path.name)
        self.served.save()
        match.tell()
        return path

    async def go_on_with_all(self) -> None:
        """Go on with matches that were open when the server stopped, but for paused ones. `troubles`: which cannot, and why."""
        for name in [*self._rules]:
            if (state := self._state_of(self.folder / name)) is LogState.FINISHED:
                continue
            was_held = name in self._state.held
            try:
                if state is not None:
                    await self.go_on(name)
                elif (kept := self._state.gathering.get(name)) is None:
                    del self._rules[name]
                else:
                    await self.begin(NewTable.of({"match": kept.match}).spec, self.folder / name)
                if was_held:
                    await self.hold(name)
            except (TabletopError, OptionError) as refusal:
                self._trouble(name, str(refusal))
            except GameFault as fault:
                self._trouble(name, told_fault(fault))

    def _trouble(self, name: str, why: str) -> None:
        if self._state_of(self.folder / name) is not LogState.FINISHED:
            self.troubles[name] = f"{name} cannot be resumed: {why}"

    async def again(self, path: Path, seat: int | None) -> set[int]:
        """A person of a match, or None for the host, wants another: the same people and settings, seats rotated, a new deal.
        It begins once all people want it, or the host does. The seats that are still waited for. UsageError before the end."""
        spec, rules, sat = self._played(path)
        if path.name in self._state.followed_by:
            return set()
        if seat is not None:
            wanting = self._wants_another.setdefault(path, set())
            wanting.add(seat)
            if missing := sat.keys() - wanting:
                self._tell(path)
                return missing
        self._state.followed_by[path.name] = ""
        turned = {(place + 1) % len(spec.seats): sitter for place, sitter in sat.items()}
        spec = spec.model_copy(update={"seed": None, "seats": (*spec.seats[-1:], *spec.seats[:-1])})
        try:
            new = await self.open(NewTable(spec, rules.model_copy(update={"gathers": False})), turned)
        except BaseException:
            del self._state.followed_by[path.name]
            raise
        self._state.followed_by[path.name] = new.name
        self.served.save()
        self._tell(path)
        return set()

    def _played(self, path: Path) -> tuple[MatchSpec, TableRules, dict[int, Sitter]]:
        """What was played in a match, by which rules of the table, and its people. UsageError for one that has not ended."""
        match = self._matches.get(path)
        if not (match.has_ended if match else path.name in self._rules and self._state_of(path) is LogState.FINISHED):
            raise UsageError("The match has not ended.")
        header = read_log(path).latest_header
        spec = MatchSpec.of_header(header, {}, lambda name, value: f"{name}: {value!r:.60}")
        given = [
            str(one["name"]) * is_given(str(one["name"]), seat.spec)
            for one, seat in zip(header["seats"], spec.seats, strict=True)
        ]
        seats = tuple(replace(seat, name=name) for seat, name in zip(spec.seats, given, strict=True))
        people = {
            place: Sitter(name=given[place], consent=one.get("consent", False))
            for place, one in enumerate(header["seats"])
            if one["kind"] == HUMAN
        }
        return spec.model_copy(update={"seats": seats}), self._rules[path.name], people

    def wants_another(self, path: Path) -> list[int]:
        """The people of a match that has ended who want the next one."""
        return sorted(self._wants_another.get(path, ()))

    def _tell(self, path: Path) -> None:
        if path in self._matches:
            self._found(path).tell()

    def next_link(self, grant: Grant) -> str | None:
        """The link to the match that follows, which grants the same."""
        if not (name := self._state.followed_by.get(grant.path.name)):
            return None
        if grant.seat is None:
            return self.link(Grant(self.folder / name))
        new = self.folder / name
        players = len(self._matches[new].ready.specs if new in self._matches else summaries(new)[name].names)
        return self.link(Grant(new, (grant.seat + 1) % players, grant.what))

    async def close(self) -> list[Path]:
        """Pause every match that is not over; their logs. A server of the same folder resumes them."""
        paused = await super().close()
        if self._lock is not None:
            self.served.save()
            os.close(self._lock)
            self._lock = None
        return paused

    def _new_match(self, found: ReadyMatch, source: Source) -> HostedMatch:
        rules, kept = self._rules[source.path.name], self._state.gathering.get(source.path.name)
        WebMatch.check(rules, found)
        match = WebMatch(seated(found, kept.sat) if kept else found, source, rules, self._pool, self._processes)
        match.sat = kept.sat if kept and rules.gathers else None
        return match

    def _opened(self, path: Path) -> None:
        self.troubles.pop(path.name, None)
        if not self._found(path).gathers:
            self._state.gathering.pop(path.name, None)
        self._enter(path.name)
        self.served.save()


def _locked(folder: Path) -> int:
    """The open folder, which no other server has. UsageError where one has."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise UsageError(f"Another `tabletop serve` has the folder {folder}: stop it first, or name another folder.") from error
    return handle
