"""Remembered macro: a macro whose text follows from its arguments, rendered once for each of them."""

from __future__ import annotations

import marshal
from collections.abc import Callable

_MOST = 10_000
"""Texts that are kept of a macro."""

_BY_VALUE = 2
"""Version of marshal's format in which data of the same value has the same bytes, whoever else refers to it."""


def remembered(macro: Callable[..., str]) -> Callable[..., str]:
    """A macro that keeps its texts. It is called as before for keywords, and for arguments that are not plain data."""
    known: dict[bytes, str] = {}

    def text(*values: object, **named: object) -> str:
        key = None if named else _key(values)
        if key is None:
            return macro(*values, **named)
        if (found := known.get(key)) is None:
            if len(known) >= _MOST:
                known.clear()
            found = known[key] = macro(*values)
        return found

    return text


def _key(values: tuple[object, ...]) -> bytes | None:
    try:
        return marshal.dumps([*values], _BY_VALUE)
    except ValueError:
        return None
