"""Pack writer: logs appended to a new pack, in frames of about 1 MiB, so that one of them is read without the others."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import BinaryIO

from runner.record.pack_file import FOOTER, MAGIC, SKIPPABLE, SKIPPABLE_MAGIC
from runner.record.pack_frames import CHUNK, FrameWriter, compressed
from runner.record.pack_index import PackedFrame, dumped_index
from runner.record.reader import open_log

_FRAME = 2**20
"""Bytes of logs that a frame holds, if it holds several: a tenth of the size needs as many."""


class PackWriter:
    """The content of a new pack, written to a file. `end` completes it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._writer = FrameWriter(file)
        self._frames: list[PackedFrame] = []
        self._logs: list[tuple[str, int]] = []

    def add(self, name: str, log: Path) -> int:
        """Add a log under a name; its size in bytes. UsageError when it cannot be read."""
        with open_log(log) as file:
            size = file.seek(0, 2)
            if self._logs and sum(held for _, held in self._logs) + size > _FRAME:
                self._end_frame()
            file.seek(0)
            copied = self._copy(file)
        self._logs.append((name, copied))
        return copied

    def end(self) -> None:
        """Write the index."""
        if self._logs:
            self._end_frame()
        index = compressed(dumped_index(self._frames))
        self._file.write(SKIPPABLE.pack(SKIPPABLE_MAGIC, len(index) + FOOTER.size))
        self._file.write(index + FOOTER.pack(len(index), MAGIC))

    def _copy(self, log: BinaryIO) -> int:
        size = 0
        for piece in iter(partial(log.read, CHUNK), b""):
            self._writer.write(piece)
            size += len(piece)
        return size

    def _end_frame(self) -> None:
        self._frames.append(PackedFrame(self._writer.end(), self._logs))
        self._logs = []
