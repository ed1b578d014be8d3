"""The logs of a folder, with an index that spares reading again what has not changed. The index is only a cache."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from runner.errors import UsageError
from runner.record.log_summary import RUNNING, Summary, summary

INDEX = ".tabletop-index.json"
_VERSION = 1


def catalogue(folder: Path) -> list[tuple[Path, Summary]]:
    """Every log under a folder with its summary, by name. UsageError when there is no such folder."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    known, fresh = _load(folder), dict[str, Any]()
    found = []
    for path, name, stamp in _files(folder):
        one = _known_summary(known.get(name), stamp) or summary(path)
        found.append((path, one))
        if one.state != RUNNING:
            fresh[name] = {"stamp": stamp, "summary": one.to_json()}
    if fresh != known:
        _save(folder, fresh)
    return found


def _files(folder: Path) -> Iterator[tuple[Path, str, list[int]]]:
    for path in sorted(folder.rglob("*.jsonl")):
        with suppress(OSError):  # gone meanwhile
            facts = path.stat()
            yield path, path.relative_to(folder).as_posix(), [facts.st_size, facts.st_mtime_ns, facts.st_ino]


def _known_summary(entry: Any, stamp: list[int]) -> Summary | None:
    try:
        return Summary.from_json(entry["summary"]) if entry["stamp"] == stamp else None
    except (KeyError, TypeError):
        return None


def _load(folder: Path) -> dict[str, Any]:
    try:
        data = json.loads((folder / INDEX).read_bytes())
        return dict(data["logs"]) if data["version"] == _VERSION else {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def _save(folder: Path, logs: dict[str, Any]) -> None:
    path = folder / INDEX
    fresh = path.with_name(f"{INDEX}.{os.getpid()}")
    with suppress(OSError):  # a folder that cannot be written has no index
        fresh.write_text(json.dumps({"version": _VERSION, "logs": logs}), encoding="utf-8")
        fresh.replace(path)
