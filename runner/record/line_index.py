"""Line index: the offset of every line of a log, so that a long log opens at once and records are read when needed."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

from runner.errors import LogDamagedError, in_log
from runner.match.records import Record, SharedRecord
from runner.record.decision_lines import DecisionGrouping, DecisionLines
from runner.record.hash_chain import UnsoundLineError
from runner.record.reader import lines_of, open_log, read_start, whole_line
from runner.record.record_reader import read_record
from runner.record.scan import ScannedLine, scan_line

_HASH = slice(-34, -2)
_FIRST = 2


class LogIndex:
    """The lines of a log by number, and its decisions in order. `damage` is the first line that is no record, if any."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self.path = path
        self.decisions: list[DecisionLines] = []
        self.has_result = False
        self.damage: LogDamagedError | None = None
        self.shared = _SharedValues(self)
        self._file = file
        self._offsets = array("Q", [0])
        self.header = read_start(path, file).header
        self._offsets.append(file.tell())
        self._scan()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read through a log once. UsageError when there is none, LogDamagedError when it has no sound header."""
        file = open_log(path)
        try:
            with in_log(path):
                return cls(file, path)
        except LogDamagedError:
            file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def record(self, line: int) -> Record:
        """The record on a line. LogDamagedError when the line is unsound."""
        return cast(Record, self._read(line))

    def shared_value(self, line: int) -> object:
        """The value of a `shared` record."""
        return cast(SharedRecord, self._read(line))["value"]

    def _read(self, line: int) -> dict[str, Any]:
        before = self._raw(line - 1)[_HASH].decode("ascii", "replace")
        sizes = _SharedSizes(self, line)
        try:
            return read_record(self._raw(line), before, self.header["players"], sizes).record
        except UnsoundLineError as error:
            raise LogDamagedError(line, f"{error}.") from error

    def _raw(self, line: int) -> bytes:
        """A line as it stands in the file, without its newline."""
        start, end = self._offsets[line - 1], self._offsets[line]
        return os.pread(self._file.fileno(), end - start - 1, start)

    def _scan(self) -> None:
        offset, grouping = self._offsets[1], DecisionGrouping()
        for number, raw in enumerate(lines_of(self._file), _FIRST):
            try:
                line = scan_line(number, whole_line(number, raw))
            except LogDamagedError as damage:
                self.damage = damage
                return
            offset += len(raw)
            self._offsets.append(offset)
            self._add(line, grouping)

    def _add(self, line: ScannedLine, grouping: DecisionGrouping) -> None:
        if line.kind == "shared" and line.name:
            self.shared.lines[line.name] = line.number
        elif line.kind == "result":
            self.has_result = True
        elif decision := grouping.take(line.number, line.kind, line.seat or 0, line.is_mistake):
            self.decisions.append(decision)

    def size(self, line: int) -> int:
        """The bytes of a line, its newline included."""
        return self._offsets[line] - self._offsets[line - 1]


class _SharedValues(Mapping[str, object]):
    """The shared values of a log by name, each read when it is used."""

    def __init__(self, index: LogIndex) -> None:
        self.lines: dict[str, int] = {}
        self._index = index

    def __getitem__(self, name: str) -> object:
        return self._index.shared_value(self.lines[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)


class _SharedSizes(Mapping[str, int]):
    """The bytes of the shared values of a log by name, of those before a line."""

    def __init__(self, index: LogIndex, before: int) -> None:
        self._index = index
        self._before = before

    def __getitem__(self, name: str) -> int:
        line = self._index.shared.lines[name]
        if line >= self._before:
            raise KeyError(name)
        return self._index.size(line)

    def __iter__(self) -> Iterator[str]:
        return (name for name, line in self._index.shared.lines.items() if line < self._before)

    def __len__(self) -> int:
        return sum(1 for _ in self)
