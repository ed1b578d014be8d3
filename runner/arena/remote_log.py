"""Logs of a worker that shares no disk with the tournament: sent on before anything is made of what they say."""

from __future__ import annotations

from pathlib import Path

from runner.arena.limits_client import Counter
from runner.arena.messages import Logged
from runner.record.recorder import Recorder
from runner.record.resume_cursor import Known
from runner.record.writer import LogWriter


class SendingRecorder(Recorder):
    """Writes a log here, and brings it up to date on the tournament's disk whenever it is to be on the disk."""

    def __init__(self, log: LogWriter, known: Known, name: str, counter: Counter) -> None:
        super().__init__(log, known)
        self._path, self._name, self._counter = log.path, name, counter
        self._sent = 0

    async def sync(self) -> None:
        """Wait until all of it is on the tournament's disk."""
        if lines := self._rest():
            at = self._sent
            self._sent += len(lines)
            await self._counter.ask(lambda number: Logged(self._name, at, lines, number))

    def send_rest(self) -> None:
        """Send what has been written since, without waiting."""
        if lines := self._rest():
            self._counter.send(Logged(self._name, self._sent, lines, None))

    def _rest(self) -> bytes:
        return _from(self._path, self._sent)


def _from(path: Path, start: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read()
