"""Power cuts: what a disk has of a command's files at the moment when somebody is told something.

`power_cut.c` stands in for the disk. It is compiled for the tests and preloaded into the command, and notes in one order what
the command syncs and what it sends. After a cut a file ends where it was synced last, and one whose folder was not synced since
it was made is gone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

_SOURCE = Path(__file__).with_name("power_cut.c")


def compiled(folder: Path) -> Path:
    """The library in a folder. Only Linux preloads one: there a missing compiler is an error, elsewhere the test is skipped."""
    if not sys.platform.startswith("linux"):
        pytest.skip("LD_PRELOAD is of Linux")
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler is not None, "tests of power cuts need a C compiler: install gcc"
    library = folder / "power_cut.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, _SOURCE], check=True)
    return library


@dataclass
class Disk:
    """What is on the disk of a command that runs in `folder`, up to some moment: which file each name leads to, and the bytes
    of each file that were synced. `before` is what was there before the command."""

    folder: Path
    library: Path
    before: frozenset[Path] = frozenset()
    names: dict[Path, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, library: Path) -> Disk:
        """The disk of a folder, before any command runs in it."""
        disk = cls(folder, library, frozenset(folder.rglob("*")))
        disk._kept.mkdir()
        return disk

    @property
    def _kept(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}-disk")

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a command whose disk this is."""
        return {"LD_PRELOAD": str(self.library), "POWER_CUT": str(self._kept)}

    def told(self, words: str) -> Iterator[Disk]:
        """The disk at each moment at which something with these words (a pattern) was sent, the same object each time."""
        pattern, then = re.compile(words.encode()), Disk(self.folder, self.library, self.before)
        for line in self._trace():
            if pattern.search(then._take(line)):
                yield then

    def now(self) -> Disk:
        """The disk at this moment."""
        now = Disk(self.folder, self.library, self.before)
        for line in self._trace():
            now._take(line)
        return now

    def _trace(self) -> list[bytes]:
        return (self._kept / "trace").read_bytes().splitlines()

    def _take(self, line: bytes) -> bytes:
        """Take in a line of the trace; the bytes that were sent, if that is what it says."""
        kind, what, *rest = line.decode().split(" ", 2)
        if kind == "O":
            return bytes.fromhex(what)
        if kind == "S":
            self.sizes[what] = int(rest[0])
        elif kind == "F":
            self.names = {path: file for path, file in self.names.items() if str(path.parent) != rest[0]}
        else:
            self.names[Path(rest[0])] = what
        return b""

    def read(self, name: str) -> bytes:
        """What a cut leaves of a file in the folder: nothing of one that is gone."""
        path = self.folder / name
        places = [path, *(above for above in path.parents if above.is_relative_to(self.folder) and above != self.folder)]
        file = self.names.get(path, "")
        if file not in self.sizes or not {*places} <= {*self.names, *self.before}:
            return b""
        return (self._kept / file).read_bytes()[: self.sizes[file]]

    def restore(self, folder: Path) -> None:
        """Write what a cut leaves into another folder."""
        for path in self.names:
            if data := self.read(str(path.relative_to(self.folder))):
                place = folder / path.relative_to(self.folder)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
