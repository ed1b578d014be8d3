"""Line index: the offset of every line of a log, so that a long log opens at once and records are read when needed."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

from runner.errors import LogDamagedError, UsageError, in_log
from runner.match.records import Record, SharedRecord
from runner.record.decision_lines import DecisionGrouping, DecisionLines
from runner.record.hash_chain import UnsoundLineError, unseal
from runner.record.reader import LogTornError, read_header
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
        self.header, _ = read_header(file.readline().rstrip(b"\n"))
        self._offsets.append(file.tell())
        self._scan()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read through a log once. UsageError when there is none, LogDamagedError when it has no sound header."""
        try:
            with in_log(path):
                return cls(path.open("rb"), path)
        except OSError as error:
            raise UsageError(f"The log {path} cannot be read: {error.strerror}.") from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def record(self, line: int) -> Record:
        """The record on a line. LogDamagedError when the line is unsound."""
        return cast(Record, self._unsealed(line))

    def shared_value(self, line: int) -> object:
        """The value of a `shared` record."""
        return cast(SharedRecord, self._unsealed(line))["value"]

    def _unsealed(self, line: int) -> dict[str, Any]:
        before = self._raw(line - 1)[_HASH].decode("ascii", "replace") if line > 1 else ""
        try:
            return unseal(self._raw(line), before)[0]
        except UnsoundLineError as error:
            raise LogDamagedError(line, f"{error}.") from error

    def _raw(self, line: int) -> bytes:
        """A line as it stands in the file, without its newline."""
        start, end = self._offsets[line - 1], self._offsets[line]
        return os.pread(self._file.fileno(), end - start - 1, start)

    def _scan(self) -> None:
        offset, grouping = self._offsets[1], DecisionGrouping()
        for number, raw in enumerate(self._file, _FIRST):
            line = scan_line(number, raw)
            if line is None or not raw.endswith(b"\n"):
                is_whole = raw.endswith(b"\n")
                self.damage = LogDamagedError(number, "the line is no record of a log.") if is_whole else LogTornError(number)
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
