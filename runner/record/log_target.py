"""Log targets: the log that a match is written to: a new one, one that is resumed, or a fork of another."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from games.core import Game
from runner.errors import TabletopError
from runner.match.events import Sink
from runner.match.header import HeaderRecord
from runner.match.records import Record, ResumedRecord
from runner.record.dedup import references
from runner.record.reader import Log
from runner.record.resume_cursor import ResumeCursor
from runner.record.resume_sink import Recall, ResumeSink
from runner.record.writer import LogWriter

LOGS = Path("logs")
"""The default folder of new logs."""


def new_log_path(game: Game, folder: Path) -> Path:
    """The log file of a new match. Its name is printed where the seed must not be, so it has no seed."""
    return folder / f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}-{uuid4().hex[:8]}.jsonl"


class LogTarget(Protocol):
    """A log to be written, which is touched only when everything else is ready."""

    @property
    def path(self) -> Path:
        """The log's file."""

    @property
    def cursor(self) -> ResumeCursor:
        """The records that the log already holds."""

    @property
    def first(self) -> HeaderRecord | ResumedRecord | None:
        """The record that screens begin with; None for a match that starts from its deal."""

    def open(self) -> LogWriter:
        """The writer of the log. UsageError when it cannot be opened."""


@dataclass
class NewLog:
    """A log that does not exist yet."""

    path: Path
    cursor: ResumeCursor = field(default_factory=ResumeCursor)
    first: None = None

    def open(self) -> LogWriter:
        """Create the file."""
        return LogWriter(self.path)


@dataclass
class ResumedLog:
    """A log that continues where it ended. `writer` holds its lock already; `first` is the record that it was resumed."""

    writer: LogWriter
    log: Log
    first: ResumedRecord

    def __post_init__(self) -> None:
        self.cursor = ResumeCursor.of(self.log.header, [*self.log.records, (0, self.first)])

    @property
    def path(self) -> Path:
        """The log's file."""
        return self.log.path

    def open(self) -> LogWriter:
        """Cut off an incomplete last line, and write that the match was resumed. TabletopError leaves the log unlocked."""
        try:
            self.writer.resume_after(self.log)
            self.writer.append(self.first)
        except TabletopError:
            self.writer.close()
            raise
        return self.writer


@dataclass
class ForkedLog:
    """A new log that begins with records of another one."""

    path: Path
    first: HeaderRecord
    kept: Sequence[tuple[int, Record]]
    shared: Mapping[str, object]

    def __post_init__(self) -> None:
        self.cursor = ResumeCursor.of(self.first, self.kept)

    def open(self) -> LogWriter:
        """Create the file and copy the records into it. TabletopError leaves no file."""
        writer = LogWriter(self.path)
        try:
            self._copy_to(writer)
        except TabletopError:
            writer.close()
            self.path.unlink(missing_ok=True)
            raise
        return writer

    def _copy_to(self, writer: LogWriter) -> None:
        writer.append(self.first)
        for _, record in self.kept:
            for name in references(record):
                if name in self.shared:  # the view of a built-in bot stands nowhere
                    writer.shared.add(name, self.shared[name])
            if record["kind"] == "phase":
                writer.append(record)
            else:
                writer.append_as_is(record)


def sinks_of(target: LogTarget, log: Sink, screens: Sequence[Sink], recall: Recall | None = None) -> list[Sink]:
    """The sinks of a match that writes to `target`. What is in the log already reaches `recall` alone."""
    if target.first is None:
        return [log, *screens]
    return [ResumeSink(target.cursor, target.first, log, screens, recall)]
