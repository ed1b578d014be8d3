"""Tournament directory: the manifest with what is played, and the logs of the matches, which alone tell what was played."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import games
from games.core import quoted
from runner.arena.plan import Plan
from runner.arena.plan_file import plan_of, read_plan
from runner.arena.value_function import ValueRecord, value_records
from runner.errors import UsageError, unwritable
from runner.match.header import now, package_version
from runner.match.records import ResultRecord
from runner.record.log_end import end_of, failure_of
from runner.record.log_paths import find_log, log_paths
from runner.record.private_files import PRIVATE, make_folder, write_whole
from runner.regular_files import read_regular_text

MANIFEST = "tournament.json"
_LOCK = ".lock"
_MAY_CHANGE = ("hopeless", "budget", "budget_tokens", "concurrency", "on_error")


class TournamentDir:
    """The folder of a tournament or of a comparison."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def with_recorded_seeds(self, plan: Plan) -> Plan:
        """The plan with the seeds of the folder's manifest, if it has one. A seed that was named stays as it is."""
        manifest = self.path / MANIFEST
        if not manifest.exists():
            return plan
        found = plan_of(read_plan(manifest))
        seed = found.seed if plan.is_seed_drawn else plan.seed
        return replace(plan, seed=seed, deal_seeds=found.deal_seeds, is_seed_drawn=False)

    def record_plan(self, plan: Plan) -> None:
        """Write the manifest, or check that the existing one is of this tournament. UsageError when it is of another.

        Budgets, concurrency and what an error does may change, and deals may be added.
        """
        manifest, data = self.path / MANIFEST, plan.to_json()
        if manifest.exists():
            found, created, values = _manifest(manifest)
            if (difference := _difference(found, plan)) is not None:
                raise UsageError(f"{self.path} holds another tournament: {difference} Name another folder with --out.")
        else:
            if self.path.is_dir() and log_paths(self.path):
                raise UsageError(f"{self.path} holds logs, but no tournament: name another folder with --out.")
            found, created, values = {}, now(), value_records([games.load(game.game) for game in plan.games])
        if found == json.loads(json.dumps(data)):
            return
        make_folder(self.path)
        facts = {"created": created, "package": package_version(), "plan": data, "values": values}
        text = json.dumps(facts, ensure_ascii=False, indent=1)
        write_whole(manifest, text + "\n", "The plan")  # who has the seed can deal every match

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder. UsageError when another process has the lock."""
        make_folder(self.path)
        try:
            lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
        except OSError as error:
            raise unwritable(f"The folder {self.path}", error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise UsageError(f"The tournament in {self.path} is being run by another process.") from None
        finally:
            os.close(lock)

    def result(self, name: str) -> ResultRecord | None:
        """The result at the end of a match's log; None without one."""
        end = end_of(find_log(self.path, name))
        return None if end is None else end.result

    def failure(self, name: str) -> str | None:
        """How a match failed, if its log ends with that."""
        return failure_of(find_log(self.path, name))


_Data = Mapping[str, object]


def recorded_values(folder: Path) -> dict[str, str]:
    """The digests of the value functions that a tournament recorded before its first match, by the names of its games."""
    try:
        _, _, values = _manifest(folder / MANIFEST)
        return {game: record["digest"] for game, record in values.items()}
    except (UsageError, KeyError, TypeError, AttributeError):
        return {}


def _manifest(path: Path) -> tuple[dict[str, object], str, Mapping[str, ValueRecord]]:
    """The plan in a manifest, when it was created, and the value functions of its games."""
    try:
        found = json.loads(read_regular_text(path, "The file"))
        return dict(found["plan"]), str(found["created"]), found.get("values", {})
    except (ValueError, KeyError, TypeError, RecursionError) as error:
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
