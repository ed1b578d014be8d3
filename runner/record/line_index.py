"""A log as a table of line offsets: long ones open at once, and a record is read when it is wanted."""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Self

from runner.errors import LogDamagedError, UsageError, in_log
from runner.record.dedup import expand, expand_text
from runner.record.hash_chain import Record, UnsoundLineError, unseal
from runner.record.reader import LogTornError, read_header

_KIND = re.compile(rb'\{"kind":"([a-z_]+)"(?:,"(?:question|name)":"?(\w+)"?)?(?:,"seat":(\d+))?(?:,"how":"(\w+)")?')
_MISTAKE = b'"outcome":"mistake"'
_HASH = slice(-34, -2)
_FIRST = 2


@dataclass(slots=True)
class Decided:
    """Where a decision stands: its line, the lines of its question and attempts, and what is marked about it."""

    line: int
    seat: int
    how: str
    question: int | None = None
    attempts: list[int] = field(default_factory=list)
    strikes: int = 0
    marks: list[int] = field(default_factory=list)


class LogIndex:
    """The lines of a log by number, and its decisions in order. `damage` is where the log stops making sense, if it does."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self.path = path
        self.decisions: list[Decided] = []
        self.result_line: int | None = None
        self.damage: LogDamagedError | None = None
        self.shared = _Shared(self)
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
        """Let the file go."""
        self._file.close()

    def record(self, number: int) -> Record:
        """The record on a line. LogDamagedError when the line is unsound."""
        before = self.raw(number - 1)[_HASH].decode("ascii", "replace") if number > 1 else ""
        try:
            return unseal(self.raw(number), before)[0]
        except UnsoundLineError as error:
            raise LogDamagedError(number, f"{error}.") from error

    def raw(self, number: int) -> bytes:
        """A line as it stands in the file, without its end."""
        start, end = self._offsets[number - 1], self._offsets[number]
        return os.pread(self._file.fileno(), end - start - 1, start)

    def expand(self, data: Any) -> Any:
        """Data of a record with what it shares put in."""
        return expand(data, self.shared)

    def messages(self, attempt: Record) -> list[dict[str, str]]:
        """The exact messages that an attempt sent; none where no model was asked."""
        body = attempt.get("request") or {}
        return [{**m, "content": expand_text(m["content"], self.shared)} for m in body.get("messages", ())]

    def _scan(self) -> None:
        offset, asked = self._offsets[1], dict[int, Decided]()
        for number, line in enumerate(self._file, _FIRST):
            found = _KIND.match(line)
            if found is None or not line.endswith(b"\n"):
                cut = not line.endswith(b"\n")
                self.damage = LogTornError(number) if cut else LogDamagedError(number, "the line is no record of a log.")
                return
            offset += len(line)
            self._offsets.append(offset)
            self._note(number, line, found, asked)

    def _note(self, number: int, line: bytes, found: re.Match[bytes], asked: dict[int, Decided]) -> None:
        kind, name, seat, how = found.groups()
        who = int(seat) if seat else 0
        if kind == b"shared" and name:
            self.shared.lines[name.decode()] = number
        elif kind == b"question":
            asked[who] = Decided(0, who, "", number)
        elif kind == b"attempt" and who in asked:
            asked[who].attempts.append(number)
            asked[who].strikes += _MISTAKE in line
        elif kind == b"decision":
            decided = asked.pop(who, None) or Decided(0, who, "")
            decided.line, decided.how = number, (how or b"").decode()
            self.decisions.append(decided)
        elif kind == b"moot":
            asked.pop(who, None)
        elif kind == b"result":
            self.result_line = number
        elif kind in (b"pause", b"resumed") and self.decisions:
            self.decisions[-1].marks.append(number)


class _Shared(Mapping[str, Any]):
    """The shared values of a log by name, read when they are wanted."""

    def __init__(self, index: LogIndex) -> None:
        self.lines: dict[str, int] = {}
        self._index = index

    def __getitem__(self, name: str) -> Any:
        return self._index.record(self.lines[name])["value"]

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)
