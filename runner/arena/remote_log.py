"""Remote log: the log of a worker without access to the tournament's disk, sent there before the match acts on it."""

from __future__ import annotations

from pathlib import Path

from runner.arena.limits_client import LimitsClient
from runner.arena.messages import Logged
from runner.errors import PausedError
from runner.record.log_sink import LogSink
from runner.record.writer import LogWriter


class RemoteLogSink(LogSink):
    """Writes a local log and copies it to the tournament's disk at each `sync`."""

    def __init__(self, log: LogWriter, name: str, limits: LimitsClient) -> None:
        super().__init__(log)
        self._path, self._name, self._limits = log.path, name, limits
        self._sent = 0

    async def sync(self) -> None:
        """Wait until all of it is on the tournament's disk."""
        if lines := self._rest():
            at = self._sent
            self._sent += len(lines)
            try:
                await self._limits.ask(lambda number: Logged(self._name, at, lines, number))
            except PausedError:
                self._sent = min(self._sent, at)  # later lines would leave a gap
                raise

    def send_rest(self) -> None:
        """Send what was written since the last `sync`, without waiting."""
        if lines := self._rest():
            self._limits.send(Logged(self._name, self._sent, lines, None))

    def _rest(self) -> bytes:
        return _from(self._path, self._sent)


def _from(path: Path, start: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read()
