"""Pack: many finished logs in one file of Zstandard frames with an index at its end.

The index is in a skippable frame, so that `zstd -dc FILE` gives the lines of all logs. A log in a pack has the path
`FILE.pack/NAME`. Packs come from others, too: everything in them is checked, and nothing is read without a bound.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from runner.errors import LogDamagedError, UnreadableFileError
from runner.record.pack_frames import FrameError, expanded
from runner.record.pack_index import LARGEST_INDEX, Member, PackIndexError, members_of
from runner.regular_files import open_regular

LARGEST_PACK = 2**40
"""Maximum bytes of a pack."""

SKIPPABLE = struct.Struct("<II")
"""The head of a skippable frame: its magic number and the size of its content."""

SKIPPABLE_MAGIC = 0x184D2A50

FOOTER = struct.Struct("<I8s")
"""The end of a pack: the size of the compressed index in bytes, and `MAGIC`."""

MAGIC = b"TTPACK01"


class PackDamagedError(LogDamagedError):
    """A pack is cut short, was changed, or is no pack. No line of the log in it can be read."""

    def __init__(self, pack: Path, why: str) -> None:
        super().__init__(1, f"The pack {pack} is damaged: {why}.")

    def __str__(self) -> str:
        return self.why

    @property
    def sentence(self) -> str:
        """The text for a user who sees nothing else."""
        return self.why


class _Stamp(NamedTuple):
    """What changes when a pack does."""

    size: int
    modified: int
    changed: int
    number: int


def members(pack: Path) -> dict[str, Member]:
    """The logs of a pack by name, in its order. PackDamagedError when it is damaged, UsageError when it cannot be read."""
    try:
        facts = pack.stat()
    except OSError as error:
        raise UnreadableFileError("The pack", pack, str(error.strerror)) from error
    return _members(pack, _Stamp(facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino))


@lru_cache(maxsize=2)
def _members(pack: Path, _stamp: _Stamp) -> dict[str, Member]:
    with open_regular(pack, "The pack", LARGEST_PACK) as file:
        try:
            return _read_index(file)
        except (FrameError, PackIndexError) as error:
            raise PackDamagedError(pack, str(error)) from error


def open_member(pack: Path, name: str) -> BinaryIO:
    """A log of a pack, decompressed into a temporary file without a name.

    UnreadableFileError when the pack has no such log, PackDamagedError when it is damaged.
    """
    member = members(pack).get(name)
    if member is None:
        raise UnreadableFileError("The log", pack / name, "the pack has no log of this name", is_missing=True)
    with open_regular(pack, "The pack", LARGEST_PACK) as packed:
        packed.seek(member.frame)
        try:
            return _content(packed, member)
        except FrameError as error:
            raise PackDamagedError(pack, str(error)) from error
        except OSError as error:
            raise UnreadableFileError("The log", pack / name, str(error.strerror)) from error


def _content(packed: BinaryIO, member: Member) -> BinaryIO:
    file = TemporaryFile()  # noqa: SIM115 -- the caller closes it
    skip, left = member.start, member.size
    try:
        for piece in expanded(packed, member.frame_size):
            wanted = piece[skip : skip + left]
            skip = max(0, skip - len(piece))
            left -= file.write(wanted)
            if not left:
                file.seek(0)
                return file
        raise FrameError("a frame has less content than the index says")
    except BaseException:
        file.close()
        raise


def _read_index(file: BinaryIO) -> dict[str, Member]:
    size = file.seek(0, 2)
    frame, head = _sizes(file, size)
    start = size - FOOTER.size - frame
    if SKIPPABLE.unpack(head) != (SKIPPABLE_MAGIC, frame + FOOTER.size):
        raise PackIndexError("it does not end with an index")
    file.seek(start)
    data = bytearray()
    for piece in expanded(file, frame):
        data += piece
        if len(data) > LARGEST_INDEX:
            raise PackIndexError(f"its index is larger than {LARGEST_INDEX // 2**20} MiB")
    return members_of(bytes(data), 0, start - SKIPPABLE.size)


def _sizes(file: BinaryIO, size: int) -> tuple[int, bytes]:
    """The size of the compressed index, and the head of the skippable frame that holds it."""
    file.seek(max(0, size - FOOTER.size))
    footer = file.read(FOOTER.size)
    if len(footer) < FOOTER.size or not footer.endswith(MAGIC):
        raise PackIndexError("it does not end with an index")
    frame = int(FOOTER.unpack(footer)[0])
    start = size - FOOTER.size - frame - SKIPPABLE.size
    if start < 0:
        raise PackIndexError("it is shorter than its index")
    file.seek(start)
    return frame, file.read(SKIPPABLE.size)
