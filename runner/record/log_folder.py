"""Log folder: the summaries of all logs in a folder; only logs that changed since the last call are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from runner.record.folder_index import Entry, read_index, update_index
from runner.record.log_paths import exists, has_logs, is_pack, log_paths, pack_of
from runner.record.log_summary import LogState, LogSummary, summarise
from runner.worker_processes import in_order

_WORTH_PROCESSES = 400
_CHUNK = 50


def summaries(folder: Path) -> dict[str, LogSummary]:
    """The summary of every log in a folder and its sub-folders, packed ones included, or in a pack, by its path within, in
    order; of a single log's path that one; none where there is nothing."""
    if not has_logs(folder):
        return {folder.name: summarise(folder)} if exists(folder) else {}
    root, start = (folder.parent, f"{folder.name}/") if is_pack(folder) else (folder, "")
    stamps = dict(_stamps(folder, root))
    known = {name: entry for name, entry in read_index(root).items() if name.startswith(start)}
    found = {name: _known(known[name], stamp) for name, stamp in stamps.items() if name in known}
    new = [name for name in stamps if found.get(name) is None]
    read = dict(zip(new, _summarised([root / name for name in new]), strict=True))
    changed = {name: Entry(stamps[name], one.dumps()) for name, one in read.items() if one.state is not LogState.RUNNING}
    gone = known.keys() - stamps.keys()
    if changed or gone:
        update_index(root, changed, gone)
    return {name.removeprefix(start): found.get(name) or read[name] for name in stamps}


def _stamps(folder: Path, root: Path) -> Iterator[tuple[str, str]]:
    """Every log by its path within `root`, with what changes when its file or its pack does. Nobody can choose the time of a
    change of status (ctime), so that an index which comes with somebody else's logs does not fit them."""
    stamp = cache(_stamp)  # of a pack once for all its logs
    for path in log_paths(folder):
        with suppress(OSError):  # deleted since it was listed
            yield path.relative_to(root).as_posix(), stamp(pack_of(path) or path)


def _stamp(path: Path) -> str:
    facts = path.stat()
    return f"{facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns} {facts.st_ino}"


def _known(entry: Entry, stamp: str) -> LogSummary | None:
    if entry.stamp == stamp:
        with suppress(TypeError, ValueError):
            return LogSummary.loads(entry.summary)
    return None


def _summarised(paths: Sequence[Path]) -> list[LogSummary]:
    """The summaries of logs, computed by all CPUs when there are many."""
    return list(in_order(summarise, paths, _CHUNK) if len(paths) >= _WORTH_PROCESSES else map(summarise, paths))
