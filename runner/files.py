"""Files: opened without blocking and read up to a bound; written whole, and private where they hold matches."""

import fcntl
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

from runner.errors import TabletopError, UnreadableFileError, UsageError, is_exhausted, unwritable

LARGEST_TEXT = 16 * 2**20
"""Maximum bytes of a text file that a person writes: settings, a plan, a deck, a list of digests."""

_PIECE = 2**20

_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a named pipe, not a regular file"),
    (stat.S_ISSOCK, "it is a socket, not a regular file"),
    (stat.S_ISCHR, "it is a device, not a regular file"),
    (stat.S_ISBLK, "it is a device, not a regular file"),
)


def open_regular(path: Path, what: str, largest: int) -> BinaryIO:
    """A regular file of at most `largest` bytes, open for reading; links are followed. UnreadableFileError names `what`."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        if is_exhausted(error):
            raise
        raise _refusal(what, path, error) from error
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            reasons = (why for is_kind, why in _KINDS if is_kind(facts.st_mode))
            raise UnreadableFileError(what, path, next(reasons, "it is not a regular file"))
        if facts.st_size > largest:
            raise UnreadableFileError(what, path, _too_large(largest))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, what: str, largest: int = LARGEST_TEXT) -> bytes:
    """All of a regular file. UnreadableFileError when it cannot be read or has more than `largest` bytes."""
    with open_regular(path, what, largest) as file:
        try:
            data = _read(file, largest + 1)
        except OSError as error:
            raise _refusal(what, path, error) from error
    if len(data) > largest:
        raise UnreadableFileError(what, path, _too_large(largest))
    return data


def _read(file: BinaryIO, most: int) -> bytes:
    """At most `most` bytes of a file, in pieces: a single read would take memory for all of them, even of a small file."""
    pieces, left = list[bytes](), most
    while left and (piece := file.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def read_regular_text(path: Path, what: str, largest: int = LARGEST_TEXT) -> str:
    """All of a regular file as text in UTF-8, line ends as `\\n`. UnreadableFileError when it is not that."""
    try:
        text = read_regular(path, what, largest).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableFileError(what, path, "it is not text in UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _too_large(largest: int) -> str:
    return f"it is larger than {largest // 2**20} MiB" if largest >= 2**20 else f"it is larger than {largest} bytes"


def _refusal(what: str, path: Path, error: OSError | ValueError) -> UnreadableFileError:
    reason = error.strerror if isinstance(error, OSError) else "no file has such a name"
    return UnreadableFileError(what, path, str(reason), is_missing=isinstance(error, FileNotFoundError))


PRIVATE = 0o600
"""Permissions of a new log and of what is kept beside it."""

_SHARED = 0o666
_PART = re.compile(r"\.[0-9a-f]{32}\.part")
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_whole(path: Path, content: str | bytes, what: str, *, is_private: bool = True, is_synced: bool = True) -> None:
    """Write text or bytes to a file, whole or not at all. PausedError on a full disk, else UsageError."""
    with whole_file(path, what, is_private=is_private, is_synced=is_synced) as file:
        file.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)


@contextmanager
def whole_file(path: Path, what: str, *, is_private: bool = False, is_synced: bool = True) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` at the end of the block; its `name` is that of the file until then. It is for its
    owner alone, or has the permissions of the file before. `is_synced`: a power cut loses neither of them. PausedError on a
    full disk, else UsageError."""
    part: str | None = None
    try:
        _remove_leftovers(path.parent)
        with _new_file(path.parent, PRIVATE if is_private else _SHARED) as file:
            part = str(file.name)
            if not is_private and path.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode) & 0o777)
            yield file
            file.flush()
            if is_synced:
                os.fsync(file.fileno())
            os.replace(part, path)
        if is_synced:
            sync_folder(path.parent)
    except OSError as error:
        raise unwritable(f"{what} {path}", error) from error
    finally:
        if part is not None:
            with suppress(OSError):
                os.unlink(part)


def _new_file(folder: Path, mode: int) -> BinaryIO:
    """A new file with a lock, by which others see that it is being written."""
    while True:
        path = folder / f".{token_hex(16)}.part"
        file = open(path, "r+b", opener=lambda name, _: os.open(name, _NEW, mode))  # noqa: SIM115 -- the caller closes it
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # another process took it for a leftover before it was locked


@lru_cache(maxsize=1024)
def _remove_leftovers(folder: Path) -> None:
    """Remove what killed processes left in a folder; once a process, since a folder may hold many files."""
    with suppress(OSError), os.scandir(folder) as entries:
        for path in [entry.path for entry in entries if _PART.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_if_left(path)


def _remove_if_left(path: str) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder outlast a power cut."""
    with suppress(OSError):  # some file systems sync no folders
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def state_folder() -> Path:
    """The user's own folder of what tabletop remembers. RuntimeError without a home folder."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "tabletop"


_unkept: dict[str, list[str]] = {}


def remembered(name: str) -> list[str]:
    """The lines of a file of the state folder, and those that this process could not write there."""
    with suppress(TabletopError, OSError, RuntimeError):
        return [*read_regular_text(state_folder() / name, "The file").splitlines(), *_unkept.get(name, [])]
    return _unkept.get(name, [])


def remember(name: str, line: str) -> None:
    """Add a line to a private file of the state folder. OSError or RuntimeError when this process alone remembers it."""
    _unkept.setdefault(name, []).append(line)
    folder = state_folder()
    folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
    with os.fdopen(os.open(folder / name, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(f"{line}\n")
    _unkept[name].pop()


_PRIVATE_FOLDER = 0o700


def make_private_folder(path: Path) -> None:
    """Create a folder, and those above it, for their owner alone. Folders that exist stay as they are."""
    if not path.is_dir():
        if path.parent != path:
            make_private_folder(path.parent)
        path.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
        sync_folder(path.parent)


def make_folder(path: Path) -> None:
    """Create a private folder. PausedError on a full disk, else UsageError."""
    try:
        make_private_folder(path)
    except OSError as error:
        raise unwritable(f"The folder {path}", error) from error


def path_to_write(path: Path, what: str = "log") -> Path:
    """The file that a name leads to. UsageError for a link out of the name's folder."""
    if not path.is_symlink():
        return path
    target, folder = Path(os.path.realpath(path)), Path(os.path.realpath(path.parent))
    if not target.is_relative_to(folder):
        raise UsageError(f"The {what} {path} is a link out of its folder, to {target}: specify that file if it is meant.")
    return target


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text. ValueError says what is wrong with it."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise ValueError("its lists or tables are nested too deeply") from error
    except ValueError as error:
        raise ValueError("a number in it has too many digits") from error
