"""Log paths: the logs of a folder, in files and in packs. A pack has many finished logs in one zip archive, a member each; a
log in it has the path `FILE.pack/NAME`. Packs come from others, too: all in them is checked, nothing read without a bound."""

import os
import shutil
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipExtFile, ZipFile, ZipInfo

from runner.errors import LogDamagedError, TabletopError, UnreadableFileError, UsageError, is_exhausted, refused
from runner.files import open_regular

LOGS, COMPARISONS, EXAMS, IMPROVEMENTS = map(Path, ("logs", "comparisons", "exams", "improvements"))
"""The default folders of logs, and of what has answers of exams."""

LARGEST_LOG = 2**30
"""Maximum bytes of a log, and of a log with every reference resolved."""

PACK = ".pack"
"""The suffix of a pack."""

LOG, _PACKS = ".jsonl", f"*{PACK}"
POSITIONS, PROPOSALS, VERSIONS, ANSWERS = "positions.jsonl", "proposals.jsonl", "versions.jsonl", ".answers.jsonl"
"""Files of lines that are no logs: positions, beside their logs, proposals and versions; the end of the name of answers."""
_OTHERS = frozenset({POSITIONS, PROPOSALS, VERSIONS})
_GIT = b"PACK"
"""The first bytes of a pack of Git, which has the same suffix."""


def is_pack(path: Path) -> bool:
    """Whether a file is named as a pack and is not one of Git's."""
    if path.suffix != PACK:
        return False
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(_GIT)) != _GIT
    except OSError:
        return True


def pack_of(log: Path) -> Path | None:
    """The pack that a path leads into; None for any other path."""
    return next((above for above in log.parents if above.suffix == PACK and above.is_file()), None)


def name_in(pack: Path, log: Path) -> str:
    return log.relative_to(pack).as_posix()


def place_of(log: Path) -> Path:
    """The path beside which the files of a log are: its own, or for a packed log the one it has in the pack's folder."""
    pack = pack_of(log)
    return log if pack is None else pack.parent / log.relative_to(pack)


def unpacked_name(name: str) -> str:
    """The name of a log in a folder without the packs on its way: the name of the file that was packed."""
    *above, last = name.split("/")
    return "/".join([*(part for part in above if not part.endswith(PACK)), last])


def has_logs(path: Path) -> bool:
    """Whether a path is that of many logs: a folder or a pack."""
    return path.is_dir() or is_pack(path)


def exists(logs: Path) -> bool:
    """Whether there is a file, a folder, or a pack where a path leads into one."""
    return logs.exists() or pack_of(logs) is not None


def base_of(logs: Path) -> Path:
    """The path that the names of logs are relative to: a folder or a pack itself, or what holds a single log."""
    return logs if has_logs(logs) else logs.parent


def log_paths(logs: Path) -> list[Path]:
    """The logs of a folder and its sub-folders, packed ones included, or of a pack, in order; of a log's path that one. What
    cannot be read is among them itself: reading it as a log says why. Positions of exams in sub-folders are none."""
    if is_pack(logs):
        return sorted(_packed(logs))
    if not logs.is_dir():
        return [logs]
    found = set[Path]()
    for above, folders, files in os.walk(logs, onerror=lambda error: found.add(Path(error.filename))):
        if POSITIONS in files and Path(above) != logs:
            continue
        for path in (Path(above, name) for name in (*folders, *files)):
            if path.suffix == PACK:
                found.update(_packed(path) if is_pack(path) else ())
            elif path.name.endswith(LOG) and path.name not in _OTHERS and not path.name.endswith(ANSWERS):
                found.add(path)
    return sorted(found)


def refuse_missing(logs: Path, only_many: bool = False) -> None:
    """UsageError for a path where no log, folder or pack is; with `only_many`, for a single log too."""
    if not exists(logs):
        raise UsageError(f"There is no log, folder or pack {logs}.")
    if only_many and not has_logs(logs):
        raise UsageError(f"{logs} is no folder or pack.")


def logs_in(folder: Path) -> list[Path]:
    """The paths of `log_paths`. UsageError without any."""
    refuse_missing(folder)
    if not (found := log_paths(folder)):
        raise UsageError(f"There are no logs (*.jsonl) in {folder}.")
    return found


def journal_of(log: Path) -> Path:
    """The journal of the calls of a log's match, which is there while any are in flight."""
    return log.parent / f".{log.name}.calls"


def size_of(log: Path) -> int:
    """The bytes of a log. OSError or TabletopError when it cannot be found out."""
    pack = pack_of(log)
    return log.stat().st_size if pack is None else members(pack)[name_in(pack, log)].file_size


def modified_of(log: Path) -> int:
    """When a log or its pack was last written, in ns; 0 where that cannot be found out."""
    try:
        return (pack_of(log) or log).stat().st_mtime_ns
    except OSError:
        return 0


def find_log(folder: Path, name: str) -> Path:
    """The path of the log that a folder has under a name: in a file, or else in a pack directly in the folder."""
    path = folder / name
    if path.exists():
        return path
    packs = (pack for pack in sorted(folder.glob(_PACKS)) if is_pack(pack))
    return next((pack / name for pack in packs if name in members(pack)), path)


def _packed(pack: Path) -> list[Path]:
    try:
        return [pack / name for name in members(pack)]
    except TabletopError:
        return [pack]


LARGEST_PACK = 2**40
"""Maximum bytes of a pack."""

MOST_LOGS = 100_000
"""Maximum number of logs of a pack."""

LONGEST_LOG_NAME = 250
"""Maximum bytes of a log's name in a pack."""

LARGEST_INDEX = 32 * 2**20
"""Maximum bytes of the list of members."""

CHUNK = 2**18
"""Bytes that are copied at a time."""

_EXPANDED_FREELY, _MOST_EXPANDED = 2**20, 50
"""Bounds on the logs of a pack, in bytes and in multiples of its size: the hashes of their lines do not compress."""

_HEAD = struct.Struct("<4s22xHH")
"""The head of a member: its magic number, and the lengths of its name and of the extra field before its content."""

_ENCRYPTED = 1
_SUFFIX = ".jsonl"
_OLD = b"TTPACK01"
"""The end of a pack of version 0.2.0."""


class PackDamagedError(LogDamagedError):
    """A pack is cut short, was changed, or is no pack. No line of the log in it can be read."""

    def __init__(self, pack: Path, why: str) -> None:
        super().__init__(1, f"The pack {pack} is damaged: {why}.")

    def __str__(self) -> str:
        return self.why

    @property
    def sentence(self) -> str:
        return self.why


def members(pack: Path) -> dict[str, ZipInfo]:
    """The logs of a pack by name, in its order. PackDamagedError when it is damaged, UsageError when it cannot be read."""
    try:
        facts = pack.stat()
    except OSError as error:
        raise UnreadableFileError("The pack", pack, str(error.strerror)) from error
    return _members(pack, (facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino))


@lru_cache(maxsize=2)
def _members(pack: Path, stamp: tuple[int, ...]) -> dict[str, ZipInfo]:
    with open_regular(pack, "The pack", LARGEST_PACK) as file:
        try:
            return _checked(_entries(file), stamp[0])
        except BadZipFile as error:
            raise PackDamagedError(pack, str(error)) from error


def open_member(pack: Path, name: str) -> BinaryIO:
    """A log of a pack, in a temporary file without a name. UnreadableFileError without such a log, or PackDamagedError."""
    member = members(pack).get(name)
    if member is None:
        raise UnreadableFileError("The log", pack / name, "the pack has no log of this name", is_missing=True)
    with open_regular(pack, "The pack", LARGEST_PACK) as packed:
        try:
            return _content(packed, member)
        except (BadZipFile, EOFError, zlib.error) as error:
            raise PackDamagedError(pack, f"the content of {name} was changed or cut short") from error
        except OSError as error:
            raise refused(f"The log {pack / name} cannot be read: {error.strerror}.", error) from error


def objection_to(name: str) -> str | None:
    """Why a pack cannot hold a log of this name, as a clause; None when it can."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "is not text in UTF-8"
    if size > LONGEST_LOG_NAME:
        return f"is longer than {LONGEST_LOG_NAME} bytes"
    if "\0" in name or "\\" in name or ".." in name.split("/") or name != str(PurePosixPath(name)) or name.startswith("/"):
        return "is no path within a folder"
    return None if name.endswith(_SUFFIX) else f"does not end in {_SUFFIX}"


class _Bounded:
    """A file for `ZipFile`, which reads the list of members at once, whatever size the archive says it has."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        """Read bytes; BadZipFile when they are too many."""
        if size > LARGEST_INDEX:
            raise BadZipFile(f"its list of members is larger than {LARGEST_INDEX // 2**20} MiB")
        return self._file.read(size if size >= 0 else LARGEST_INDEX)


def _entries(file: BinaryIO) -> list[ZipInfo]:
    try:
        with ZipFile(_Bounded(file)) as archive:
            return [entry for entry in archive.infolist() if not entry.is_dir()]
    except (BadZipFile, NotImplementedError, ValueError, OverflowError, EOFError, OSError, struct.error) as error:
        if is_exhausted(error):
            raise
        file.seek(max(0, file.seek(0, 2) - len(_OLD)))
        is_old = file.read() == _OLD
        why = "it is of version 0.2.0: see `Packs` in docs/log.md" if is_old else f"it is no sound zip archive ({error})"
        raise BadZipFile(why) from error


def _checked(entries: Sequence[ZipInfo], packed: int) -> dict[str, ZipInfo]:
    if not 0 < len(entries) <= MOST_LOGS:
        raise BadZipFile(f"it has more than {MOST_LOGS:,} logs" if entries else "it has no logs")
    if sum(entry.file_size for entry in entries) > _EXPANDED_FREELY + _MOST_EXPANDED * packed:
        raise BadZipFile(f"its logs are more than {_MOST_EXPANDED} times its size")
    places = sorted((entry.header_offset, entry.header_offset + _HEAD.size + entry.compress_size) for entry in entries)
    if places[0][0] < 0 or any(end > start for (_, end), (start, _) in pairwise([*places, (packed, packed)])):
        raise BadZipFile("its logs share bytes")
    found: dict[str, ZipInfo] = {}
    for entry in entries:
        if (why := _objection(entry)) is not None or entry.filename in found:
            raise BadZipFile(f"a log in it {why or 'is there twice'}: {entry.filename[:LONGEST_LOG_NAME]!r}")
        found[entry.filename] = entry
    return found


def _objection(entry: ZipInfo) -> str | None:
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return "is encrypted, or compressed by another method than deflate"
    if not 0 < entry.file_size <= LARGEST_LOG:
        return "is empty, or too large"
    return "has a zero byte in its name" if "\0" in entry.orig_filename else objection_to(entry.filename)


def _content(packed: BinaryIO, member: ZipInfo) -> BinaryIO:
    packed.seek(member.header_offset)
    head = packed.read(_HEAD.size)
    if len(head) < _HEAD.size or not head.startswith(b"PK\3\4"):
        raise BadZipFile
    _, name, extra = _HEAD.unpack(head)
    packed.seek(name + extra, 1)
    file = TemporaryFile()  # noqa: SIM115 -- the caller closes it
    try:
        shutil.copyfileobj(ZipExtFile(packed, "r", member), file, CHUNK)
        if file.tell() != member.file_size:
            raise BadZipFile
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file
