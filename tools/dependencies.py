"""Dependencies: what a file of the project is made from, read from its imports and from the names that it spells out.

A module depends on what it imports, at the top, inside a function or for type checking alone, on the packages above that, and
on each module and file that it names. A file of data belongs to the modules that name it, or else its folder.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
CODE = ("games", "runner", "tests", "tools", "integrations")
DATA = ("docs", "prompts", "decks", ".ci")
LOADERS = {"games/registry.py": "games/", "runner/cli/app.py": "runner/cli/", "tools/mutation_list.py": "games/"}
"""Modules that load or change others by names which are made when they run, with the folder of those."""
SETTINGS = "pyproject.toml"
PATCHES = "tests/recipes/recipe.py"
"""The module that applies the patches beside it."""
READERS = {
    "prompts/": "runner/prompting/renderer.py",
    "decks/": "games/core/decks.py",
    "runner/export/page/": "runner/export/pages.py",
    "runner/serve/web/": "runner/serve/web_app.py",
}
"""Folders of data with the module that reads them by names that games, decks, templates or tables of data have."""

_IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|[^\n#]+)|import ([^\n#]+))", re.MULTILINE)
_QUOTED = re.compile(r"""["']([\w./-]+)["'/]""")
_FILE = re.compile(r"[\w.-]*\.\w+")
_PARAMETER = re.compile(r"\b\w+(?=: |\()")
_CHANGED = re.compile(r"^diff --git a/(\S+) ", re.MULTILINE)
_FIXTURE = re.compile(r"^@pytest\.fixture.*\n(?:async )?def (\w+)", re.MULTILINE)


class Spelled(NamedTuple):
    """What a module spells out: what it imports, also in scripts that it has as text; what stands in quotation marks; whatever
    may be the name of a file; and what may be a parameter."""

    imports: frozenset[str]
    words: frozenset[str]
    files: frozenset[str]
    parameters: frozenset[str]

    def says(self, path: str, name: str, folder: frozenset[str]) -> bool:
        """Whether a file is named: by its path, by its last part, or by the folder that it is in."""
        return name in self.files or path in self.words or (bool(folder) and folder <= self.words)


class Project:
    """The files of a checkout, and what each depends on. `gone` are paths of files that have been deleted."""

    def __init__(self, root: Path = ROOT, gone: Sequence[str] = ()) -> None:
        self.root = root
        self._gone = frozenset(gone)

    @cached_property
    def files(self) -> frozenset[str]:
        """All paths, those that are gone included."""
        below = (path for top in (*CODE, *DATA) for path in (self.root / top).rglob("*"))
        found = (
            path
            for path in (*below, *self.root.iterdir())
            if path.is_file() and path.name != ".git" and "__pycache__" not in path.parts
        )
        return frozenset(path.relative_to(self.root).as_posix() for path in found) | self._gone

    @cached_property
    def tests(self) -> list[str]:
        """The modules of tests."""
        return sorted(path for path in self.files - self._gone if is_test(path))

    @cached_property
    def games(self) -> frozenset[str]:
        """The names of the games in the tree."""
        return frozenset(path.split("/")[1] for path in self.files if re.fullmatch(r"games/\w+/RULES\.md", path))

    def games_of(self, path: str) -> frozenset[str]:
        """The games whose rules, words or deck a file is part of."""
        top, _, rest = path.partition("/")
        room, stem = rest.partition("/")[0], rest.partition(".")[0]
        if top != "decks":
            return self.games & {room} if top in ("games", "prompts") else frozenset()
        found = (
            (game, self._spelled[other].words)
            for game in self.games
            for other in self._code
            if other.startswith(f"games/{game}/")
        )
        return frozenset(game for game, words in found if stem in words or rest in words)

    @cached_property
    def direct(self) -> dict[str, frozenset[str]]:
        """Each Python file with what it depends on itself, data included."""
        found = {path: set(self._imports(path)) for path in self._code}
        imported = {path for on in found.values() for path in on}
        for path in self._code:
            found[path] |= set(self._named(path))
        for path in sorted(self.files):
            for user in self._users(path, is_imported=path in imported):
                found[user].add(path)
        return {path: frozenset(on - {path}) for path, on in found.items()}

    def distances(self, path: str) -> dict[str, int]:
        """Everything that a file depends on, with the number of imports on the shortest way; helpers of tests add none. Tests
        depend on their settings, on each conftest above them, and on what that imports if they use one of its fixtures."""
        found, front = {path: 0, SETTINGS: 2}, [path]
        for conftest, fixtures in self._fixtures.items():
            if path.startswith(conftest.removesuffix("conftest.py")):
                found[conftest] = 0
                front += [conftest] * bool(fixtures & self._spelled[path].parameters)
        for at in front:
            for other in self.direct.get(at, ()):
                if other not in found:
                    found[other] = found[at] + (not other.startswith(("tests/", "tools/")))
                    front.append(other)
        return found

    def text(self, path: str) -> str:
        """The text of a file; empty when it is gone."""
        return "" if path in self._gone else (self.root / path).read_text(encoding="utf-8", errors="replace")

    @cached_property
    def _code(self) -> list[str]:
        return sorted(path for path in self.files if path.endswith(".py"))

    @cached_property
    def _modules(self) -> dict[str, str]:
        """The Python files by dotted name."""
        return {path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): path for path in self._code}

    @cached_property
    def _spelled(self) -> dict[str, Spelled]:
        return {path: _spelled(self.text(path)) for path in self._code}

    @cached_property
    def _fixtures(self) -> dict[str, frozenset[str]]:
        """The fixtures of each conftest."""
        found = (path for path in self._code if path.endswith("/conftest.py"))
        return {path: frozenset(_FIXTURE.findall(self.text(path))) for path in found}

    def _imports(self, path: str) -> Iterator[str]:
        yield from self._packages(path)
        for name in self._spelled[path].imports:
            yield from self._behind(name)

    def _named(self, path: str) -> Iterator[str]:
        """The files that a module spells out by path or as dotted names, and those that it makes the names of."""
        for word in self._spelled[path].words:
            found = (*self._behind(word), word) if "." in word else (word,)
            yield from (one for one in found if one in self.files and not is_test(one))
        if path in LOADERS:
            yield from (other for other in self._code if other.startswith(LOADERS[path]))
        if path == PATCHES:
            patches = (self.text(other) for other in self.files if other.endswith(".patch"))
            yield from self.files & {changed for text in patches for changed in _CHANGED.findall(text)}

    @cached_property
    def _behind(self) -> Callable[[str], Sequence[str]]:
        return cache(self._modules_behind)

    def _modules_behind(self, name: str) -> Sequence[str]:
        """The module of a dotted name, or the one that is asked for its last part, with the packages above."""
        module = self._modules.get(name) or self._modules.get(name.rpartition(".")[0])
        return () if module is None else (module, *self._packages(module))

    def _packages(self, path: str) -> Iterator[str]:
        yield from (above for up in PurePosixPath(path).parents if (above := f"{up}/__init__.py") in self.files)

    def _users(self, path: str, is_imported: bool) -> Iterator[str]:
        """The Python files that name a file, and so may read it."""
        is_code = path.endswith(".py")
        if not is_code:
            yield from (reader for folder, reader in READERS.items() if path.startswith(folder))
        if is_code and (is_imported or is_test(path) or path.startswith(("games/", "runner/", "tools/"))):
            return
        *above, name = path.split("/")
        folder = frozenset(above[-1:] if path.startswith(("tests/", "integrations/")) else above[-2:])
        others = self._folders[name] - {"/".join(above)}
        named = [
            user
            for user, spelled in self._spelled.items()
            if spelled.says(path, name, folder) and user.rpartition("/")[0] not in others and _may_read(user, path)
        ]
        yield from named or (() if is_code else self._nearest(path))

    @cached_property
    def _folders(self) -> dict[str, set[str]]:
        """The folders that have a file of each name."""
        found: dict[str, set[str]] = defaultdict(set)
        for path in self.files:
            folder, _, name = path.rpartition("/")
            found[name].add(folder)
        return found

    def _nearest(self, path: str) -> Iterator[str]:
        """The Python files of the first folder above a file that has some."""
        for up in PurePosixPath(path).parents:
            if found := [other for other in self._code if other.rpartition("/")[0] == str(up)]:
                yield from found
                return


@cache
def _spelled(text: str) -> Spelled:
    imports = [name for found in _IMPORT.finditer(text) for name in _imported(*found.groups(""))]
    return Spelled(frozenset(imports), *(frozenset(found.findall(text)) for found in (_QUOTED, _FILE, _PARAMETER)))


def _imported(module: str, names: str, modules: str) -> list[str]:
    """The dotted names of a statement; a name imported from a module counts as `module.name`."""
    if module:
        return [f"{module}.{name.split()[0]}" for name in names.strip("() \n").split(",") if name.strip()]
    return [name.split()[0] for name in modules.split(",") if name.strip()]


def _may_read(user: str, path: str) -> bool:
    """Rules and runner name documents and tests to people only."""
    return not user.startswith(("games/", "runner/")) or path.startswith(("games/", "runner/", "prompts/", "decks/"))


def is_test(path: str) -> bool:
    """Whether a file is a module of tests."""
    return path.startswith("tests/") and path.rpartition("/")[2].startswith("test_") and path.endswith(".py")
