"""Changes: the files that differ from the branch `main`, each with its text before and now.

The working tree, the index, files that git does not know and commits since `main` count; on `main` itself, commits that its
upstream lacks. When there is none of it, the last commit counts.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
_MAIN = ("main", "origin/main", "master", "origin/master")


class GitError(Exception):
    """Git cannot say what has changed."""


class Change(NamedTuple):
    """A changed file: its path from the root, and its text before and now; empty where there was or is none."""

    path: str
    before: str
    now: str


def changes(root: Path = ROOT) -> list[Change]:
    """What has changed in a checkout, sorted by path. GitError where there is no git or no commit."""
    tree = _Tree(root)
    for base in (tree.base(), tree.found("rev-parse", "HEAD~1")):
        if base and (changed := tree.changed(base)):
            return [Change(path, tree.found("show", f"{base}:{path}"), _text(root / path)) for path in sorted(changed)]
    return []


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""


class _Tree:
    """A working tree of git."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def base(self) -> str:
        """The commit that this work began with: where `main` was left; on `main`, where its upstream was."""
        head, branch = self._git("rev-parse", "HEAD").strip(), self.found("symbolic-ref", "--short", "HEAD")
        others = (name for name in _MAIN if name != branch)
        return next(filter(None, (self.found("merge-base", head, name) for name in others)), head)

    def changed(self, base: str) -> set[str]:
        """The paths that differ from a commit, in the working tree, in the index or in later commits."""
        compared = ((base,), ("--cached", base), (base, "HEAD"))
        known = {path for words in compared for path in self._paths("diff", "--no-renames", "--name-only", *words)}
        return known | set(self._paths("ls-files", "--others", "--exclude-standard"))

    def _paths(self, command: str, *words: str) -> Iterator[str]:
        return filter(None, self._git(command, "-z", *words).split("\0"))

    def found(self, *words: str) -> str:
        """What git prints; empty when it refuses."""
        try:
            return self._git(*words).strip("\n")
        except GitError:
            return ""

    def _git(self, *words: str) -> str:
        try:
            done = subprocess.run(("git", *words), cwd=self._root, capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise GitError(f"git {' '.join(words)} does not work here: {error}") from error
        return done.stdout.decode("utf-8", "replace")
