"""Fields: every name in the data of decisions, found by playing, with its kinds of value and an example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from games.core import Choice, Choices, Question, Step
from games.search.cases import HOSTILE

_LONGEST_EXAMPLE = 60
ITEM = "[]"
_RECORDS = (Question, Choice, Step)
_LISTS = (list, tuple, Choices)
_CONTAINERS = (dict, *_RECORDS, *_LISTS)
_KINDS = {bool: "yes/no", int: "number", float: "number", str: "text", dict: "mapping", type(None): "none"}
_OPEN = {"fields", "answer"}
"""Mappings with free keys: the fields of an answer."""


@dataclass
class Variable:
    """One name: its kinds of value, an example, the number of decisions that had it, and the names below it."""

    path: tuple[str, ...]
    kinds: set[str] = field(default_factory=set)
    example: object = None
    seen: int = 0
    below: dict[str, Variable] = field(default_factory=dict)
    _last: int = 0

    @property
    def name(self) -> str:
        """The name as a template writes it; `[]` stands for an item of a list."""
        return ".".join(self.path).replace(f".{ITEM}", ITEM)

    def meet(self, value: object, case: int) -> None:
        """Take a value that decision `case` had."""
        if self._last != case:
            self._last = case
            self.seen += 1
        self.kinds.add(_kind(value))
        if not isinstance(value, _CONTAINERS):
            if self.example is None or self.example == "":
                self.example = _example(value)
            return
        for name, inner in _inner(value):
            self.named(name).meet(inner, case)

    def named(self, name: str) -> Variable:
        """The variable of that name below this one."""
        return self.below.get(name) or self.below.setdefault(name, Variable((*self.path, name)))

    def all(self) -> Iterator[Variable]:
        """This one and those below it, in the order in which they were met."""
        yield self
        for one in self.below.values():
            yield from one.all()

    def to_json(self, total: int) -> dict[str, Any]:
        """The variable as data; `always`: every decision of the role had it."""
        return {
            "name": self.name,
            "kind": " or ".join(sorted(self.kinds - {"none"}) + ["none"] * ("none" in self.kinds)),
            "always": self.seen == total,
            "example": self.example,
        }


@dataclass
class RoleReach:
    """All names of a role in a set of decisions."""

    cases: int = 0
    root: Variable = field(default_factory=lambda: Variable(()))

    def add(self, context: dict[str, object]) -> None:
        self.cases += 1
        self.root.meet(context, self.cases)

    def in_order(self) -> list[Variable]:
        return [*self.root.all()][1:]

    def knows(self, chain: tuple[str, ...]) -> bool:
        """Whether a chain of names existed in any decision; anything below a list or a text counts as known."""
        one = self.root
        for name in chain:
            if name not in one.below:
                return one is not self.root and "mapping" not in one.kinds
            if name in _OPEN:
                return True
            one = one.below[name]
        return True


def _inner(value: object) -> Iterable[tuple[str, object]]:
    """What a value holds, by name; items of a list have the same name."""
    if isinstance(value, _RECORDS):
        value = value._asdict()
    if isinstance(value, dict):
        return [(str(name), inner) for name, inner in value.items()]
    return [(ITEM, inner) for inner in value] if isinstance(value, _LISTS) else ()


def _kind(value: object) -> str:
    found = _KINDS.get(type(value))
    if found is None:
        found = "mapping" if isinstance(value, _RECORDS) else "list" if isinstance(value, _LISTS) else type(value).__name__
    return found


def _example(value: object) -> object:
    if value == HOSTILE:
        return None
    return value if not isinstance(value, str) or len(value) <= _LONGEST_EXAMPLE else value[:_LONGEST_EXAMPLE] + "…"
