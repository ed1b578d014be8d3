"""Log verification: chain, rules, views, digests, counts and result; and lists of the digests of finished logs, a line each as
sha256sum writes them, `DIGEST  NAME`."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from games.core import counted
from runner.errors import DigestError, LogDamagedError, UsageError, in_log
from runner.files import read_regular_text
from runner.match.records import ResultRecord
from runner.record.log_folder import UNUSABLE, reason_of
from runner.record.log_paths import unpacked_name
from runner.record.log_summary import LogState, LogSummary
from runner.record.reader import Log, read_sound_part
from runner.record.replay import replay
from runner.worker_processes import in_order

_WORTH_PROCESSES = 60
"""Logs that are worth several processes."""
_CHUNK = 5
"""Logs that a process checks at a time."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Result of verifying a log: counts, and the match's result if it has ended."""

    lines: int
    decisions: int
    attempts: int
    result: ResultRecord | None

    @property
    def has_ended(self) -> bool:
        return self.result is not None


def verify(log: Log) -> Verified:
    """Play the whole match again and check everything. LogDamagedError where it does not hold."""
    with in_log(log.path):
        counts = Counter(event.record["kind"] for _, event in replay(log))
    return Verified(log.records[-1][0] if log.records else 1, counts["decision"], counts["attempt"], log.result)


def verify_file(path: Path) -> tuple[Log, Verified]:
    """A verified log; a last line cut short is no damage to an unfinished match. LogDamagedError where it does not hold."""
    log = read_sound_part(path)
    if log.damage is not None and not (log.is_torn and log.result is None):
        raise log.damage
    return log, verify(replace(log, damage=None))


@dataclass(frozen=True, slots=True)
class LogCheck:
    """Result of verifying one file of a folder: `state` is sound, unfinished, damaged or unreadable."""

    path: str
    state: str
    line: int | None = None
    why: str = ""
    decisions: int = 0


def verify_folder(paths: Sequence[Path]) -> Iterator[LogCheck]:
    """The check of each log, in the order of the paths; of many, by all processors."""
    return in_order(_check, paths, _CHUNK, is_worth=len(paths) >= _WORTH_PROCESSES)


def _check(path: Path) -> LogCheck:
    try:
        log, verdict = verify_file(path)
    except LogDamagedError as damage:
        return LogCheck(str(path), "damaged", damage.line, damage.why)
    except UNUSABLE as error:
        return LogCheck(str(path), "unreadable", None, reason_of(error))
    line, why = (None, "") if log.damage is None else (log.damage.line, log.damage.why)
    return LogCheck(str(path), "sound" if verdict.has_ended else "unfinished", line, why, verdict.decisions)


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
