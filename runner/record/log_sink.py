"""Log sinks: they write the events of a match to its log, and the replies alone to a recording."""

from __future__ import annotations

from runner.match.events import MatchEvent
from runner.match.records import Record
from runner.record.bot_questions import as_logged
from runner.record.reader import RECORDING
from runner.record.writer import LogWriter


class LogSink:
    """Writes every record of a match to its log."""

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer

    async def emit(self, event: MatchEvent) -> None:
        """Write a record. PausedError when the disk does not take it.

        A match whose header was not written has no log, and no pause is written to it.
        """
        if event.record["kind"] == "pause" and self._writer.is_empty:
            return
        self._append(event.record if self._writer.schema == 1 else as_logged(event))
        if event.is_durable:
            await self.sync()

    def _append(self, record: Record) -> None:
        self._writer.append(record)

    async def sync(self) -> None:
        """Wait until all of it is on the disk."""
        await self._writer.sync()


class RecordingLogSink(LogSink):
    """Also writes the header and the attempts to a recording of replies, in the order of the log."""

    def __init__(self, writer: LogWriter, recording: LogWriter) -> None:
        super().__init__(writer)
        self._recording = recording

    def _append(self, record: Record) -> None:
        super()._append(record)
        if record["kind"] == "header":
            self._recording.append_as_is({**record, "kind": RECORDING})
        elif record["kind"] == "attempt":
            self._recording.append(record)

    async def sync(self) -> None:
        """Wait until all of it is on the disk, in both files."""
        await super().sync()
        await self._recording.sync()
