"""Log writer: appends records to a log that one process at a time may write, and waits until they are on the disk; the journal
of its budget while calls are in flight; and files for users, which never take the place of a log."""

import asyncio
import fcntl
import json
import math
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from runner.digest import Digester
from runner.errors import PausedError, UsageError, refused, unwritable
from runner.files import PRIVATE, make_folder, make_private_folder, path_to_write, read_regular_text, sync_folder, write_whole
from runner.llm.budget import Budget, Reservation, WorstCase
from runner.match.header import SCHEMA, HeaderRecord
from runner.match.match_state import MatchEvent
from runner.match.records import Record
from runner.match.tally import charged_tokens
from runner.record.line import FIRST, LONGEST_LINE, Deduplicator, as_logged, seal
from runner.record.log_paths import is_pack, journal_of
from runner.record.reader import RECORDING, Log

TOGETHER = 0.02
"""Seconds in which writes share one sync."""


class AppendedFile:
    """A file open for appending, as `handle`, which this closes. What is synced outlasts a power cut, its name included."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path, self.handle = path, handle
        self._written = self._on_disk = 0
        self._syncing, self._is_due = asyncio.Lock(), asyncio.Event()

    def write(self, data: bytes) -> None:
        """Write data, all or none. OSError when the disk does not take it."""
        start = os.fstat(self.handle).st_size
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self.handle, rest) :]
        except OSError:
            with suppress(OSError):
                os.ftruncate(self.handle, start)
            raise
        self._written += len(data)

    async def sync(self, *, is_last: bool = True) -> None:
        """Wait, off the event loop, until all that was written is on the disk. Writes within `TOGETHER` seconds share one sync;
        it begins at once where `is_last` says that no other write is to be expected. OSError when the disk does not take it."""
        wanted, is_due = self._written, self._is_due
        if is_last:
            is_due.set()
            self._is_due = asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(TOGETHER):
                await is_due.wait()
        async with self._syncing:
            if self._on_disk < wanted:
                written = self._written
                await asyncio.get_running_loop().run_in_executor(None, self._sync)
                self._on_disk = written

    def _sync(self) -> None:
        os.fsync(self.handle)
        if not self._on_disk:
            sync_folder(self.path.parent)

    def close(self) -> None:
        """Sync and close the file, once. What the disk refuses now was reported where it was written."""
        if self.handle >= 0:
            with suppress(OSError):
                if self._on_disk < self._written:
                    self._sync()
            os.close(self.handle)
            self.handle = -1


class LogWriter(AppendedFile):
    """Appends records to a file, which it holds a lock on. `schema` is the version of the format that is written."""

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Open a new log, or with `resume` an old one, for `resume_after`. PausedError on a full disk, else UsageError."""
        self.shared = Deduplicator()
        self.schema = SCHEMA
        self._last = FIRST
        try:
            if not resume:
                make_private_folder(path.parent)
            create = 0 if resume else os.O_CREAT
            flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW
            super().__init__(path, os.open(path_to_write(path), flags | create, PRIVATE))
        except OSError as error:
            if resume:
                raise refused(f"The log {path} cannot be resumed: {error.strerror}.", error) from error
            raise unwritable(f"The log {path}", error) from error
        self._is_new = False
        try:
            self._lock(resume)
        except UsageError:
            self.close()
            raise

    def _lock(self, resume: bool) -> None:
        if not stat.S_ISREG(os.fstat(self.handle).st_mode):
            raise UsageError(f"The log {self.path} cannot be written: it is not a regular file.")
        try:
            fcntl.flock(self.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"The log {self.path} is being written by another process.") from error
        if not resume and os.fstat(self.handle).st_size:
            raise UsageError(f"The log {self.path} exists already: name another file, or resume it.")
        self._is_new = not resume

    @property
    def is_empty(self) -> bool:
        return self._last == FIRST

    def resume_after(self, log: Log) -> None:
        """Continue a log in its own schema after its last sound line; cut the file there."""
        self._last, self.schema = log.last, log.header["schema"]
        self.shared = Deduplicator(set(log.shared))
        os.ftruncate(self.handle, log.size)

    def append(self, record: Record) -> None:
        """Write a record, after the shared values it refers to. PausedError when the disk does not take it."""
        self.append_as_is(self.shared.record(record))

    def append_as_is(self, record: Mapping[str, object]) -> None:
        """Write a record whose long values are references already."""
        new = self.shared.take_new()
        try:
            self._last = self._write_sealed((*new, record))
        except PausedError:
            self.shared.take_back(new)
            raise

    def _write_sealed(self, records: Iterable[Mapping[str, object]]) -> str:
        """Write records, all or none; the hash of the last."""
        lines, last = b"", self._last
        for one in records:
            line, last = seal(one, last)
            if len(line) > LONGEST_LINE:
                raise PausedError(
                    f"A {one['kind']} is longer than the {LONGEST_LINE // 2**20} MiB that a line of a log may have."
                )
            lines += line
        try:
            self.write(lines)
        except OSError as error:
            raise PausedError(f"The log {self.path} cannot be written any further: {error.strerror}.") from error
        return last

    def close(self) -> None:
        """Sync and close the file, once; an empty new file is removed."""
        if self.handle >= 0 and self._is_new and self.is_empty:
            self.path.unlink(missing_ok=True)
        super().close()


class LogSink:
    """Writes every record of a match to its log."""

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer
        self._views = Digester()

    async def emit(self, event: MatchEvent) -> None:
        """Write a record; PausedError when the disk does not take it. Without a header there is no log, and no pause in it."""
        if event.record["kind"] == "pause" and self._writer.is_empty:
            return
        if event.record["kind"] == "result":  # no match that has ended has a journal: its log has every call
            journal_of(self._writer.path).unlink(missing_ok=True)
        self._append(event.record if self._writer.schema == 1 else as_logged(event, self._views))
        if event.is_durable:
            others = (question for seat, question in event.match.open.items() if seat != event.record.get("seat"))
            await self.sync(is_last=all(question.is_decided for question in others))

    def _append(self, record: Record) -> None:
        self._writer.append(record)

    async def sync(self, *, is_last: bool = True) -> None:
        await self._writer.sync(is_last=is_last)


class RecordingLogSink(LogSink):
    """Also writes the header and the attempts to a recording of replies, in the order of the log."""

    def __init__(self, writer: LogWriter, recording: LogWriter) -> None:
        super().__init__(writer)
        self._recording = recording

    def _append(self, record: Record) -> None:
        super()._append(record)
        if record["kind"] == "header":
            self._recording.append_as_is({**record, "kind": RECORDING})
        elif record["kind"] == "attempt":
            self._recording.append(record)

    async def sync(self, *, is_last: bool = True) -> None:
        await super().sync(is_last=is_last)
        await self._recording.sync()


class Spending(NamedTuple):
    """An amount in USD and in tokens."""

    usd: float
    tokens: int


def balance(path: Path) -> tuple[Spending, list[Spending]]:
    """What is settled, and the reservations that are not; a line cut short is ignored. UsageError for what is no journal."""
    text = read_regular_text(path, "The journal of calls") if path.exists() else ""
    settled, unsettled = Spending(0.0, 0), dict[str, Spending]()
    try:
        for line in text.rpartition("\n")[0].splitlines():
            what, number, usd, tokens = line.split()
            amount = Spending(float(usd), int(tokens))
            if not math.isfinite(amount.usd):
                raise ValueError(usd)
            if what == "+":
                unsettled[number] = amount
            else:
                unsettled.pop(number, None)
                settled = Spending(settled.usd + amount.usd, settled.tokens + amount.tokens)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"The file {path} is no journal of calls: without it, the logs alone say what was spent.") from error
    return settled, list(unsettled.values())


_LEAST_USD = 1e-9
"""USD below which a difference is one of rounding."""


class MatchBudget(Budget):
    """A budget that records each reservation before its call, also where there is no limit: a later session may have one. Its
    journal has a line for each reservation and each settlement, and begins with what was spent before."""

    def __init__(self, path: Path, usd: float | None, tokens: int | None, spent: Spending) -> None:
        super().__init__(usd, tokens, spent.usd, spent.tokens)
        self._path = path
        self._journal: AppendedFile | None = None
        self._open = 0

    def begin(self) -> AppendedFile:
        if self._journal is None:
            write_whole(self._path, f"= 0 {self.spent_usd!r} {self.spent_tokens}\n", "The ledger")
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
            self._journal = AppendedFile(self._path, handle)
        return self._journal

    async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
        """Reserve a call's maximum and record it, on the disk unless it is free without a limit of tokens. May pause."""
        reservation = await super().reserve(worst, source)
        self._open += 1
        try:
            self.begin().write(f"+ {reservation.number} {reservation.charge!r} {reservation.tokens}\n".encode())
            if worst.usd != 0 or self.tokens is not None:
                await self.begin().sync(is_last=self._open == 1)
        except BaseException as error:
            self.settle(reservation, 0.0, 0, is_answer=False)
            if isinstance(error, OSError):
                raise unwritable(f"The ledger {self._path}", error) from error
            raise
        return reservation

    def settle(self, reservation: Reservation, usd: float | None, tokens: int, is_answer: bool = True) -> None:
        if reservation.is_open:
            self._open -= 1
            if self._journal is not None:
                with suppress(OSError):  # what is not on the disk counts in full at the next start
                    self._journal.write(f"- {reservation.number} {usd or 0.0!r} {tokens}\n".encode())
        super().settle(reservation, usd, tokens, is_answer)

    def close(self, is_kept: bool = False) -> None:
        """Close the journal. It is deleted unless `is_kept`, where every call is settled: the log has them all."""
        if self._journal is not None:
            self._journal.close()
            if not (is_kept or self._open):
                self._path.unlink(missing_ok=True)


def spending(header: HeaderRecord, records: Sequence[Record]) -> Spending:
    """What the records of a log took out of its match's budget: those that a fork copied were charged to its parent's."""
    usd, tokens, fork = 0.0, 0, header.get("fork")
    for record in records[fork["lines"] if fork else 0 :]:
        if record["kind"] == "attempt":
            usd, tokens = usd + (record.get("charged") or 0.0), tokens + charged_tokens(record)
        elif record["kind"] == "resumed" and (lost := record.get("unlogged")) is not None:
            usd, tokens = usd + lost["usd"], tokens + lost["tokens"]
    return Spending(usd, tokens)


def unlogged(log: Path, logged: Spending) -> Spending | None:
    """What a session that was killed had set aside or charged beyond what the log says; None if nothing."""
    settled, unsettled = balance(journal_of(log))
    usd = settled.usd + sum(lost.usd for lost in unsettled) - logged.usd
    tokens = settled.tokens + sum(lost.tokens for lost in unsettled) - logged.tokens
    found = Spending(usd if usd > _LEAST_USD else 0.0, max(tokens, 0))
    return found if any(found) else None


_LONGEST_HEADER = 16_000_000


def check_is_no_log(path: Path) -> None:
    """UsageError when a file is a log, a recording or a pack."""
    if is_pack(path):
        raise UsageError(f"{path} is a pack of logs, which nothing is written over: name another file.")
    if _is_log(path):
        raise UsageError(f"{path} is a log of a match, which nothing else is written over: name another file.")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a text or bytes to a file, with its folders, in place of another one unless that is a log, a recording or a pack. A
    named pipe or a device is written to as it is. PausedError on a full disk, else UsageError."""
    check_is_no_log(path)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if path.is_fifo() or path.is_char_device():
        _write_stream(path, data)
    else:
        path = path_to_write(path, "file")
        make_folder(path.parent)
        write_whole(path, data, "The file", is_private=False)


def _write_stream(path: Path, data: bytes) -> None:
    """Write to a pipe or a device. A pipe that nobody reads is an error at once."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError as error:
        raise unwritable(f"The file {path}", error) from error


def _is_log(path: Path) -> bool:
    """Whether the first line of a file is a header, sound or not."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline(_LONGEST_HEADER))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("kind") in ("header", RECORDING)
