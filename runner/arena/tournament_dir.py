"""The folder of a tournament: its plan, the logs of its matches, and what has been played of it."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from games.core import quoted
from runner.arena.plan import Plan
from runner.errors import UsageError
from runner.match.header import now, package_version

MANIFEST = "tournament.json"
_LOCK = ".lock"
_RESULT = b'{"kind":"result"'
_TAIL = 1 << 16
_MAY_CHANGE = ("budget", "budget_tokens", "concurrency")


class Folder:
    """A tournament's folder. What has been played stands in the logs alone."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def settle(self, plan: Plan) -> None:
        """Write the plan down, or see that the tournament in the folder is this one. UsageError when it is another.

        Budgets and concurrency may be others than before, and deals may be more.
        """
        manifest = self.path / MANIFEST
        data = plan.to_json()
        if manifest.exists():
            found = _manifest(manifest)
            if (difference := _difference(found["plan"], data)) is not None:
                raise UsageError(f"{self.path} holds another tournament: {difference} Name another folder with --out.")
            created = found["created"]
        else:
            if self.path.exists() and any(self.path.rglob("*.jsonl")):
                raise UsageError(f"{self.path} holds logs, but no tournament: name another folder with --out.")
            created = now()
        self.path.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"created": created, "package": package_version(), "plan": data}, ensure_ascii=False, indent=1)
        fresh = manifest.with_suffix(".new")
        fresh.write_text(text + "\n", encoding="utf-8")
        fresh.replace(manifest)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep everybody else from running the tournament. UsageError when somebody does."""
        self.path.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise UsageError(f"The tournament in {self.path} is being run by another process.") from None
        finally:
            os.close(lock)

    def result(self, name: str) -> dict[str, Any] | None:
        """The result at the end of a match's log; None when there is none yet."""
        try:
            with (self.path / name).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
                tail = file.read()
        except FileNotFoundError:
            return None
        if not tail.endswith(b"\n"):
            return None
        last = tail[:-1].rpartition(b"\n")[2]
        return dict(json.loads(last)) if last.startswith(_RESULT) else None


def _manifest(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {"plan": dict(found["plan"]), "created": str(found["created"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"The file {path} is not the record of a tournament.") from error


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str | None:
    """What is different between two plans that matters, in words."""
    for name in sorted((old.keys() | new.keys()) - set(_MAY_CHANGE) - {"games"}):
        if old.get(name) != new.get(name):
            return f"its {_apart(name, old.get(name), new.get(name))}."
    for one, other in zip(old["games"], new["games"], strict=False):
        if (was := {**one, "deals": 0}) != (wanted := {**other, "deals": 0}):
            return f"its {_apart(str(one['name']), was, wanted)}."
        if other["deals"] < one["deals"]:
            return f"it has {one['deals']} deals of {one['name']}, not {other['deals']}, and deals can only be added."
    return None if len(old["games"]) == len(new["games"]) else "it has other games."


def _apart(name: str, old: Any, new: Any) -> str:
    """Where two values differ, with both: of objects only the entries that do."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return f"{name}: {quoted(old)}, not {quoted(new)}"
    keys = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    return ", its ".join(_apart(f"{name}.{key}", old.get(key), new.get(key)) for key in keys)
