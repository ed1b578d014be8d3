"""Digest list: the digests of finished logs in a file, a line each as sha256sum writes them, `DIGEST  NAME`."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from games.core import counted
from runner.errors import DigestError, UsageError
from runner.files import read_regular_text
from runner.record.log_paths import unpacked_name
from runner.record.log_summary import LogState, LogSummary

_DIGEST = re.compile("[0-9a-f]{32}")
_LINE = re.compile(rf"({_DIGEST.pattern}) [ *](.+)")
_MOST_NAMED = 5

LARGEST_LIST = 2**26
"""Maximum bytes of a list."""


def digest_of_option(word: str) -> str:
    """The digest on a command line. UsageError when it is none."""
    digest = word.strip().lower()
    if not _DIGEST.fullmatch(digest):
        raise UsageError(f"--digest {word}: a digest has 32 hexadecimal digits, as a finished match prints it.")
    return digest


def check_digest_of(path: Path, found: str, wanted: str) -> None:
    """DigestError when a log is not the one that a digest was published of."""
    if found != wanted:
        raise DigestError(f"{path} has the digest {found}, not {wanted}: it is not the log that was published.")


def digest_lines(logs: Mapping[str, LogSummary]) -> str:
    """The list of the finished logs of a folder, by their paths within it."""
    return "".join(f"{digest}  {name}\n" for name, digest in _finished(logs).items() if "\n" not in name)


def read_digests(path: Path) -> dict[str, str]:
    """The digests in a list by name. UsageError for a file that is no such list."""
    found: dict[str, str] = {}
    for number, line in enumerate(read_regular_text(path, "The list of digests", LARGEST_LIST).split("\n"), 1):
        if line:
            match = _LINE.fullmatch(line)
            if match is None:
                raise UsageError(f"{path}, line {number}: a line has a digest of 32 hexadecimal digits, two blanks and a name.")
            found[match[2].removeprefix("./")] = match[1]
    return found


def _finished(logs: Mapping[str, LogSummary]) -> dict[str, str]:
    """The digests of the finished logs; of a packed one by the name that its file had, so that one list fits both."""
    found: dict[str, str] = {}
    for name, log in logs.items():
        if log.state is LogState.FINISHED:
            same = found.setdefault(unpacked_name(name), log.digest) == log.digest
            found |= {} if same else {name: log.digest}
    return found


def check_digests(logs: Mapping[str, LogSummary], wanted: Mapping[str, str]) -> None:
    """DigestError when the finished logs of a folder are not exactly those of a list."""
    finished, wanted = _finished(logs), {unpacked_name(name): digest for name, digest in wanted.items()}
    wrong = {
        "with another digest": [name for name, digest in wanted.items() if finished.get(name, digest) != digest],
        "missing, unfinished or damaged": [name for name in wanted if name not in finished],
        "not in the list": [name for name in finished if name not in wanted],
    }
    if problems := [f"{counted(len(names), 'log')} {what} ({_named(names)})" for what, names in wrong.items() if names]:
        raise DigestError(f"The logs are not those of the list: {'; '.join(problems)}.")


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
