"""The summaries of all logs in a folder, kept in a file beside them so that only new logs have to be read."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from runner.errors import UsageError
from runner.standings.match_facts import Summary, summarise

CACHE = ".standings-cache.json"
_VERSION = 2
_WORTH_PROCESSES = 400
_CHUNK = 50


def summaries(folder: Path) -> dict[str, Summary]:
    """The summary of every log under a folder, by its path in there. UsageError when there is none."""
    if folder.is_file():
        return {folder.name: summarise(folder)}
    paths = sorted(folder.rglob("*.jsonl"))
    if not paths:
        raise UsageError(f"There are no logs (*.jsonl) in {folder}.")
    known = _known(folder)
    names = [path.relative_to(folder).as_posix() for path in paths]
    stamps = [_stamp(path) for path in paths]
    fresh = [place for place, name in enumerate(names) if known.get(name, [None])[0] != stamps[place]]
    found = dict(zip((names[place] for place in fresh), _read([paths[place] for place in fresh]), strict=True))
    everything = {name: found[name] if name in found else known[name][1] for name in names}
    if fresh or len(known) != len(names):
        _keep(folder, {name: [stamp, everything[name]] for name, stamp in zip(names, stamps, strict=True)})
    return everything


def _stamp(path: Path) -> list[int]:
    try:
        stat = path.stat()
    except OSError:
        return [-1, -1]
    return [stat.st_size, stat.st_mtime_ns]


def _read(paths: Sequence[Path]) -> list[Summary]:
    """The summaries of logs, worked out by all cores when they are many."""
    if len(paths) < _WORTH_PROCESSES:
        return [summarise(path) for path in paths]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), context) as pool:
        return list(pool.map(summarise, paths, chunksize=_CHUNK))


def _known(folder: Path) -> dict[str, list[Any]]:
    try:
        data = json.loads((folder / CACHE).read_text(encoding="utf-8"))
        return dict(data["logs"]) if data["version"] == _VERSION else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _keep(folder: Path, logs: dict[str, list[Any]]) -> None:
    """Write the file; a folder that cannot be written to goes without."""
    fresh = folder / f"{CACHE}.{os.getpid()}"
    with contextlib.suppress(OSError):
        fresh.write_text(json.dumps({"version": _VERSION, "logs": logs}, separators=(",", ":")), encoding="utf-8")
        fresh.replace(folder / CACHE)
