"""A legal answer in words, for menus and prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, overload

Answer = dict[str, Any]
"""Answer data: field name to value, as a seat gives it."""


class Step(NamedTuple):
    """One step of a choice: `what` is chosen (`card`), its `name`, and its `effect` in plain words."""

    what: str
    name: str
    effect: str = ""


Steps = tuple[Step, ...]


class Choice(NamedTuple):
    """A legal answer, and the same step by step."""

    answer: Answer
    steps: Steps


class Choices(Sequence[Choice]):
    """The legal choices of a question, worked out when first looked at; they compare by value."""

    def __init__(self, list_choices: Callable[[], Sequence[Choice]] = tuple) -> None:
        self._list_choices = list_choices

    @cached_property
    def _choices(self) -> tuple[Choice, ...]:
        return tuple(self._list_choices())

    def __len__(self) -> int:
        return len(self._choices)

    def __iter__(self) -> Iterator[Choice]:
        return iter(self._choices)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, index: int | slice) -> Choice | tuple[Choice, ...]:
        return self._choices[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._choices == tuple(other)

    def __hash__(self) -> int:
        return hash(len(self._choices))

    def __repr__(self) -> str:
        return repr(self._choices)
