"""Log folder: the summaries of all logs in a folder, of which only those that changed since the last call are read; a
result for every log, from worker processes; and the logs that a verb leaves out, each with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from games.core import GameFault, OptionError
from runner.errors import (
    AllDamagedError,
    BugError,
    Exit,
    LogDamagedError,
    TabletopError,
    UnreadableFileError,
    UsageError,
    told_fault,
)
from runner.files import read_regular, write_whole
from runner.match.header import HeaderRecord
from runner.record.log_paths import LARGEST_LOG, exists, has_logs, is_pack, log_paths, pack_of
from runner.record.log_summary import LogState, LogSummary, summarise
from runner.record.reader import Log, read_log
from runner.worker_processes import in_order

INDEX = ".tabletop-index.json"
_VERSION = 11
"""Counts up when a summary's fields or their meaning change; an index of another version is dropped."""

_WORTH_PROCESSES = 400
_CHUNK = 50


def summaries(folder: Path) -> dict[str, LogSummary]:
    """The summary of every log in a folder and its sub-folders, packed ones included, or in a pack, by its path within, in
    order; of a single log's path that one; none where there is nothing."""
    if not has_logs(folder):
        return {folder.name: summarise(folder)} if exists(folder) else {}
    root, start = (folder.parent, f"{folder.name}/") if is_pack(folder) else (folder, "")
    stamps, index = dict(_stamps(folder, root)), read_index(root)
    known = dict[str, LogSummary]()
    for name, stamp in stamps.items():
        with suppress(TypeError, ValueError, AttributeError):
            if (entry := index.get(name)) and entry[0] == stamp != "":
                known[name] = LogSummary.loaded(entry[1])
    new = [name for name in stamps if name not in known]
    paths = [root / name for name in new]
    read = dict(zip(new, in_order(summarise, paths, _CHUNK, is_worth=len(paths) >= _WORTH_PROCESSES), strict=True))
    changed = {name: (stamps[name], one) for name, one in read.items() if one.state is not LogState.RUNNING}
    kept = {name: entry for name, entry in index.items() if name in stamps or not name.startswith(start)}
    if changed or len(kept) < len(index):
        with suppress(TabletopError):  # the folder cannot be written to
            text = json.dumps({"version": _VERSION, "logs": kept | changed}, separators=(",", ":"))
            write_whole(root / INDEX, text, "The index", is_synced=False)
    return {name.removeprefix(start): known.get(name) or read[name] for name in stamps}


def read_index(folder: Path) -> dict[str, Any]:
    """Stamp and summary (as a list) of each log by its path in the folder; none without a readable index of this version."""
    with suppress(TabletopError, ValueError, RecursionError):
        found = json.loads(read_regular(folder / INDEX, "The index", LARGEST_LOG))
        if isinstance(found, dict) and found.get("version") == _VERSION and isinstance(logs := found.get("logs"), dict):
            return logs
    return {}


def _stamps(folder: Path, root: Path) -> Iterator[tuple[str, str]]:
    """Every log by its path within `root`, with what changes when its file or its pack does. Nobody can choose the time of a
    change of status (ctime), so that an index which comes with somebody else's logs does not fit them."""
    stamp = cache(_stamp)  # of a pack once for all its logs
    for path in log_paths(folder):
        with suppress(FileNotFoundError):  # deleted since it was listed
            yield path.relative_to(root).as_posix(), stamp(pack_of(path) or path)


def _stamp(path: Path) -> str:
    """Facts about a file; empty where there are none, as in a folder that cannot be searched."""
    try:
        facts = path.stat()
    except FileNotFoundError:
        raise
    except OSError:
        return ""
    return f"{facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns} {facts.st_ino}"


def copies(logs: Mapping[str, LogSummary]) -> dict[str, str]:
    """The logs of a folder that are copies, each with the log that counts in its place, by their names. A finished log counts
    before an unfinished one. Of finished logs the one that ended first counts: a match that was resumed twice does not count
    with the better of two ends. Of unfinished ones that with more decisions counts, then the shorter name. Copies share the
    first line, which has the random id of the match; logs of versions without an id are copies if all lines are the same."""
    counts: dict[str, str] = {}
    found: dict[str, str] = {}
    for name, log in sorted(logs.items(), key=_rank):
        identity = log.first or log.digest
        if identity and log.state is not LogState.DAMAGED and counts.setdefault(identity, name) != name:
            found[name] = counts[identity]
    return found


def is_twin(log: LogSummary, counted: LogSummary) -> bool:
    """Whether a copy is the same match resumed apart: both have ended, and not with the same lines."""
    return log.state is counted.state is LogState.FINISHED and log.digest != counted.digest


def originals(logs: Mapping[str, LogSummary]) -> list[LogSummary]:
    copied = copies(logs)
    return [log for name, log in logs.items() if name not in copied]


def _rank(entry: tuple[str, LogSummary]) -> tuple[bool, str, str | int, int, str]:
    """Digests order logs without times, because the number of decisions may depend on who wins."""
    name, log = entry
    if log.state is LogState.FINISHED:
        return False, log.ended, log.digest, len(name), name
    return True, "", -log.decisions, len(name), name


UNUSABLE = (TabletopError, OptionError, GameFault)
"""What reading a log raises: it is damaged, it cannot be read, its game is not there or is at fault."""


def reason_of(error: Exception) -> str:
    """Why a log is not used, for one of `UNUSABLE`."""
    return told_fault(error) if isinstance(error, GameFault) else str(error)


class Unusable(NamedTuple):
    """A log that is left out, and why. `status` says who must act: nobody can for a log that is damaged or cannot be read."""

    name: str
    why: str
    status: Exit = Exit.DAMAGED

    @classmethod
    def of(cls, name: str, error: Exception) -> Unusable:
        """The log whose reading raised one of `UNUSABLE`."""
        if isinstance(error, LogDamagedError | UnreadableFileError):
            return cls(name, str(error))
        return cls(name, reason_of(error), Exit.BUG if isinstance(error, GameFault | BugError) else Exit.USAGE)

    @property
    def place(self) -> str:
        """The log and the reason, as every verb says it: the line behind the name, where one is known."""
        return f"{self.name}{', ' if self.why.startswith('line ') else ': '}{self.why.rstrip('.')}."

    @property
    def sentence(self) -> str:
        return f"Left out{', damaged' if self.status is Exit.DAMAGED else ''}: {self.place}"


def exit_of(found: Sequence[Unusable]) -> Exit:
    """The exit status of a verb that leaves these logs out."""
    return next((status for status in (Exit.DAMAGED, Exit.BUG) if any(one.status is status for one in found)), Exit.USAGE)


def none_left(found: Sequence[Unusable]) -> TabletopError:
    """The error for a folder of which every log is left out."""
    kind = {Exit.DAMAGED: AllDamagedError, Exit.BUG: BugError}.get(exit_of(found), UsageError)
    return kind(" ".join(one.place for one in found))


Found = TypeVar("Found")


class FollowWork(Protocol):
    """Passes on what is found, and tells somebody how many there are of all."""

    def __call__(self, found: Iterable[Found], total: int, /) -> Iterable[Found]:
        """What is found, unchanged."""


def unfollowed(found: Iterable[Found], total: int) -> Iterable[Found]:
    return found


def of_each_log(
    work: Callable[[Log], Found], paths: Sequence[Path], follow: FollowWork, *, is_worth: bool = True
) -> tuple[dict[Path, Found], dict[Path, Unusable]]:
    """The results of some logs, and the logs that have none, in the order of `paths`. `is_worth`: in further processes."""
    if not paths:
        return {}, {}
    with closing(in_order(partial(_outcome, work), paths, is_worth=is_worth)) as working:
        outcomes = list(zip(paths, follow(working, len(paths)), strict=True))
    found = {path: outcome for path, outcome in outcomes if not isinstance(outcome, Unusable)}
    return found, {path: outcome for path, outcome in outcomes if isinstance(outcome, Unusable)}


def _outcome(work: Callable[[Log], Found], path: Path) -> Found | Unusable:
    try:
        return work(read_log(path))
    except UNUSABLE as error:
        return Unusable.of(path.name, error)


class PerLog(NamedTuple, Generic[Found]):
    """What was found in logs, by their digests, and the logs in which nothing was: they do not follow from the rules of this
    version, or their game lacks something."""

    found: Mapping[str, Found]
    unusable: Sequence[Unusable] = ()


def per_log(work: Callable[[Log], Found], paths: Sequence[Path], follow: FollowWork) -> PerLog[Found]:
    found, unusable = of_each_log(partial(_with_digest, work), paths, follow)
    return PerLog(dict(found.values()), [*unusable.values()])


def _with_digest(work: Callable[[Log], Found], log: Log) -> tuple[str, Found]:
    return log.last, work(log)


def headers_of(paths: Sequence[Path]) -> tuple[dict[Path, HeaderRecord], list[Unusable]]:
    """The headers of some logs, and the logs that cannot be read. The error of `none_left` where that is all of them."""
    found, unusable = of_each_log(attrgetter("header"), paths, unfollowed, is_worth=False)
    if unusable and not found:
        raise none_left([*unusable.values()])
    return found, [*unusable.values()]
