"""Match host: the matches of one server, the handles of their clients, and the players that clients may name."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from games.core import quoted, seat_name
from runner.agents.environment import Environment
from runner.agents.spec import PACK, Bot, Endpoint, Mcp, Named, Offline, Spec, seat_spec
from runner.errors import UsageError, shortened
from runner.llm.budget import Budget
from runner.llm.request import OPENROUTER
from runner.record.log_paths import LOGS
from runner.record.resume import open_to_resume
from runner.serve.hosted_match import Answer, ClientSeat, HostedMatch
from runner.session.match_spec import Before, MatchSpec, ReadyMatch, ready
from runner.session.session import Resumed, Source, new_log_path

RULES = "rules"
"""The option of a client that names the preset of rules."""

_MOST_KEPT = 100
"""Matches that are over or paused and still answer their clients."""


@dataclass(frozen=True, slots=True)
class SeatPolicy:
    """Clients may name bots, the offline model and `mcp`, which cost nothing and start nothing. `has_budget` adds models of
    OpenRouter and agents of agents.toml. `allowed` are further SPECs, each exactly as a client gives it: addresses, programs,
    Python functions, prompt packs, searching bots with a number of playouts. `asked` is the kind of seat that a client plays;
    `needs_client`: each match has one."""

    allowed: frozenset[str] = frozenset()
    has_budget: bool = False
    asked: type[Spec] = Mcp
    needs_client: bool = True

    @classmethod
    def of(cls, allowed: Sequence[str], has_budget: bool, environment: Environment, asked: type[Spec] = Mcp) -> SeatPolicy:
        """The policy of a command line. UsageError for a seat that costs money without a budget."""
        for text in allowed:
            if not has_budget and _is_paid(seat_spec(text, environment), environment):
                raise UsageError(f"--allow-seat {text} costs money: add --budget USD, the most that all matches may cost.")
        return cls(frozenset(allowed), has_budget, asked, needs_client=asked is Mcp)

    def check(self, specs: Sequence[Spec], environment: Environment, prompts: Path | None = None) -> None:
        """UsageError for a player or a prompt pack that a client may not name, and where no seat is a client's."""
        if prompts is not None and (allowed := f"{PACK}{prompts}") not in self.allowed:
            raise UsageError(
                f"The prompts cannot be {quoted(str(prompts))}: this server reads its own.",
                remedy=f"The person who starts it can allow more, with --allow-seat {allowed}.",
            )
        for seat, spec in enumerate(specs):
            if not self._allows(spec, environment):
                shown = shortened(spec.text)
                flag = "--budget USD" if _is_paid(spec, environment) and spec.pack is None else f"--allow-seat {shown}"
                raise UsageError(
                    f"{seat_name(seat)} cannot be {quoted(spec.text)}: this server lets clients seat bots, offline and"
                    f" {self.asked.kind}.",
                    remedy=f"The person who starts it can allow more, with {flag}.",
                )
        if self.needs_client and not any(isinstance(spec, self.asked) for spec in specs):
            raise UsageError("No seat is mcp: name it for each seat that a client plays.")

    def _allows(self, spec: Spec, environment: Environment) -> bool:
        if spec.text in self.allowed:
            return True
        if spec.pack is not None:
            return False
        if isinstance(spec, Bot):
            return ":" not in spec.name  # one with a number may compute for long
        is_offline = isinstance(spec, Named) and spec.name in environment.agents and environment.agents[spec.name].is_offline
        return is_offline or isinstance(spec, self.asked | Offline) or (self.has_budget and _is_paid(spec, environment))


def _is_paid(spec: Spec, environment: Environment) -> bool:
    """Whether a SPEC is a model of OpenRouter, or an agent of agents.toml whose model is not of this machine."""
    if isinstance(spec, Endpoint):
        return spec.url in (None, OPENROUTER)
    entry = environment.agents.get(spec.name) if isinstance(spec, Named) else None
    return entry is not None and not (entry.is_offline or entry.local_path)


@dataclass(frozen=True, slots=True)
class HostLimits:
    """What clients of a server may use: the folder of logs, the seconds for an answer, matches at once, players, USD."""

    folder: Path = LOGS
    seconds: float | None = 1800.0
    matches: int = 8
    policy: SeatPolicy = field(default_factory=SeatPolicy)
    usd: float | None = None


class MatchHost:
    """Begins and resumes matches, and finds the seat of a handle."""

    def __init__(self, environment: Environment, limits: HostLimits) -> None:
        self._environment = environment
        self._limits = limits
        self._pool = Budget(limits.usd)
        self._matches: dict[Path, HostedMatch] = {}
        self._handles: dict[str, tuple[Path, int]] = {}
        self._beginning = 0

    async def begin(self, spec: MatchSpec, path: Path | None = None) -> Answer:
        """Begin a match: its id, the handle of each seat of a client, and its log. UsageError for what cannot be played. A
        preset may be among the options of the game. `path` is a new log; None: one in the folder of logs."""
        self._check_room()
        self._check_allowed(spec)
        preset, options = split_options(spec.options)
        found = {"players": spec.players or len(spec.seats), "rules": spec.rules or preset, "options": options}
        match = ready(spec.model_copy(update=found), self._environment, asks=(self._limits.policy.asked,))
        return await self._host(match, Source(path or new_log_path(match.config.game, self._limits.folder)))

    async def resume(self, name: str, changes: Mapping[str, object]) -> Answer:
        """Resume a match of this server's folder of logs, with settings that change by name; the handles that this server gave
        for it stay valid. UsageError for a log that cannot be resumed, LogDamagedError for a damaged one."""
        self._check_room()
        path = self._path(name)
        if (known := self._matches.get(path)) is not None and known.is_running:
            raise _not_paused(path, known.has_ended)
        writer, log = open_to_resume(path)
        try:
            if log.result is not None:
                raise _not_paused(path, has_ended=True)
            header = log.latest_header
            spec = MatchSpec.of_header(header, changes, lambda setting, value: f"{setting}: {quoted(value)}")
            self._check_allowed(spec)
            before = Before(header, range(len(spec.seats)))  # the policy says what clients may reach
            match = ready(spec, self._environment, asks=(self._limits.policy.asked,), before=before)
            hosted = await self._host(match, Resumed.of(writer, log, match))
            return {**hosted, "match": log.header.get("match", "")}
        except BaseException:
            writer.close()
            raise

    def seat(self, handle: str) -> tuple[HostedMatch, ClientSeat]:
        """The match and the seat of a handle. UsageError for a handle that this server did not give."""
        if handle not in self._handles:
            raise UsageError("This server has no seat with that handle.", remedy="new_match gives handles.")
        path, seat = self._handles[handle]
        return self._matches[path], self._matches[path].seats[seat]

    async def close(self) -> list[Path]:
        """Pause every match that is not over; their logs."""
        running = {path: match for path, match in self._matches.items() if match.is_running}
        for match in running.values():
            await match.pause()
        return [path for path, match in running.items() if not match.has_ended]

    def _check_allowed(self, spec: MatchSpec) -> None:
        specs = [seat.resolved(self._environment) for seat in spec.seats]
        self._limits.policy.check(specs, self._environment, spec.prompts)

    async def _host(self, found: ReadyMatch, source: Source) -> Answer:
        match = self._new_match(found, source)
        self._beginning += 1
        try:
            await match.begin()
        finally:
            self._beginning -= 1
        self._matches.pop(source.path, None)
        self._matches[source.path] = match
        self._forget()
        return {"match": match.id, "handles": self._new_handles(source.path, match), "log": str(source.path)}

    def _new_match(self, found: ReadyMatch, source: Source) -> HostedMatch:
        return HostedMatch(found, source, self._limits.seconds, self._pool)

    def _new_handles(self, path: Path, match: HostedMatch) -> dict[str, str]:
        """A handle for each seat of a client; none where this server gave them already."""
        if any(known == path for known, _ in self._handles.values()):
            return {}
        given = {seat: secrets.token_urlsafe(24) for seat in match.seats}
        self._handles |= {handle: (path, seat) for seat, handle in given.items()}
        return {seat_name(seat): handle for seat, handle in given.items()}

    def _check_room(self) -> None:
        running = self._beginning + sum(match.is_running and not match.has_ended for match in self._matches.values())
        if running >= self._limits.matches:
            raise UsageError(f"{running} matches are being played, the most that this server plays at once: finish one first.")

    def _forget(self) -> None:
        """Drop the matches that stopped longest ago, beyond those that are kept, with their handles."""
        stopped = [path for path, match in self._matches.items() if not match.is_running]
        for path in stopped[: max(0, len(stopped) - _MOST_KEPT)]:
            del self._matches[path]
            self._handles = {handle: seat for handle, seat in self._handles.items() if seat[0] != path}

    def _path(self, name: str) -> Path:
        """The log of a name, or of a path that new_match gave. UsageError for any other place."""
        path = self._limits.folder / Path(name).name
        if name not in (path.name, str(path)) or not path.is_file():
            raise UsageError(f"There is no log {name} in this server's folder: name the file alone.")
        return path


def _not_paused(log: Path, has_ended: bool) -> UsageError:
    return UsageError(f"The match in {log.name} {'has ended' if has_ended else 'is being played'}: there is nothing to resume.")


def split_options(options: Mapping[str, object]) -> tuple[str | None, dict[str, object]]:
    """The preset that a client's options name, and the other options."""
    preset = options.get(RULES)
    return None if preset is None else str(preset), {name: value for name, value in options.items() if name != RULES}
