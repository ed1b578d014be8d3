"""Variables: every name that the templates of a role can use, found by playing matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.core import Choice, Choices, Game, Question, Step
from runner.prompting.pack import VARIABLES
from runner.workshop.corpus import HOSTILE, Case

_LONGEST_EXAMPLE = 60
ITEM = "[]"
_RECORDS = (Question, Choice, Step)
_LISTS = (list, tuple, Choices)
_KINDS = {bool: "yes/no", int: "number", float: "number", str: "text", dict: "mapping", type(None): "none"}
_OPEN = {"fields", "answer"}
"""Mappings with free keys: the fields of an answer."""


@dataclass
class Variable:
    """One name: its kinds of value, an example, and the number of decisions that had it."""

    path: tuple[str, ...]
    kinds: set[str] = field(default_factory=set)
    example: object = None
    seen: int = 0

    @property
    def name(self) -> str:
        """The name as a template writes it; `[]` stands for an item of a list."""
        return ".".join(self.path).replace(f".{ITEM}", ITEM)

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
    variables: dict[tuple[str, ...], Variable] = field(default_factory=dict)

    def add(self, context: dict[str, object]) -> None:
        self.cases += 1
        met: set[tuple[str, ...]] = set()
        for name, value in context.items():
            self._meet((name,), value, met)
        for path in met:
            self.variables[path].seen += 1

    def _meet(self, path: tuple[str, ...], value: object, met: set[tuple[str, ...]]) -> None:
        met.add(path)
        variable = self.variables.get(path) or self.variables.setdefault(path, Variable(path))
        variable.kinds.add(_kind(value))
        if variable.example in (None, ""):
            variable.example = _example(value)
        for name, inner in _inner(value):
            self._meet((*path, name), inner, met)

    def in_order(self) -> list[Variable]:
        place = {path: number for number, path in enumerate(self.variables)}
        return sorted(self.variables.values(), key=lambda v: [place[v.path[:end]] for end in range(1, len(v.path) + 1)])

    def knows(self, chain: tuple[str, ...]) -> bool:
        """Whether a chain of names existed in any decision; anything below a list or a text counts as known."""
        for end in range(1, len(chain) + 1):
            found = self.variables.get(chain[:end])
            if found is None:
                return end > 1 and "mapping" not in self.variables[chain[: end - 1]].kinds
            if found.path[-1] in _OPEN:
                return True
        return True


def reaches(game: Game, cases: Iterable[Case]) -> dict[str, RoleReach]:
    found = {role: RoleReach() for role in game.roles}
    for case in cases:
        found[case.question.role].add(case.context())
    return found


def _inner(value: object) -> Iterable[tuple[str, object]]:
    """What a value holds, by name; items of a list have the same name."""
    if isinstance(value, _RECORDS):
        value = value._asdict()
    if isinstance(value, dict):
        return [(str(name), inner) for name, inner in value.items()]
    return [(ITEM, inner) for inner in value] if isinstance(value, _LISTS) else ()


def _kind(value: object) -> str:
    if isinstance(value, _RECORDS):
        return "mapping"
    if isinstance(value, _LISTS):
        return "list"
    return _KINDS.get(type(value), type(value).__name__)


def _example(value: object) -> object:
    if (isinstance(value, (dict, Sequence)) and not isinstance(value, str)) or value == HOSTILE:
        return None
    return value if not isinstance(value, str) or len(value) <= _LONGEST_EXAMPLE else value[:_LONGEST_EXAMPLE] + "…"


def described(game: Game, role: str, name: str) -> str:
    """The description of a name, if the code has one."""
    root, _, rest = name.partition(".")
    if not rest:
        return VARIABLES.get(root, "")
    if root == "options" and rest in game.options:
        return game.options[rest].help
    return ""
