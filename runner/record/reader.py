"""Reading a log, with every line proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.errors import LogDamagedError, UsageError, in_log
from runner.record.dedup import expand, expand_text
from runner.record.hash_chain import FIRST, Record, UnsoundLineError, unseal

SCHEMA = 1
RECORDING = "recording"
"""The kind of the first line of a recording of replies, which is otherwise that of a log."""


class LogTornError(LogDamagedError):
    """The last line was not written to its end."""

    def __init__(self, line: int) -> None:
        super().__init__(line, "the last line is cut short; what stands before it is sound.")


@dataclass(slots=True)
class Log:
    """A log that has been read: records with their line numbers, and the values they share.

    `first` and `last` are the hashes of its first and its last line, `size` its length in bytes up to there.
    """

    path: Path
    header: Record
    first: str
    records: list[tuple[int, Record]] = field(default_factory=list)
    shared: dict[str, Any] = field(default_factory=dict)
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
            self.records.append((number, record))

    @property
    def is_torn(self) -> bool:
        """Whether nothing is wrong but that the last line was not written to its end."""
        return isinstance(self.damage, LogTornError)

    @property
    def result(self) -> Record | None:
        """The record of the result; None when the match has not ended."""
        return next((record for _, record in reversed(self.records) if record["kind"] == "result"), None)

    @property
    def latest_header(self) -> Record:
        """The header, with the seats, prompts and budget that were changed when the match was taken up again."""
        latest = dict(self.header)
        for _, record in self.of_kind("resumed"):
            latest |= {name: record[name] for name in ("seats", "prompts", "budget") if name in record}
        return latest

    def of_kind(self, *kinds: str) -> Iterator[tuple[int, Record]]:
        """The records of these kinds, with their line numbers."""
        return ((line, record) for line, record in self.records if record["kind"] in kinds)

    def expand(self, data: Any) -> Any:
        """Data of a record with what it shares put in."""
        return expand(data, self.shared)

    def messages(self, attempt: Record) -> list[dict[str, str]]:
        """The exact messages that an attempt sent; none where no model was asked."""
        body = attempt.get("request") or {}
        return [{**m, "content": expand_text(m["content"], self.shared)} for m in body.get("messages", ())]


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


def read_header(line: bytes, kinds: Sequence[str] = ("header",)) -> tuple[Record, str]:
    """The header on the first line of a log, and the line's hash. LogDamagedError when it is none that can be read, or is
    not of these kinds."""
    try:
        record, own = unseal(line, FIRST)
    except UnsoundLineError as error:
        raise LogDamagedError(1, f"{error}.") from error
    return _checked_header(record, kinds), own


def _checked_header(record: Record, kinds: Sequence[str]) -> Record:
    if record["kind"] == RECORDING and RECORDING not in kinds:
        raise LogDamagedError(1, "this is a recording of replies and no log: `tabletop play GAME --playback FILE` plays it.")
    if record["kind"] not in kinds or not isinstance(record.get("schema"), int):
        raise LogDamagedError(1, "the log does not begin with its header.")
    if record["schema"] > SCHEMA:
        raise LogDamagedError(
            1, f"the log has schema {record['schema']}, and this version reads up to {SCHEMA}: update tabletop to read it."
        )
    return record
