"""Packing: the finished logs of a folder written to packs, verified, and removed if that is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from runner.errors import DigestError, UsageError, unwritable
from runner.record.log_end import end_of
from runner.record.log_folder import summaries
from runner.record.log_paths import PACK, pack_of, place_of
from runner.record.log_summary import LogState, LogSummary
from runner.record.pack_index import MOST_LOGS, objection_to
from runner.record.pack_writer import PackWriter
from runner.record.private_files import PRIVATE

Follow = Callable[[Iterable[str], int], Iterable[str]]
"""Passes on the names of logs that are being packed, and tells somebody how many there are of all."""


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
            raise UsageError(f"--out {to}: the name of a pack ends in {PACK}, such as {self._to.with_suffix(PACK)}.")
        if to is not None and to.exists():
            raise UsageError(f"--out {to} exists already: name another file. A pack is never changed.")

    def run(self, follow: Follow) -> None:
        """Pack the finished logs that no pack in the folder has, and read each pack back."""
        found = summaries(self._folder)
        new = self._chosen(found)
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
        packed = dict(_packed_digests(self._folder, found))
        new = []
        for name, log in found.items():
            if pack_of(self._folder / name) is not None:
                continue
            if (objection := _objection(name, log)) is not None:
                self.report.left_out[name] = objection
                continue
            self._digests[name] = log.digest
            new += [name] * (packed.get(name) != log.digest)
        self.report.packed_before = len(self._digests) - len(new)
        return new

    def _write(self, names: Sequence[str], follow: Follow) -> None:
        pack = _free_name(self._to)
        part = pack.with_name(f".{pack.name}.{os.getpid()}.part")
        try:
            self._fill(part, names, follow)
            part.rename(pack)
        except OSError as error:
            raise unwritable(f"The pack {pack}", error) from error
        finally:
            with suppress(OSError):
                part.unlink()
        self._verify(pack, names)
        self.report.packs.append(pack)
        self.report.pack_bytes += pack.stat().st_size

    def _fill(self, part: Path, names: Sequence[str], follow: Follow) -> None:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
        with os.fdopen(handle, "wb") as file:
            writer = PackWriter(file)
            for name in follow(names, len(names)):
                self.report.log_bytes += writer.add(name, self._folder / name)
                self.report.logs += 1
            writer.end()
            file.flush()
            os.fsync(handle)
            newest = max((self._folder / name).stat().st_mtime_ns for name in names)
            os.utime(handle, ns=(newest, newest))  # a pack is as new as its newest log

    def _verify(self, pack: Path, names: Sequence[str]) -> None:
        """Read every log of a new pack: the same digest means the same bytes. DigestError, and no pack, when one differs."""
        found = summaries(pack)
        wrong = [name for name in names if name not in found or found[name].digest != self._digests[name]]
        if wrong or len(found) != len(names):
            pack.unlink()
            raise DigestError(f"{wrong[0] if wrong else pack} was changed while it was packed: nothing is packed or removed.")


def _packed_digests(folder: Path, found: Mapping[str, LogSummary]) -> Iterator[tuple[str, str]]:
    """The digests of the packed logs of a folder, by the names of their files."""
    for name, log in found.items():
        if pack_of(folder / name) is not None and log.state is LogState.FINISHED:
            yield place_of(folder / name).relative_to(folder).as_posix(), log.digest


def _objection(name: str, log: LogSummary) -> tuple[str, str] | None:
    """The state of a log that cannot be packed, and why; None when it can."""
    if log.state is not LogState.FINISHED:
        return log.state.value, log.why
    why = objection_to(name)
    return None if why is None else (log.state.value, f"its name {why}")


def _free_name(wanted: Path) -> Path:
    """The name, or the first of `NAME-2.pack`, `NAME-3.pack`, ... that no file has."""
    if not wanted.exists():
        return wanted
    numbered = (wanted.with_stem(f"{wanted.stem}-{number}") for number in count(2))
    return next(path for path in numbered if not path.exists())
