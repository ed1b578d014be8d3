"""Measured tables: which of the tables in the documents were measured with other code than there is now.

A table that a campaign made stands below a comment such as `<!-- measured with games/search games/coup: 1a2b3c4d -->`: the
folders and modules that decide its figures, and the digest of their code. Where the code has moved since, `python -m
tools.measured` writes a line below the comment that says so to readers, and takes it away where the digest fits again.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted((ROOT / "docs").glob("*.md"))
EARLIER = "*Measured with an earlier version of this code.*"
"""What readers of a stale table see."""

TOLD = ("table.py", "drama.py", "remarks.py", "recap.py")
"""Modules of a game that draw and tell a match. Rules, bots and search do not import them, so no figure depends on them."""

_STAMP = re.compile(
    rf"<!-- measured with (?P<paths>[\w/. ]+): (?P<digest>[0-9a-f]{{8}}) -->\n(?P<earlier>{re.escape(EARLIER)}\n\n?)?"
)


class Stamp(NamedTuple):
    """The stamp of a table: where it stands, what it was measured with, and whether readers are told that this is other code
    now."""

    document: str
    paths: tuple[str, ...]
    digest: str
    is_called_earlier: bool

    @property
    def is_stale(self) -> bool:
        """Whether the code has moved since."""
        return digest_of(*self.paths) != self.digest


@cache
def digest_of(*paths: str) -> str:
    """The digest of the code of folders and modules, below the root, and of the weights in a game's decks. Comments, docstrings
    and layout do not count; data does."""
    found = blake2b(digest_size=4)
    for file in sorted(file for path in paths for file in _files(ROOT / path)):
        found.update(file.relative_to(ROOT).as_posix().encode())
        found.update(_code(file.read_text(encoding="utf-8")) if file.suffix == ".py" else file.read_bytes())
    return found.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        return iter([path])
    weights = (ROOT / "decks").glob(f"{path.name}_*.json")
    return chain((file for file in path.rglob("*.py") if file.name not in TOLD), weights)


@cache
def _code(source: str) -> bytes:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = [one for one in node.body if not _is_text(one)]
    return _dumped(tree).encode()


def _dumped(part: object) -> str:
    """A syntax tree as text, the same in every version of Python: newer ones have more fields, which are empty for old code."""
    if isinstance(part, ast.AST):
        fields = [(name, value) for name, value in ast.iter_fields(part) if value is not None and value != []]
        return f"{type(part).__name__}({', '.join(f'{name}={_dumped(value)}' for name, value in fields)})"
    return f"[{', '.join(map(_dumped, part))}]" if isinstance(part, list) else repr(part)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def stamp_of(*paths: str) -> str:
    """The comment to put above a table that was measured with the code as it is."""
    return f"<!-- measured with {' '.join(paths)}: {digest_of(*paths)} -->"


def stamps(document: Path) -> Iterator[Stamp]:
    """The stamps of a document."""
    for found in _STAMP.finditer(document.read_text(encoding="utf-8")):
        yield Stamp(document.name, tuple(found["paths"].split()), found["digest"], found["earlier"] is not None)


def renewed(text: str) -> str:
    """A document in which each stale table says so, and no other one."""

    def said(found: re.Match[str]) -> str:
        stamp = Stamp("", tuple(found["paths"].split()), found["digest"], False)
        return found[0].splitlines()[0] + "\n" + (f"{EARLIER}\n\n" if stamp.is_stale else "")

    return _STAMP.sub(said, text)


def main(words: Sequence[str]) -> None:
    """Renew all documents, or print the stamp for some folders."""
    if words:
        sys.stdout.write(f"{stamp_of(*words)}\n")
    for document in () if words else DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        if (new := renewed(text)) != text:
            document.write_text(new, encoding="utf-8")
        for stamp in stamps(document):
            if stamp.is_stale:
                sys.stdout.write(f"{stamp.document}: measured with an earlier version of {', '.join(stamp.paths)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
