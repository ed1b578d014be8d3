"""Remembered macro: a macro whose text follows from its arguments, rendered once for each of them."""

from __future__ import annotations

from collections.abc import Callable

from runner.value_key import value_key

_MOST = 10_000
"""Texts that are kept of a macro."""


class RememberedMacro:
    """A macro that keeps its texts. It is called as before for keywords, and for arguments that are not plain data."""

    __slots__ = ("_known", "_macro")

    def __init__(self, macro: Callable[..., str]) -> None:
        self._macro = macro
        self._known: dict[bytes, str] = {}

    def __call__(self, *values: object, **named: object) -> str:
        """The text for these arguments."""
        return self._macro(*values, **named) if named else self.text(values)

    def text(self, values: tuple[object, ...]) -> str:
        """The text for arguments without keywords."""
        try:
            key = value_key(*values)
        except ValueError:
            return self._macro(*values)
        found = self._known.get(key)
        return self._new(key, values) if found is None else found

    def _new(self, key: bytes, values: tuple[object, ...]) -> str:
        if len(self._known) >= _MOST:
            self._known.clear()
        found = self._known[key] = self._macro(*values)
        return found
