"""Value key: bytes that are equal for plain data of the same value and types, to remember what follows from the data."""

from __future__ import annotations

import marshal

_BY_VALUE = 2
"""Version of marshal's format in which data of the same value has the same bytes, whoever else refers to it."""


def value_key(*data: object) -> bytes:
    """The key of some data. ValueError for anything but the plain types of Python."""
    return marshal.dumps([*data], _BY_VALUE)
