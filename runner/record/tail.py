"""Log tail: a log that another process may be writing, read as it grows."""

import os
from pathlib import Path
from typing import BinaryIO

from runner.errors import LogDamagedError, UnreadableFileError, UsageError, in_log
from runner.match.records import Record
from runner.record.line import LONGEST_LINE
from runner.record.reader import Log, each_record, open_log, read_start


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
