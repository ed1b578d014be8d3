"""Log reader: a whole log in memory, the hash of every line checked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, cast, overload

from runner.errors import LogDamagedError, UsageError, in_log
from runner.match.header import SCHEMA, HeaderRecord
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, Record, ResultRecord, ResumedRecord
from runner.record.dedup import expand, expand_messages
from runner.record.hash_chain import FIRST, UnsoundLineError, unseal

RECORDING = "recording"
_CHANGEABLE = ("seats", "prompts", "budget", "hopeless")
"""What of a header can change when a match is resumed."""

"""The kind of the first line of a recording of replies, which is otherwise that of a log."""


class LogTornError(LogDamagedError):
    """The last line was not written to its end."""

    def __init__(self, line: int) -> None:
        super().__init__(line, "the last line is cut short; the lines before it are sound.")


class RecordSource(Protocol):
    """A log whose records are read by line number: a `Log` in memory, or a `LogIndex` over its file."""

    @property
    def shared(self) -> Mapping[str, object]:
        """The shared values by name."""

    def record(self, line: int) -> Record:
        """The record on a line. LogDamagedError when the line is unsound."""


@dataclass(slots=True)
class Log:
    """A log in memory: records with their line numbers, and the values they share.

    `first` and `last` are the hashes of its first and its last line, `size` its length in bytes up to there.
    """

    path: Path
    header: HeaderRecord
    first: str
    records: list[tuple[int, Record]] = field(default_factory=list)
    shared: dict[str, object] = field(default_factory=dict)
    last: str = FIRST
    size: int = 0
    damage: LogDamagedError | None = None

    def take(self, number: int, line: bytes) -> None:
        """Add a line (without its newline). LogDamagedError when it is unsound."""
        try:
            record, self.last = unseal(line, self.last)
        except UnsoundLineError as error:
            raise LogDamagedError(number, f"{error}.") from error
        self.size += len(line) + 1
        if record["kind"] == "shared":
            self.shared[record["name"]] = record["value"]
        else:
            self.records.append((number, cast(Record, record)))

    @property
    def is_torn(self) -> bool:
        """Whether nothing is wrong but that the last line was not written to its end."""
        return isinstance(self.damage, LogTornError)

    @property
    def result(self) -> ResultRecord | None:
        """The record of the result; None when the match has not ended."""
        return next((record for _, record in reversed(self.records) if record["kind"] == "result"), None)

    @property
    def latest_header(self) -> HeaderRecord:
        """The header, with the seats, prompts, budget and rule for hopeless seats that changed when the match was resumed."""
        latest = self.header.copy()
        for _, record in self.of_kind("resumed"):
            changed = {name: value for name, value in record.items() if name in _CHANGEABLE}
            latest.update(cast(HeaderRecord, changed))
        return latest

    @overload
    def of_kind(self, kind: Literal["question"]) -> Iterator[tuple[int, QuestionRecord]]: ...
    @overload
    def of_kind(self, kind: Literal["attempt"]) -> Iterator[tuple[int, AttemptRecord]]: ...
    @overload
    def of_kind(self, kind: Literal["decision"]) -> Iterator[tuple[int, DecisionRecord]]: ...
    @overload
    def of_kind(self, kind: Literal["resumed"]) -> Iterator[tuple[int, ResumedRecord]]: ...
    @overload
    def of_kind(self, kind: str) -> Iterator[tuple[int, Record]]: ...
    def of_kind(self, kind: str) -> Iterator[tuple[int, Record]]:
        """The records of a kind, with their line numbers."""
        return ((line, record) for line, record in self.records if record["kind"] == kind)

    def record(self, line: int) -> Record:
        """The record on a line."""
        return self.records[bisect_left(self.records, line, key=lambda entry: entry[0])][1]

    def expand(self, data: object) -> Any:
        """Data of a record with its references resolved."""
        return expand(data, self.shared)

    def messages(self, attempt: AttemptRecord) -> list[dict[str, str]]:
        """The exact messages that an attempt sent; none where no model was asked."""
        return expand_messages(attempt, self.shared)


def read_log(path: Path) -> Log:
    """The log in a file. UsageError when there is none, LogDamagedError at the first unsound line."""
    log = read_sound_part(path)
    if log.damage is not None:
        raise log.damage
    return log


def read_sound_part(path: Path, kinds: Sequence[str] = ("header",)) -> Log:
    """The log in a file up to where it is damaged, and the damage. LogDamagedError when not even the header is sound."""
    raw = read_bytes(path)
    lines = raw.split(b"\n")
    torn = lines.pop()
    with in_log(path):
        if not lines:
            raise LogDamagedError(1, "the file is empty." if not raw else "the header is cut short.")
        header, first = read_header(lines[0], kinds)
    log = Log(path, header, first, last=first, size=len(lines[0]) + 1)
    for number, line in enumerate(lines[1:], 2):
        try:
            log.take(number, line)
        except LogDamagedError as damage:
            damage.path, log.damage = path, damage
            return log
    if torn:
        log.damage = LogTornError(len(lines) + 1)
        log.damage.path = path
    return log


def read_bytes(path: Path) -> bytes:
    """All of a file. UsageError when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"The log {path} cannot be read: {error.strerror}.") from error


def read_header(line: bytes, kinds: Sequence[str] = ("header",)) -> tuple[HeaderRecord, str]:
    """The header on the first line of a log, and the line's hash. LogDamagedError when it is unsound or of another kind."""
    try:
        record, own = unseal(line, FIRST)
    except UnsoundLineError as error:
        raise LogDamagedError(1, f"{error}.") from error
    return _checked_header(record, kinds), own


def _checked_header(record: dict[str, Any], kinds: Sequence[str]) -> HeaderRecord:
    if record["kind"] == RECORDING and RECORDING not in kinds:
        raise LogDamagedError(1, "this is a recording of replies, not a log: `tabletop play GAME --playback FILE` plays it.")
    if record["kind"] not in kinds or not isinstance(record.get("schema"), int):
        raise LogDamagedError(1, "the log does not begin with its header.")
    if record["schema"] > SCHEMA:
        raise LogDamagedError(
            1, f"the log has schema {record['schema']}, and this version reads up to {SCHEMA}: update tabletop to read it."
        )
    return cast(HeaderRecord, record)
