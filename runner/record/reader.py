"""Log reader: a whole log in memory, the hash of every line checked; and one that is still written, read as it grows."""

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, cast, overload

from games.core import counted
from runner.errors import LogDamagedError, UnreadableFileError, UsageError, in_log
from runner.files import open_regular
from runner.match.header import SCHEMA, HeaderRecord
from runner.match.records import (
    AttemptRecord,
    DecisionRecord,
    QuestionRecord,
    Record,
    ResultRecord,
    ResumedRecord,
    SharedRecord,
    TalkRecord,
)
from runner.record.line import (
    FIRST,
    LONGEST_LINE,
    PARAGRAPH,
    UnsoundLineError,
    expand,
    expanded_size,
    objection_to,
    paragraphs,
    problem,
    unseal,
    wrong_players,
)
from runner.record.log_paths import LARGEST_LOG, is_pack, name_in, pack_of

RECORDING = "recording"
"""The kind of the first line of a recording of replies, which is otherwise that of a log."""

_CHANGEABLE = ("seats", "prompts", "budget", "hopeless", "shared", "talk", "skin", "skin_words")
"""What of a header can change when a match is resumed."""


_TOO_LARGE = f"up to here the log has more than {LARGEST_LOG // 2**20} MiB with its shared values."


class LogTornError(LogDamagedError):
    """The last line was not written to its end."""

    def __init__(self, line: int) -> None:
        super().__init__(line, "the last line is cut short: `tabletop resume` removes it and continues.")


def changed_header(header: HeaderRecord, record: ResumedRecord) -> HeaderRecord:
    found = {**header, **{name: value for name, value in record.items() if name in _CHANGEABLE}}
    return cast(HeaderRecord, {name: value for name, value in found.items() if name != "skin" or value is not None})


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
    _sizes: dict[str, int] = field(default_factory=dict)
    _expanded: int = 0

    def read(self, number: int, line: bytes) -> Record | SharedRecord:
        """The record on the next line (without its newline), which is not kept. LogDamagedError when it is unsound."""
        try:
            record, own = unseal(line, self.last)
            is_header = record["kind"] == "header"
            why = "a second header stands in the log" if is_header else objection_to(record, self.header["players"])
            if why is not None:
                raise LogDamagedError(number, f"{why}.")
            self._expanded += expanded_size(record, len(line), self._sizes)
        except UnsoundLineError as error:
            raise LogDamagedError(number, f"{error}.") from error
        if self._expanded > LARGEST_LOG:
            raise LogDamagedError(number, _TOO_LARGE)
        self.last = own
        self.size += len(line) + 1
        if record["kind"] == "shared":
            self._sizes[record["name"]] = len(line)
        return cast(Record | SharedRecord, record)

    def keep(self, number: int, record: Record | SharedRecord) -> None:
        if record["kind"] == "shared":
            self.shared[record["name"]] = record["value"]
        else:
            self.records.append((number, record))

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
        return self.header_at(None)

    def header_at(self, before: int | None) -> HeaderRecord:
        """The header, with what changed when the match was resumed before a line; None: up to the end."""
        latest = self.header
        for line, record in self.of_kind("resumed"):
            if before is None or line < before:
                latest = changed_header(latest, record)
        return latest

    @overload
    def of_kind(self, kind: Literal["question"]) -> Iterator[tuple[int, QuestionRecord]]: ...
    @overload
    def of_kind(self, kind: Literal["attempt"]) -> Iterator[tuple[int, AttemptRecord]]: ...
    @overload
    def of_kind(self, kind: Literal["decision"]) -> Iterator[tuple[int, DecisionRecord]]: ...
    @overload
    def of_kind(self, kind: Literal["talk"]) -> Iterator[tuple[int, TalkRecord]]: ...
    @overload
    def of_kind(self, kind: Literal["resumed"]) -> Iterator[tuple[int, ResumedRecord]]: ...
    @overload
    def of_kind(self, kind: str) -> Iterator[tuple[int, Record]]: ...
    def of_kind(self, kind: str) -> Iterator[tuple[int, Record]]:
        return ((line, record) for line, record in self.records if record["kind"] == kind)

    def record(self, line: int) -> Record:
        return self.records[bisect_left(self.records, line, key=lambda entry: entry[0])][1]

    def expand(self, data: object) -> Any:
        return expand(data, self.shared)

    def messages(self, attempt: AttemptRecord) -> list[dict[str, str]]:
        """The exact messages that an attempt sent; none where no model was asked."""
        request = attempt.get("request")
        sent = [(one, self.expand(paragraphs(one["content"]))) for one in request["messages"]] if request else []
        return [cast(dict[str, str], {**one, "content": PARAGRAPH.join(map(str, text))}) for one, text in sent]

    def whole(self, record: Record) -> Record:
        """A record with the references of its request resolved."""
        if record["kind"] != "attempt" or not record.get("request"):
            return record
        body = {**self.expand(record["request"]), "messages": self.messages(record)}
        return cast(AttemptRecord, {**record, "request": body})


def read_log(path: Path) -> Log:
    """The log in a file. UsageError when there is none, LogDamagedError at the first unsound line."""
    log = read_sound_part(path)
    if log.damage is not None:
        raise log.damage
    return log


def read_sound_part(path: Path, kinds: Sequence[str] = ("header",)) -> Log:
    """The log in a file up to where it is damaged, and the damage. LogDamagedError when not even the header is sound."""
    with open_log(path) as file:
        with in_log(path):
            log = read_start(path, file, kinds)
        for number, record in each_record(log, file):
            log.keep(number, record)
    return log


def each_record(log: Log, file: BinaryIO, first: int = 2) -> Iterator[tuple[int, Record | SharedRecord]]:
    """The records that follow in a file, with line numbers from `first`; none is kept. `log.damage` is what ended them."""
    try:
        for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 2), b""), first):
            if not line.endswith(b"\n") and len(line) <= LONGEST_LINE:
                raise LogTornError(number)
            yield number, log.read(number, line.removesuffix(b"\n"))
    except LogDamagedError as damage:
        damage.path, log.damage = log.path, damage


def open_log(path: Path) -> BinaryIO:
    """The file of a log, open for reading; of a log in a pack, a temporary file with its lines. UsageError when it is no
    regular file, or too large. LogDamagedError when its pack is damaged."""
    pack = path if is_pack(path) else pack_of(path)
    return open_regular(path, "The log", LARGEST_LOG) if pack is None else _open_packed(pack, path)


def _open_packed(pack: Path, path: Path) -> BinaryIO:
    from runner.record.log_paths import members, open_member

    if path != pack:
        return open_member(pack, name_in(pack, path))
    names = [*members(pack)]
    raise UsageError(f"{pack} is a pack of {counted(len(names), 'log')}: name one of them, such as {pack / names[0]}.")


def read_start(path: Path, file: BinaryIO, kinds: Sequence[str] = ("header",)) -> Log:
    """The log that begins with the header on the first line of a file. LogDamagedError when that is unsound."""
    line = file.readline(LONGEST_LINE + 2)
    if not line.endswith(b"\n") and len(line) <= LONGEST_LINE:
        raise LogDamagedError(1, "the header is cut short." if line.startswith(b"{") else _no_log(line))
    header, first = _header(line.removesuffix(b"\n"), kinds)
    return Log(path, header, first, last=first, size=len(line))


def _header(line: bytes, kinds: Sequence[str]) -> tuple[HeaderRecord, str]:
    """The header on the first line of a log, and the line's hash. LogDamagedError when it is unsound or of another kind."""
    if not line.startswith(b"{"):
        raise LogDamagedError(1, _no_log(line))
    try:
        record, own = unseal(line, FIRST)
    except UnsoundLineError as error:  # a newer version may seal its lines otherwise
        newer = _too_new(int(found[1])) if (found := _SCHEMA.match(line)) else None
        raise LogDamagedError(1, f"{newer or error}.") from error
    kind, schema = record["kind"], record.get("schema")
    why: str | None = None
    if kind == RECORDING and RECORDING not in kinds:
        why = "this is a recording of replies, not a log: `tabletop play GAME --playback FILE` plays it"
    elif kind not in kinds or type(schema) is not int:
        why = "the log does not begin with its header"
    else:
        why = _too_new(schema) or problem(record, kind) or wrong_players(record, record["players"])
    if why is not None:
        raise LogDamagedError(1, f"{why}.")
    return cast(HeaderRecord, record), own


_SCHEMA = re.compile(rb'\{"kind":"header","schema":(\d{1,9})\b')
"""The beginning of a header."""


def _too_new(schema: int) -> str | None:
    if schema <= SCHEMA:
        return None
    return f"the log has schema {schema}, and this version reads up to {SCHEMA}: update tabletop to read it"


def _no_log(line: bytes) -> str:
    return "the file is no log of a match: it does not begin with a header." if line else "the file is empty."


_TAIL = 2**20
"""Bytes at the end of a log in which a result is looked for."""


class LogEnd(NamedTuple):
    """The result of a finished match and the digest of its log: the hash of the last line, which all lines lead to."""

    result: ResultRecord
    digest: str


def end_of(path: Path) -> LogEnd | None:
    """The end of a finished match's log; None without a sound result. UnreadableFileError when it is no regular file."""
    record, digest = _last(path)
    return LogEnd(record, digest) if record is not None and record["kind"] == "result" else None


def failure_of(path: Path) -> str | None:
    """How a match failed, if its log ends with that. UnreadableFileError when it is no regular file."""
    record, _ = _last(path)
    return record["why"] if record is not None and record["kind"] == "pause" and record.get("failed") else None


def _last(path: Path) -> tuple[Record | None, str]:
    """The last record of a log and its digest; None where there is no sound one."""
    try:
        with open_log(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            *_, line, end = b"", *file.read(_TAIL).split(b"\n")
    except UnreadableFileError as error:
        if error.is_missing:
            return None, ""
        raise
    try:
        record, digest = unseal(line, None)
    except UnsoundLineError:
        return None, ""
    return (None, "") if end or objection_to(record) is not None else (cast(Record, record), digest)


class LogTail:
    """The records of a log, checked and returned once each. A line that is not yet complete waits."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._lines = 1
        self.log: Log | None = None

    def open(self) -> bool:
        """Whether the log exists and has its header. UsageError when it cannot be read, LogDamagedError for a bad header."""
        try:
            self._file = self._file or open_log(self._path)
        except UnreadableFileError as error:
            if error.is_missing:
                return False
            raise
        self._file.seek(0)
        line = self._file.readline(LONGEST_LINE + 2)
        self._file.seek(0)
        if not line.endswith(b"\n") and len(line) <= LONGEST_LINE:
            return False  # the header is being written
        with in_log(self._path):
            self.log = read_start(self._path, self._file)
        return True

    def read_new(self) -> list[tuple[int, Record]]:
        """The records written since the last call. LogDamagedError at the first unsound one, in the call after those before."""
        assert self.log is not None
        assert self._file is not None
        log = self.log
        if log.damage is not None:
            raise log.damage
        size = os.fstat(self._file.fileno()).st_size
        if size < log.size:
            raise LogDamagedError(self._lines + 1, "the log has become shorter.")
        if size == log.size:
            self._check_place()
            return []
        self._file.seek(log.size)
        start = len(log.records)
        for number, record in each_record(log, self._file, self._lines + 1):
            log.keep(number, record)
            self._lines = number
        if log.is_torn:
            log.damage = None  # the line is being written
        return log.records[start:]

    @property
    def has_partial_line(self) -> bool:
        assert self._file is not None
        return self.log is not None and os.fstat(self._file.fileno()).st_size > self.log.size

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _check_place(self) -> None:
        """UsageError when the file was removed or replaced."""
        assert self._file is not None
        try:
            is_same = os.path.samestat(self._path.stat(), os.fstat(self._file.fileno()))
        except OSError:
            is_same = False
        if not is_same:
            raise UsageError(f"The log {self._path} was removed or replaced while it was being watched.")
