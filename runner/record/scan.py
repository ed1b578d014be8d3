"""Line scanner: the kind of each line of a log and the fields at its start, from its bytes, without parsing JSON."""

from __future__ import annotations

import re
from typing import NamedTuple

from runner.errors import LogDamagedError
from runner.record.json_line import LONGEST_LINE

_HEAD = re.compile(rb'\{"kind":"([a-z_]+)"(?:,"(?:question|name)":"?(\w+)"?)?(?:,"seat":(\d{1,9}))?')
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


def scan_line(number: int, raw: bytes) -> ScannedLine:
    """A line, without its newline. LogDamagedError when it is no record of a log."""
    head = _HEAD.match(raw)
    if head is None or len(raw) > LONGEST_LINE:
        raise LogDamagedError(number, "the line is no record of a log.")
    kind, name, seat = head.groups()
    return ScannedLine(number, raw, kind.decode(), name.decode() if name else None, int(seat) if seat else None)
