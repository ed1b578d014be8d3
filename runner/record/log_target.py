"""Where a match is logged, and what of it is logged already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from runner.record.dedup import Sharer, references
from runner.record.hash_chain import Record
from runner.record.reader import Log
from runner.record.resume_cursor import Known
from runner.record.writer import LogWriter


class LogSource(Protocol):
    """A log to be written, which is touched only when everything else is ready."""

    known: Known

    def open(self) -> LogWriter:
        """The writer of the log. UsageError when it cannot be had."""

    @property
    def path(self) -> Path:
        """The log's file."""


@dataclass
class NewLog:
    """A log that does not exist yet."""

    path: Path
    known: Known = field(default_factory=Known)

    def open(self) -> LogWriter:
        """Make the file."""
        return LogWriter(self.path)


@dataclass
class TakenUpLog:
    """A log that goes on where it ended. `writer` holds its lock already; `note` says in it that the match went on."""

    writer: LogWriter
    log: Log
    note: Record

    def __post_init__(self) -> None:
        self.known = Known.of(self.log.header, self.log.records)

    @property
    def path(self) -> Path:
        """The log's file."""
        return self.log.path

    def open(self) -> LogWriter:
        """Cut off what was not written to its end, and say that the match goes on."""
        self.writer.take_up(self.log.last, self.log.shared, self.log.size)
        self.writer.append(self.note)
        return self.writer


@dataclass
class ForkedLog:
    """A new log that begins with records of another one."""

    path: Path
    header: Record
    kept: list[tuple[int, Record]]
    shared: Mapping[str, Any]

    def __post_init__(self) -> None:
        self.known = Known.of(self.header, self.kept)

    def open(self) -> LogWriter:
        """Make the file and copy into it."""
        writer = LogWriter(self.path)
        writer.append(self.header)
        for record in self._copied(writer.share):
            writer.append(record)
        return writer

    def _copied(self, share: Sharer) -> Iterator[Record]:
        for _, record in self.kept:
            for name in references(record):
                if share.adopt(name):
                    yield {"kind": "shared", "name": name, "value": self.shared[name]}
            yield record
