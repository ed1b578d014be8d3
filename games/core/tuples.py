"""Changing tuples."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def replaced(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values with another one at an index."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)
