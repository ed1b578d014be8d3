"""Pack index: where each log of a pack is, read and written as JSON.

A frame has its size in bytes and its logs in order, each with its name and its size. Offsets follow from the sizes, so that no
index can make two logs share bytes, or leave bytes out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Annotated, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError

from runner.record.json_line import LARGEST_LOG

MOST_LOGS = 100_000
"""Maximum number of logs of a pack."""

LONGEST_NAME = 250
"""Maximum bytes of a log's name in a pack."""

LARGEST_INDEX = 32 * 2**20
"""Maximum bytes of a pack's index, decompressed."""

_MOST_EXPANDED = 200
_EXPANDED_FREELY = LARGEST_LOG
_SUFFIX = ".jsonl"


class Member(NamedTuple):
    """A log of a pack: the offset and the size of its frame, and its own offset and size in the frame's content, in bytes."""

    frame: int
    frame_size: int
    start: int
    size: int


class PackedFrame(NamedTuple):
    """A frame: its size in bytes, and its logs in order, each with its name and its size in bytes."""

    size: Annotated[int, Field(gt=0)]
    logs: Annotated[Sequence[tuple[str, Annotated[int, Field(gt=0, le=LARGEST_LOG)]]], Field(min_length=1)]


class PackIndexError(Exception):
    """An index is damaged, or asks for more than a pack may."""


_FRAMES = TypeAdapter(Annotated[list[PackedFrame], Field(min_length=1)])


def dumped_index(frames: Sequence[PackedFrame]) -> bytes:
    """The index of these frames as JSON."""
    return json.dumps(frames, ensure_ascii=False, separators=(",", ":")).encode()


def members_of(data: bytes, start: int, end: int) -> dict[str, Member]:
    """The logs by name that an index places between two offsets of the file. PackIndexError when it is unsound."""
    try:
        frames = _FRAMES.validate_json(data, strict=True)
    except ValidationError as error:
        raise PackIndexError("its index is no list of frames") from error
    if sum(frame.size for frame in frames) != end - start:
        raise PackIndexError("its index does not fit its size")
    _check_bounds(frames, end)
    found: dict[str, Member] = {}
    for name, member in _placed(frames, start):
        if (why := objection_to(name)) is not None or name in found:
            raise PackIndexError(f"a name in its index {why or 'is there twice'}: {name[:LONGEST_NAME]!r}")
        found[name] = member
    return found


def objection_to(name: str) -> str | None:
    """Why a pack cannot hold a log of this name, as a clause; None when it can."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "is not text in UTF-8"
    if size > LONGEST_NAME:
        return f"is longer than {LONGEST_NAME} bytes"
    if "\0" in name or ".." in name.split("/") or name != str(PurePosixPath(name)) or name.startswith("/"):
        return "is no path within a folder"
    return None if name.endswith(_SUFFIX) else f"does not end in {_SUFFIX}"


def _check_bounds(frames: Sequence[PackedFrame], packed: int) -> None:
    if sum(len(frame.logs) for frame in frames) > MOST_LOGS:
        raise PackIndexError(f"it has more than {MOST_LOGS:,} logs")
    if sum(size for frame in frames for _, size in frame.logs) > _EXPANDED_FREELY + _MOST_EXPANDED * packed:
        raise PackIndexError(f"its logs are more than {_MOST_EXPANDED} times its size")


def _placed(frames: Sequence[PackedFrame], offset: int) -> Iterator[tuple[str, Member]]:
    for frame in frames:
        start = 0
        for name, size in frame.logs:
            yield name, Member(offset, frame.size, start, size)
            start += size
        offset += frame.size
