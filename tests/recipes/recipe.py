"""Recipes of CONTRIBUTING.md as patches: a heading, the tests that tell whether it was followed, and commands to run after it.

`python -m tests.recipes.recipe NAME` writes a patch again: what differs from the last commit, but for files that are made.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
NOT_CODE = ("tests/*", "docs/*", "README.md")
"""What a recipe changes beside the code: tests, and what documents say."""

MADE = ("docs/log.schema.json", "docs/seats.schema.json", "docs/api.md", "tests/recipes")
"""What no patch has: files that `make docs` writes, and the patches."""


class Recipe(NamedTuple):
    """A recipe: its patch, its heading in CONTRIBUTING.md, and the tests that are red without the rest of the patch.
    `then` are modules to run after it, as `python -m` takes them: they write what is made from the code."""

    patch: Path
    heading: str
    tests: tuple[str, ...]
    then: tuple[str, ...]

    @property
    def files(self) -> set[str]:
        """The paths that the patch changes."""
        return set(re.findall(r"^diff --git a/\S+ b/(\S+)$", self.patch.read_text(encoding="utf-8"), re.MULTILINE))

    @property
    def changed(self) -> set[str]:
        """The paths of the files that were there before."""
        new = re.findall(r"^diff --git a/\S+ b/(\S+)\nnew file", self.patch.read_text(encoding="utf-8"), re.MULTILINE)
        return self.files - {*new}

    def is_followed(self, tree: Path) -> bool:
        """Whether a tree has the whole change already, as that of a reader who has just followed the recipe."""
        return self._applied(tree, "--check", "--reverse").returncode == 0

    def apply(self, tree: Path, *words: str) -> None:
        """Apply the patch to a tree. AssertionError with what git says when it does not apply."""
        done = self._applied(tree, *words)
        assert done.returncode == 0, f"{self.patch.name} has to be written again for this tree: {done.stderr}"

    def _applied(self, tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
        command = ("git", "apply", *words, str(self.patch))
        return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)

    def apply_tests(self, tree: Path) -> None:
        """Apply the part of the patch that changes tests."""
        self.apply(tree, "--include=tests/*")

    def apply_code(self, tree: Path) -> None:
        """Apply what is neither tests nor documents."""
        self.apply(tree, *(f"--exclude={pattern}" for pattern in NOT_CODE))

    def apply_rest(self, tree: Path) -> None:
        """Apply all but the tests."""
        self.apply(tree, "--exclude=tests/*")

    def write(self) -> None:
        """Write the patch again from what differs in the working tree."""
        head = self.patch.read_text(encoding="utf-8").partition("\ndiff ")[0]
        words = ("git", "diff", "-U2", "HEAD", "--", ".", *(f":!{path}" for path in MADE))
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        self.patch.write_text(f"{head}\n{done.stdout}", encoding="utf-8")


def recipes() -> Sequence[Recipe]:
    """All recipes, sorted by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.patch"))]


def _read(path: Path) -> Recipe:
    head = path.read_text(encoding="utf-8").partition("\ndiff ")[0]
    heading, tests, then = (tuple(re.findall(rf"^{word}: (.*)$", head, re.MULTILINE)) for word in ("Recipe", "Test", "Then"))
    return Recipe(path, heading[0], tests, then)


if __name__ == "__main__":
    next(recipe for recipe in recipes() if recipe.patch.stem == sys.argv[1]).write()
