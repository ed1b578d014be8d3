"""Faults by chance: one place of a file says something else than it did. A seed makes the same faults of the same files."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.import_graph import ROOT

_OTHER = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
_LONG = re.compile(r"(?<![\w{])[a-z]{4,}(?![\w}])")
_SENTENCE = 3
"""Words of a string that people read."""


class Fault(NamedTuple):
    """A fault: in the file at `path`, `new` takes the place of the text from `start` to `end`."""

    path: str
    start: int
    end: int
    new: str

    def put_into(self, text: str) -> str:
        """The text of the file with the fault."""
        return text[: self.start] + self.new + text[self.end :]

    def told(self, text: str) -> str:
        """The fault in one line, of the text without it."""
        line = text.count("\n", 0, self.start) + 1
        return f"{self.path}:{line}: {text[self.start : self.end]!r} is {self.new!r}"


def some(paths: Sequence[str], count: int, seed: str) -> list[Fault]:
    """A number of faults in some files, no two in one file while there are others."""
    rng, found = random.Random(seed), list[Fault]()
    while len(found) < count:
        for path in rng.sample(paths, len(paths)):
            if faults := [fault for fault in faults_of(path) if fault not in found]:
                found.append(rng.choice(faults))
            if len(found) == count:
                break
    return found


def faults_of(path: str) -> list[Fault]:
    """Every fault that can be put into a file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if not path.endswith(".py"):
        return [Fault(path, *span) for span in _of_words(path, text)]
    return [Fault(path, *span) for span in _of_code(text)]


def _of_code(text: str) -> Iterator[tuple[int, int, str]]:
    """The faults in the functions of a module."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines(keepends=True)

    def at(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    def span(node: ast.expr) -> tuple[int, int]:
        return at(node.lineno, node.col_offset), at(node.end_lineno or 0, node.end_col_offset or 0)

    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in dict.fromkeys(inner for function in functions for one in _body(function) for inner in _nodes(one)):
        match node:
            case ast.Compare(left, [operator], [right]):
                yield from _swapped(text, span(left)[1], span(right)[0], operator)
            case ast.BoolOp(operator, [first, second, *_]):
                yield from _swapped(text, span(first)[1], span(second)[0], operator)
            case ast.If(test) | ast.IfExp(test):
                start, end = span(test)
                yield start, end, f"not ({text[start:end]})"
            case ast.Constant(value) if type(value) is int:
                yield *span(node), str(value + 1)
            case ast.Constant(str()) | ast.JoinedStr():
                yield from _turned(text, *span(node))


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, but for what is inside a string: where that stands is not known."""
    yield node
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from _nodes(child)


def _body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function) is not None else function.body


def _swapped(text: str, start: int, end: int, operator: ast.AST) -> Iterator[tuple[int, int, str]]:
    """The fault of an operator between two operands."""
    old, new = _OTHER[type(operator)]
    found = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", text[start:end])
    if found is not None:
        yield start + found.start(), start + found.end(), new


def _turned(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The faults of a sentence: a word of it written backwards. What is in braces is code."""
    for plain in re.finditer(r"[^{}]+(?![^{]*\})", text[start:end]):
        for found in _LONG.finditer(plain[0]) if len(plain[0].split()) >= _SENTENCE else ():
            if found[0] != found[0][::-1]:
                place = start + plain.start() + found.start()
                yield place, place + len(found[0]), found[0][::-1]


def _of_words(path: str, text: str) -> Iterator[tuple[int, int, str]]:
    """The faults of a document, in what its examples print, or of a template, outside of what Jinja reads."""
    if path.endswith(".md"):
        blocks = re.finditer(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        places = [span for block in blocks for span in _printed(block)]
    else:
        places = [found.span() for found in re.finditer(r"(?:^|(?<=[%}#]\}))[^{}]+", text)]
    for start, end in places:
        yield from _turned(text, start, end)


def _printed(block: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The lines of an example that its commands have printed, whole."""
    lines = re.finditer(r"^(?![$>] )[^…\n]+$", block[1], re.MULTILINE)
    return ((block.start(1) + line.start(), block.start(1) + line.end()) for line in lines)


def files_below(*folders: str, suffix: str = ".py") -> list[str]:
    """The files below some folders, sorted."""
    found = (path for folder in folders for path in Path(ROOT / folder).rglob(f"*{suffix}"))
    return sorted(path.relative_to(ROOT).as_posix() for path in found if faults_of(path.relative_to(ROOT).as_posix()))
