"""The end of a log: the result and the digest of a finished match, without reading the rest."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple, cast

from runner.errors import UnreadableFileError
from runner.match.records import Record, ResultRecord
from runner.record.hash_chain import UnsoundLineError
from runner.record.reader import open_log
from runner.record.record_reader import read_last_record

_TAIL = 2**20
"""Bytes at the end of a log in which a result is looked for."""


class LogEnd(NamedTuple):
    """The result of a finished match and the digest of its log: the hash of the last line, which all lines lead to."""

    result: ResultRecord
    digest: str


def end_of(path: Path) -> LogEnd | None:
    """The end of a finished match's log; None where the file is missing or does not end with a sound result.

    UnreadableFileError when it is no regular file.
    """
    record, digest = _last(path)
    return LogEnd(record, digest) if record is not None and record["kind"] == "result" else None


def failure_of(path: Path) -> str | None:
    """How a match failed, if its log ends with that. UnreadableFileError when it is no regular file."""
    record, _ = _last(path)
    return record["why"] if record is not None and record["kind"] == "pause" and record.get("failed") else None


def _last(path: Path) -> tuple[Record | None, str]:
    """The last record of a log and its digest; None where there is no sound one."""
    tail = _tail(path)
    if not tail.endswith(b"\n"):
        return None, ""
    try:
        record, digest = read_last_record(tail[:-1].rpartition(b"\n")[2])
    except UnsoundLineError:
        return None, ""
    return cast(Record, record), digest


def _tail(path: Path) -> bytes:
    try:
        with open_log(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            return file.read(_TAIL)
    except UnreadableFileError as error:
        if error.is_missing:
            return b""
        raise
