"""Line scanner: the kind of each line of a log and the fields at its start, from its bytes, without parsing JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from runner.errors import LogDamagedError
from runner.record.hash_chain import FIRST, UnsoundLineError, check_seal

_HEAD = re.compile(rb'\{"kind":"([a-z_]+)"(?:,"(?:question|name)":"?(\w+)"?)?(?:,"seat":(\d+))?')
_MISTAKE = b'"outcome":"mistake"'


class ScannedLine(NamedTuple):
    """A line of a log: its number from 1, its bytes without the newline, its kind.

    `name` is the number of a question or the name of a shared value, `seat` the seat, where the line starts with them.
    """

    number: int
    raw: bytes
    kind: str
    name: str | None
    seat: int | None

    @property
    def is_mistake(self) -> bool:
        """Whether the line is an attempt whose answer was invalid."""
        return self.kind == "attempt" and _MISTAKE in self.raw

    def parse(self) -> dict[str, Any]:
        """The record of the line, with its hashes. ValueError when it is not JSON."""
        return dict(json.loads(self.raw))


def scan_line(number: int, raw: bytes) -> ScannedLine | None:
    """A line, without its newline; None when it is no record of a log."""
    head = _HEAD.match(raw)
    if head is None:
        return None
    kind, name, seat = head.groups()
    return ScannedLine(number, raw, kind.decode(), name.decode() if name else None, int(seat) if seat else None)


def scan(lines: Iterable[bytes], *kinds: str) -> Iterator[ScannedLine]:
    """The lines of a log from its first, without newlines, hash and chain of each checked; with `kinds` only lines of these.

    LogDamagedError at an unsound line.
    """
    last, heads = FIRST, tuple(f'{{"kind":"{kind}"'.encode() for kind in kinds)
    for number, raw in enumerate(lines, 1):
        try:
            last = check_seal(raw, last)
        except UnsoundLineError as error:
            raise LogDamagedError(number, f"{error}.") from error
        if heads and not raw.startswith(heads):
            continue
        if (line := scan_line(number, raw)) is None:
            raise LogDamagedError(number, "the line is no record of a log.")
        yield line
