"""Match host: the matches of one server, and the handles of their clients."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from games.core import seat_name
from runner.agents.environment import Settings
from runner.agents.named_spec import seat_spec
from runner.errors import UsageError
from runner.llm.budget import Budget
from runner.match.config import MatchConfig
from runner.prompting.pack import PromptPack
from runner.record.log_target import LOGS, LogTarget, NewLog, new_log_path
from runner.record.resume import open_to_resume
from runner.serve.client_seat import Answer, ClientSeat
from runner.serve.hosted_config import logged_config, new_config, resumed_log
from runner.serve.hosted_match import HostedMatch, MatchPlan
from runner.serve.seat_policy import SeatPolicy

MOST_MATCHES = 8
TURN_SECONDS = 1800.0
_MOST_KEPT = 100
"""Matches that are over or paused and still answer their clients."""


@dataclass(frozen=True, slots=True)
class HostLimits:
    """What clients of a server may use: the folder of logs, the seconds for an answer, matches at once, players, USD."""

    folder: Path = LOGS
    seconds: float = TURN_SECONDS
    matches: int = MOST_MATCHES
    policy: SeatPolicy = field(default_factory=SeatPolicy)
    usd: float | None = None


class MatchHost:
    """Begins and resumes matches, and finds the seat of a handle."""

    def __init__(self, settings: Settings, limits: HostLimits) -> None:
        self._settings = settings
        self._limits = limits
        self._pool = Budget(limits.usd)
        self._pack = PromptPack()
        self._matches: dict[Path, HostedMatch] = {}
        self._handles: dict[str, tuple[Path, int]] = {}
        self._beginning = 0

    async def begin(
        self, game: str, seats: Sequence[str], seed: int | None, options: Mapping[str, object], talk: bool
    ) -> Answer:
        """Begin a match: its id, the handle of each seat of a client, and its log. UsageError for what cannot be played."""
        self._check_room()
        specs = tuple(seat_spec(text, self._settings) for text in seats)
        self._limits.policy.check(specs, self._settings)
        config = new_config(game, specs, seed, options, talk, self._pack, self._settings)
        return await self._host(config, NewLog(new_log_path(config.game, self._limits.folder)))

    async def resume(self, name: str) -> Answer:
        """Resume a match of this server's folder of logs; the handles that this server gave for it stay valid.

        UsageError for a log that cannot be resumed, LogDamagedError for a damaged one.
        """
        self._check_room()
        path = self._path(name)
        if (known := self._matches.get(path)) is not None and known.is_running:
            raise _not_paused(path, known.has_ended)
        writer, log = open_to_resume(path)
        try:
            if log.result is not None:
                raise _not_paused(path, has_ended=True)
            specs = [seat_spec(seat["spec"], self._settings) for seat in log.latest_header["seats"]]
            self._limits.policy.check(specs, self._settings)
            config = logged_config(log.latest_header, self._pack, self._settings)
            hosted = await self._host(config, resumed_log(writer, log, config))
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

    async def _host(self, config: MatchConfig, target: LogTarget) -> Answer:
        plan = MatchPlan(config, target, self._pack, self._settings, self._limits.seconds, self._pool)
        match = HostedMatch(plan)
        self._beginning += 1
        try:
            await match.begin()
        finally:
            self._beginning -= 1
        self._matches.pop(target.path, None)
        self._matches[target.path] = match
        self._forget()
        return {"match": match.id, "handles": self._new_handles(target.path, match), "log": str(target.path)}

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
