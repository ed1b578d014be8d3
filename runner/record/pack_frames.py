"""Pack frames: the Zstandard frames that a pack consists of, written and read in bounded memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import BinaryIO

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CHUNK = 2**18
"""Bytes that are read, compressed or decompressed at a time."""

_LEVEL, _WINDOW = 9, 22
_WRITING: Mapping[int, int] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.window_log: _WINDOW,
    zstd.CompressionParameter.checksum_flag: 1,
}
_READING: Mapping[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW}
"""A frame of another writer that needs more memory than 4 MiB is refused."""


class FrameError(Exception):
    """A frame is cut short, changed, or no frame."""


class FrameWriter:
    """Frames that are appended to a file. `size` is the number of bytes of the current one."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._compressor = zstd.ZstdCompressor(options=_WRITING)
        self.size = 0

    def write(self, data: bytes) -> None:
        """Add data to the current frame."""
        self.size += self._file.write(self._compressor.compress(data))

    def end(self) -> int:
        """End the current frame; its size in bytes."""
        size = self.size + self._file.write(self._compressor.flush(zstd.ZstdCompressor.FLUSH_FRAME))
        self.size = 0
        return size


def compressed(data: bytes) -> bytes:
    """One frame with this content."""
    return zstd.compress(data, options=_WRITING)


def expanded(file: BinaryIO, size: int) -> Iterator[bytes]:
    """The content of the frame of `size` bytes that begins at the file's position, in pieces. FrameError when it is damaged."""
    decompressor, left = zstd.ZstdDecompressor(options=_READING), size
    while not decompressor.eof:
        piece = file.read(min(left, CHUNK)) if decompressor.needs_input else b""
        if decompressor.needs_input and not piece:
            raise FrameError("a frame is cut short")
        left -= len(piece)
        try:
            yield decompressor.decompress(piece, CHUNK)
        except zstd.ZstdError as error:
            raise FrameError("a frame is damaged") from error
    if left or decompressor.unused_data:
        raise FrameError("a frame is shorter than the index says")
