"""Tournament directory: the manifest with what is played, and the logs of the matches, which alone tell what was played."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from games.core import quoted
from runner.arena.plan import Plan
from runner.errors import UsageError
from runner.match.header import now, package_version
from runner.match.records import ResultRecord

MANIFEST = "tournament.json"
_LOCK = ".lock"
_RESULT = b'{"kind":"result"'
_TAIL = 1 << 16
_MAY_CHANGE = ("hopeless", "budget", "budget_tokens", "concurrency")


class TournamentDir:
    """The folder of a tournament or of a comparison."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def record_plan(self, plan: Plan) -> None:
        """Write the manifest, or check that the existing one is of this tournament. UsageError when it is of another.

        Budgets and concurrency may change, and deals may be added.
        """
        manifest, data = self.path / MANIFEST, plan.to_json()
        if manifest.exists():
            found, created = _manifest(manifest)
            if (difference := _difference(found, plan)) is not None:
                raise UsageError(f"{self.path} holds another tournament: {difference} Name another folder with --out.")
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
    def locked(self) -> Iterator[None]:
        """Lock the folder. UsageError when another process has the lock."""
        self.path.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise UsageError(f"The tournament in {self.path} is being run by another process.") from None
        finally:
            os.close(lock)

    def result(self, name: str) -> ResultRecord | None:
        """The result at the end of a match's log; None without one."""
        try:
            with (self.path / name).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
                tail = file.read()
        except FileNotFoundError:
            return None
        if not tail.endswith(b"\n"):
            return None
        last = tail[:-1].rpartition(b"\n")[2]
        result: ResultRecord | None = json.loads(last) if last.startswith(_RESULT) else None
        return result


_Data = Mapping[str, object]


def _manifest(path: Path) -> tuple[dict[str, object], str]:
    """The plan in a manifest, and when it was created."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return dict(found["plan"]), str(found["created"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"The file {path} is not the record of a tournament.") from error


def _difference(old: _Data, plan: Plan) -> str | None:
    """The first difference between a stored plan and this one that matters, as a sentence."""
    new: _Data = json.loads(json.dumps(plan.to_json()))
    for name in sorted((old.keys() | new.keys()) - set(_MAY_CHANGE) - {"games"}):
        if old.get(name) != new.get(name):
            return f"its {_apart(name, old.get(name), new.get(name))}."
    before, after = _games(old), _games(new)
    for one, other, game in zip(before, after, plan.games, strict=False):
        if (was := {**one, "deals": 0}) != (wanted := {**other, "deals": 0}):
            return f"its {_apart(game.game, was, wanted)}."
        if isinstance(deals := one["deals"], int) and game.deals < deals:
            return f"it has {deals} deals of {game.game}, not {game.deals}, and deals can only be added."
    return None if len(before) == len(after) else "it has other games."


def _games(plan: _Data) -> list[_Data]:
    found = plan["games"]
    return [game for game in found if isinstance(game, dict)] if isinstance(found, list) else []


def _apart(name: str, old: object, new: object) -> str:
    """How two values differ; of two objects only the entries that do."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return f"{name}: {quoted(old)}, not {quoted(new)}"
    keys = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    return ", its ".join(_apart(f"{name}.{key}", old.get(key), new.get(key)) for key in keys)
