"""Log sinks: they write the events of a match to its log, or the replies alone to a recording."""

from __future__ import annotations

from runner.match.events import MatchEvent
from runner.record.reader import RECORDING
from runner.record.writer import LogWriter


class LogSink:
    """Writes every record of a match to its log."""

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer

    async def emit(self, event: MatchEvent) -> None:
        """Write a record. PausedError when the disk does not take it."""
        self._writer.append(event.record)
        if event.is_durable:
            await self.sync()

    async def sync(self) -> None:
        """Wait until all of it is on the disk."""
        await self._writer.sync()


class RecordingSink:
    """Writes the header and the attempts of a match to a recording of replies."""

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer

    async def emit(self, event: MatchEvent) -> None:
        """Write a record that belongs in a recording."""
        if event.record["kind"] == "header":
            self._writer.append_as_is({**event.record, "kind": RECORDING})
        elif event.record["kind"] == "attempt":
            self._writer.append(event.record)
        if event.is_durable:
            await self._writer.sync()
