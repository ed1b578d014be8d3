"""Packing: the finished logs of a folder written to packs, verified, and removed if that is asked for."""

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from runner.errors import DigestError, UsageError
from runner.files import PRIVATE, whole_file
from runner.record.log_folder import FollowWork, summaries
from runner.record.log_paths import CHUNK, MOST_LOGS, PACK, objection_to, pack_of, unpacked_name
from runner.record.log_summary import LogState, LogSummary
from runner.record.reader import end_of, open_log

_OLDEST = 315_532_800
"""1980, the first time that a zip archive can name."""


@dataclass
class PackingReport:
    """What packing did: the packs written with their bytes, the logs in them with their bytes, how many logs had been packed
    before and how many files were removed. `left_out` are the states of logs that were not packed, and the reasons, by name.
    """

    packs: list[Path] = field(default_factory=list)
    pack_bytes: int = 0
    logs: int = 0
    log_bytes: int = 0
    packed_before: int = 0
    removed: int = 0
    left_out: dict[str, tuple[str, str]] = field(default_factory=dict)


class Packing:
    """One run over a folder. `to` is the name of the first pack."""

    def __init__(self, folder: Path, to: Path | None = None) -> None:
        self._folder = folder
        self._to = to or folder / f"{folder.resolve().name or 'logs'}{PACK}"
        self.report = PackingReport()
        self._digests: dict[str, str] = {}
        if self._to.suffix != PACK:
            raise UsageError(f"-o {to}: the name of a pack ends in {PACK}, such as {self._to.with_suffix(PACK)}.")
        if to is not None and to.exists():
            raise UsageError(f"-o {to} exists already: name another file. A pack is never changed.")

    def run(self, follow: FollowWork) -> None:
        """Pack the finished logs that no pack in the folder has, and read each pack back."""
        new = self._chosen(summaries(self._folder))
        for start in range(0, len(new), MOST_LOGS):
            self._write(new[start : start + MOST_LOGS], follow)

    def remove(self) -> None:
        """Remove the files whose logs are in a pack. A file that is no longer the log that was packed stays."""
        for name, digest in self._digests.items():
            path = self._folder / name
            end = end_of(path)
            if end is not None and end.digest == digest:
                path.unlink()
                self.report.removed += 1

    def _chosen(self, found: Mapping[str, LogSummary]) -> list[str]:
        """The names of the logs to pack; the others are entered into the report."""
        packed = {
            unpacked_name(name): log.digest
            for name, log in found.items()
            if pack_of(self._folder / name) is not None and log.state is LogState.FINISHED
        }
        new = []
        for name, log in found.items():
            if pack_of(self._folder / name) is not None:
                continue
            if (objection := _objection(name, log)) is not None:
                self.report.left_out[name] = objection
                continue
            self._digests[name] = log.digest
            new += [name] * (packed.get(name) != log.digest)
        self.report.packed_before = len(packed)
        return new

    def _write(self, names: Sequence[str], follow: FollowWork) -> None:
        numbered = (self._to.with_stem(f"{self._to.stem}-{number}") for number in count(2))
        pack = next(path for path in chain([self._to], numbered) if not path.exists())
        with whole_file(pack, "The pack", is_private=True) as file:
            with ZipFile(file, "w") as archive:
                for name in follow(names, len(names)):
                    self.report.log_bytes += self._add(archive, name)
                    self.report.logs += 1
            file.flush()
            newest = max((self._folder / name).stat().st_mtime_ns for name in names)
            os.utime(file.fileno(), ns=(newest, newest))  # a pack is as new as its newest log
        self._verify(pack, names)
        self.report.packs.append(pack)
        self.report.pack_bytes += pack.stat().st_size

    def _add(self, archive: ZipFile, name: str) -> int:
        """Add a log; its size in bytes. UsageError when it cannot be read."""
        path = self._folder / name
        entry = ZipInfo(name, time.gmtime(max(_OLDEST, path.stat().st_mtime))[:6])
        entry.compress_type, entry.external_attr = ZIP_DEFLATED, PRIVATE << 16
        with open_log(path) as log:
            entry.file_size = log.seek(0, os.SEEK_END)
            log.seek(0)
            with archive.open(entry, "w") as member:
                shutil.copyfileobj(log, member, CHUNK)
        return entry.file_size

    def _verify(self, pack: Path, names: Sequence[str]) -> None:
        """Read every log of a new pack: the same digest means the same bytes. DigestError, and no pack, when one differs."""
        found = summaries(pack)
        wrong = [name for name in names if name not in found or found[name].digest != self._digests[name]]
        if wrong or len(found) != len(names):
            pack.unlink()
            raise DigestError(f"{wrong[0] if wrong else pack} was changed while it was packed: nothing is packed or removed.")


def _objection(name: str, log: LogSummary) -> tuple[str, str] | None:
    """The state of a log that cannot be packed, and why; None when it can."""
    if log.state is not LogState.FINISHED:
        return log.state.value, log.why
    why = objection_to(name)
    return None if why is None else (log.state.value, f"its name {why}")
