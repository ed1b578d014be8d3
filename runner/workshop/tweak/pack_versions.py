"""Pack versions: the files of a pack as they are edited, and each state that was tried, kept within the pack to go back to."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.digest import digest_of
from runner.files import make_folder, read_regular
from runner.prompting.renderer import LARGEST_FILE, files_in
from runner.record.log_paths import VERSIONS
from runner.record.writer import write_file
from runner.workshop.exam.kept_lines import KeptLines

KEPT = ".tweak"
"""The folder in a pack with what was tried: hidden files are no part of a pack."""

_SHOWN = 12


@dataclass
class PackVersion:
    """A state of a pack: its files by name; `changed` are those that were saved, `found` what came of trying it."""

    files: Mapping[str, bytes]
    changed: list[str] = field(default_factory=list)
    found: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        return digest_of(b"\0".join(name.encode() + b"\0" + data for name, data in sorted(self.files.items())))[:_SHOWN]

    def to_json(self) -> dict[str, Any]:
        return {"digest": self.digest, "changed": self.changed, **self.found}


class PackVersions:
    """The state of a pack's folder now, and those that were tried, oldest first: the first is the one at the start. `_past` has
    those that were not taken back, in order."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._taken = self._seen = self._signature()
        self.now = PackVersion(self._read())
        self.tried, self._past = [self.now], [self.now]
        self._lines = KeptLines(folder / KEPT / VERSIONS)

    def look(self) -> bool:
        """Whether the folder holds something else than before; a file that is still being written is waited for. UsageError for
        a file that cannot be read."""
        try:
            signature = self._signature()
        except OSError:
            return False
        if signature == self._taken:
            return False
        if signature != self._seen:
            self._seen = signature
            return False
        self._taken, files, before = signature, self._read(), self.now.files
        changed = sorted(name for name in {*files, *before} if files.get(name) != before.get(name))
        if changed:
            digest = PackVersion(files).digest
            known = next((one for one in self.tried if one.digest == digest), PackVersion(files))
            known.changed, self.now = changed, known
        return bool(changed)

    def path(self, version: PackVersion) -> Path:
        """The folder in which a version is kept."""
        folder = self.folder / KEPT / version.digest
        make_folder(folder)
        for name, data in version.files.items():
            if not (folder / name).is_file():
                write_file(folder / name, data)
        return folder

    def try_now(self) -> None:
        """Count the state of the folder as tried."""
        if self.now not in self.tried:
            self.tried.append(self.now)
        if self.now is not self._past[-1]:
            self._past.append(self.now)

    def keep(self, version: PackVersion) -> None:
        """Write what came of a version behind what is known of all."""
        self._lines.write(version.to_json())

    def go_back(self) -> list[str]:
        """Write the last state that was tried, other than the one of now, into the folder; which files that changes."""
        if self.now is self._past[-1] and len(self._past) > 1:
            self._past.pop()
        back = self._past[-1]
        self.path(self.now)
        changed = sorted(name for name in {*back.files, *self.now.files} if back.files.get(name) != self.now.files.get(name))
        for name in changed:
            if name in back.files:
                write_file(self.folder / name, back.files[name])
            else:
                (self.folder / name).unlink(missing_ok=True)
        return changed

    def close(self) -> None:
        self._lines.close()

    def _signature(self) -> list[tuple[str, int, int, int]]:
        found = ((name, os.stat(self.folder / name)) for name in files_in(self.folder))
        return [(name, stat.st_mtime_ns, stat.st_size, stat.st_ino) for name, stat in found]

    def _read(self) -> dict[str, bytes]:
        return {name: read_regular(self.folder / name, "The file", LARGEST_FILE) for name in files_in(self.folder)}
