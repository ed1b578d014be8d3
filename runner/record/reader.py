"""Reading a log, with every line proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.errors import LogDamagedError, UsageError
from runner.record.chain import FIRST, Record, UnsoundLineError, unseal
from runner.record.sharing import expand, expand_text

SCHEMA = 1
_SUFFIX = ".jsonl"


@dataclass(slots=True)
class Log:
    """A log that has been read: records with their line numbers, and the values they share."""

    path: Path
    header: Record
    records: list[tuple[int, Record]] = field(default_factory=list)
    shared: dict[str, Any] = field(default_factory=dict)
    last: str = FIRST
    size: int = 0

    @property
    def result(self) -> Record | None:
        """The record of the result; None when the match has not ended."""
        return next((record for _, record in reversed(self.records) if record["kind"] == "result"), None)

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
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(f"The log {path} cannot be read: {error.strerror}.") from error
    lines = raw.split(b"\n")
    torn = lines.pop()
    log: Log | None = None
    last = FIRST
    for number, line in enumerate(lines, 1):
        try:
            record, last = unseal(line, last)
        except UnsoundLineError as error:
            raise LogDamagedError(number, f"{error}.") from error
        if log is None:
            log = Log(path, _checked_header(record))
        elif record["kind"] == "shared":
            log.shared[record["name"]] = record["value"]
        else:
            log.records.append((number, record))
    if torn:
        raise LogDamagedError(len(lines) + 1, "the last line is cut short; what stands before it is sound.")
    if log is None:
        raise LogDamagedError(1, "the file is empty.")
    log.last, log.size = last, len(raw)
    return log


def _checked_header(record: Record) -> Record:
    if record["kind"] != "header" or not isinstance(record.get("schema"), int):
        raise LogDamagedError(1, "the log does not begin with its header.")
    if record["schema"] > SCHEMA:
        raise LogDamagedError(
            1, f"the log has schema {record['schema']}, and this version reads up to {SCHEMA}: update tabletop to read it."
        )
    return record
