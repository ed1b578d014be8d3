"""Wording: how much a text has to do with a change, by the names and words that both have.

A name counts the more the fewer texts have it. Three words in a row that a change takes away, and that a text has, count most:
somebody compares or quotes them.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from math import log
from typing import NamedTuple

from tools.changes import Change

Row = tuple[str, ...]
Weights = Mapping[str, float]

_NAME = re.compile(r"[A-Za-z_]\w\w+")
_PART = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_WORD = re.compile(r"[\w'’-]+")
_ROW = 3
_LINES = 3000
"""Lines of a file that are compared one by one; a longer one has changed as a whole."""

CHANGED, AROUND, TITLE = 1.0, 0.4, 1.5
"""What a name counts on a changed line, in the function around it, and in what that function and its module are called."""


class Text(NamedTuple):
    """What is compared of a text: its names, and each three words that follow one another."""

    names: frozenset[str]
    rows: frozenset[Row]


def text_of(*texts: str) -> Text:
    """The names and rows of some texts together."""
    found = [_text(text) for text in texts]
    return Text(frozenset[str]().union(*(one.names for one in found)), frozenset[Row]().union(*(one.rows for one in found)))


@cache
def _text(text: str) -> Text:
    return Text(frozenset(_names(text)), frozenset(_rows(text)))


def _names(text: str) -> Iterator[str]:
    """The names of a text, whole and in parts: `read_reply` is also `read` and `reply`."""
    for name in _NAME.findall(text):
        yield name.lower()
        yield from (part.lower() for part in _PART.findall(name) if part != name)


def _rows(text: str) -> set[Row]:
    words = [word.lower() for word in _WORD.findall(text)]
    return set(zip(*(words[start:] for start in range(_ROW)), strict=False))


class Corpus:
    """Texts by which a name is rare, or a text long."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self.texts = [*texts]
        self.many = Counter(name for text in self.texts for name in text.names)
        self.quoted = Counter(row for text in self.texts for row in text.rows)
        self.usual = self.many.total() / max(1, len(self.texts))

    def rarity(self, name: str) -> float:
        """How rare a name is; 0 for one that no text has."""
        return log(1 + len(self.texts) / self.many[name]) if name in self.many else 0.0


class Wording:
    """What some changes have to do with texts like those of a corpus."""

    def __init__(self, changes: Sequence[Change], corpus: Corpus) -> None:
        self._usual = corpus.usual
        self._wanted = {name: weight * corpus.rarity(name) ** 2 for name, weight in _weights(changes).items()}
        self._names = frozenset(self._wanted)
        gone = (row for change in changes for row in lost_rows(change))
        self._gone = {row: 1 / corpus.quoted[row] for row in gone if row in corpus.quoted}
        self._rows = frozenset(self._gone)
        self._most = max(map(self._shared, corpus.texts), default=0) or 1

    def likeness(self, text: Text) -> float:
        """How rare the names are that a text shares with the changes: 1 for the most like one."""
        return self._shared(text) / self._most

    def quoting(self, text: Text) -> float:
        """From 0 for a text that has no words that the changes take away, to 1 for one that has some alone."""
        return max((self._gone[row] for row in self._rows & text.rows), default=0) ** 0.5

    def _shared(self, text: Text) -> float:
        shared = sum(self._wanted[name] for name in self._names & text.names)
        return shared / (0.3 + 0.7 * len(text.names) / self._usual) ** 0.5


def _weights(changes: Iterable[Change]) -> Weights:
    """The names that changes have to do with, each with the most that it counts."""
    found: dict[str, float] = {}
    for weight, text in (pair for change in changes for pair in _weighed(change)):
        for name in _names(text):
            found[name] = max(found.get(name, 0), weight)
    return found


def _weighed(change: Change) -> Iterator[tuple[float, str]]:
    yield TITLE, change.path.removesuffix(".py").rpartition("/")[2]
    for text, numbers in zip((change.before, change.now), changed_lines(change), strict=True):
        lines = text.splitlines()
        yield from ((CHANGED, lines[number]) for number in numbers)
        yield from _around(text, lines, numbers) if change.path.endswith(".py") else ()


def _around(text: str, lines: Sequence[str], numbers: Sequence[int]) -> Iterator[tuple[float, str]]:
    """The functions and classes around lines of a module."""
    tree = _parsed(text)
    if tree is None or not numbers:
        return
    yield AROUND, ast.get_docstring(tree) or ""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            end = node.end_lineno or node.lineno
            if any(node.lineno <= number + 1 <= end for number in numbers):
                yield TITLE, node.name
                yield (
                    AROUND,
                    ast.get_docstring(node) or ""
                    if isinstance(node, ast.ClassDef)
                    else "\n".join(lines[node.lineno - 1 : end]),
                )


def changed_lines(change: Change) -> tuple[list[int], list[int]]:
    """The numbers of the lines, from 0, that are gone, and of those that are new."""
    before, now = change.before.splitlines(), change.now.splitlines()
    if not before or not now or max(len(before), len(now)) > _LINES:
        return list(range(len(before))), list(range(len(now)))
    steps = [step for step in SequenceMatcher(None, before, now, autojunk=False).get_opcodes() if step[0] != "equal"]
    gone = [number for _, start, end, _, _ in steps for number in range(start, end)]
    new = [number for _, _, _, start, end in steps for number in range(start, end)]
    return gone, new


def lost_rows(change: Change) -> set[Row]:
    """The rows of words that a file has no more; of a module, those of its strings."""
    return _spoken(change.path, change.before) - _spoken(change.path, change.now)


def _spoken(path: str, text: str) -> set[Row]:
    tree = _parsed(text) if path.endswith(".py") else None
    if tree is None:
        return _rows(text)
    strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return {row for string in strings for row in _rows(string)}


def _parsed(text: str) -> ast.Module | None:
    """The syntax tree of a module; None for one that does not compile."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None
