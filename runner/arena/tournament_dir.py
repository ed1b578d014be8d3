"""Tournament directory: the manifest with what is played, and the logs of the matches, which alone tell what was played."""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from typing_extensions import TypedDict

import games
from games.core import Game, quoted
from games.core.errors import OptionError
from games.search.policy import has_playing_policy
from games.search.value_function import VALUE, ValueFunction
from runner.agents.spec import LONGEST_NAME, Bot, Offline
from runner.arena.plan import Plan, PlanSettings, plan_of, read_plan, recorded
from runner.digest import canonical, digest_of
from runner.errors import TabletopError, UsageError, unwritable
from runner.files import PRIVATE, make_folder, write_whole
from runner.match.header import new_secret, now, package_version
from runner.match.records import ResultRecord
from runner.record.log_folder import originals, summaries
from runner.record.log_paths import find_log, log_paths
from runner.record.reader import end_of, failure_of
from runner.record.writer import MatchBudget, Spending, balance

MANIFEST = "tournament.json"
_LOCK = ".lock"
_SEEDS = ("seed", "deal_seeds", "secret")
_MAY_CHANGE = ("hopeless", "budget", "budget_tokens", "concurrency", "on_error", "until")


class TournamentDir:
    """The folder of a tournament, or of another kind of planned matches: a comparison, a bench."""

    def __init__(self, path: Path, kind: str = "tournament", ledger: str = "") -> None:
        """`ledger` is that of some matches of the folder, if others have one of their own."""
        self.path, self._kind, self.manifest, self._ledger = path, kind, path / f"{kind}.json", ledger

    def with_recorded_seeds(self, plan: Plan) -> Plan:
        """The plan with the seeds of the folder's manifest, if it has one. A seed that was named stays as it is. A new
        tournament with a named seed and a player who might try seeds out gets a secret, which the manifest publishes.
        UsageError for a name that is too long for a new one."""
        if not self.manifest.exists():
            for one in plan.entrants:
                if len(one.name) > LONGEST_NAME and one.name != one.spec.text:
                    raise UsageError(f"The name of the agent {quoted(one.name)} has more than {LONGEST_NAME} characters.")
            is_own = all(isinstance(entrant.spec, Bot | Offline) for entrant in plan.entrants)
            is_guessable = not (plan.is_seed_drawn or plan.secret or is_own)
            return plan.model_copy(update={"secret": new_secret(), "is_seed_drawn": True}) if is_guessable else plan
        found = recorded(self.manifest, self._kind)
        found = found.get("plan", found)
        seeds = {"deal_seeds": "consecutive"} | {name: found[name] for name in _SEEDS if name in found}
        try:
            kept = PlanSettings.model_validate({"seed": plan.seed, **seeds})
        except ValidationError as error:
            raise UsageError(f"The file {self.manifest} is not the record of a {self._kind}.") from error
        seed = kept.seed if plan.is_seed_drawn else plan.seed
        update = {"seed": seed, "deal_seeds": kept.deal_seeds, "secret": plan.secret or kept.secret, "is_seed_drawn": False}
        return plan.model_copy(update=update)

    def record(self, facts: Mapping[str, object]) -> None:
        """Write a manifest with these facts. UsageError when the folder holds something else than they describe."""
        if self.manifest.exists():
            found = recorded(self.manifest, self._kind)
            if changed := [name for name, value in _as_json(facts).items() if value != found.get(name)]:
                others = f"its {', '.join(changed)} differ{'s' if len(changed) == 1 else ''}"
                raise UsageError(f"{self.path} holds another {self._kind}: {others}. Name another folder with --output.")
        else:
            self._check_free()
            self._write(facts)

    def record_plan(self, plan: Plan) -> None:
        """Write the manifest, or check that the existing one is of this tournament: its budgets, concurrency and what an error
        does may change, and deals may be added. UsageError when it is of another."""
        if self.manifest.exists():
            found = recorded(self.manifest)
            if (difference := _difference(found["plan"], plan)) is not None:
                raise UsageError(f"{self.path} holds another tournament: {difference} Name another folder with --output.")
        else:
            self._check_free()
            values = value_records([games.load(game.game) for game in plan.games])
            found = {"created": now(), "package": package_version(), "plan": {}, "values": values}
        if found["plan"] != (data := _as_json(plan.to_json())):
            self._write({**found, "plan": data})

    def _check_free(self) -> None:
        if self.path.is_dir() and log_paths(self.path):
            raise UsageError(f"{self.path} holds logs, but no {self._kind}: name another folder with --output.")

    def _write(self, facts: Mapping[str, object]) -> None:
        make_folder(self.path)
        text = json.dumps(facts, ensure_ascii=False, indent=1)
        write_whole(self.manifest, text + "\n", f"The {self._kind}")  # who has the seed can deal every match

    @contextmanager
    def locked(self) -> Iterator[None]:
        make_folder(self.path)
        try:
            lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE)
        except OSError as error:
            raise unwritable(f"The folder {self.path}", error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise UsageError(f"The tournament in {self.path} is being run by another process.") from None
        finally:
            os.close(lock)

    def budget(self, usd: float | None, tokens: int | None) -> LedgerBudget:
        return LedgerBudget(self.path, usd, tokens, self._ledger)

    def result(self, name: str) -> ResultRecord | None:
        end = end_of(find_log(self.path, name))
        return None if end is None else end.result

    def failure(self, name: str) -> str | None:
        return failure_of(find_log(self.path, name))


_PROBES = 4
"""The deals whose values go into the digest, so that it changes with the bot."""


class ValueRecord(TypedDict):
    """The value function of a game in a tournament's manifest. With another bot, other rules or other playouts the digest
    differs. Estimates stay unbiased only if the function is fixed before the matches are played (arXiv 2605.14261)."""

    policy: str
    rules_version: str
    playouts: int
    seed: int
    digest: str


def value_records(games: Sequence[Game], value: ValueFunction = VALUE) -> dict[str, ValueRecord]:
    """What identifies the value function of each game by its name; none of a game without `bot:steady`."""
    return {game.name: _value_record(game, value) for game in games if has_playing_policy(game)}


def _value_record(game: Game, value: ValueFunction) -> ValueRecord:
    deals = [game.begin(players=game.players[0], seed=seed) for seed in range(_PROBES)]
    found: ValueRecord = {
        "policy": "bot:steady",
        "rules_version": game.rules_version,
        "playouts": value.playouts,
        "seed": value.seed,
        "digest": digest_of(canonical([value._replace(playouts=1).of(deal, "deal") for deal in deals])),
    }
    return {**found, "digest": digest_of(canonical({"game": game.name, **found}))}


def recorded_values(folder: Path) -> dict[str, str]:
    """The digests of the value functions that a tournament recorded before its first match, by the names of its games."""
    try:
        return {game: record["digest"] for game, record in recorded(folder / MANIFEST).get("values", {}).items()}
    except (UsageError, KeyError, TypeError, AttributeError):
        return {}


def _as_json(facts: Mapping[str, object]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(facts))
    return found


def _difference(old: Mapping[str, object], plan: Plan) -> str | None:
    new = _as_json(plan.to_json())
    old = {**old, "prompts": str(Path(str(old["prompts"])))} if "prompts" in old else old
    for name in sorted((old.keys() | new.keys()) - set(_MAY_CHANGE) - {"games"}):
        if old.get(name) != new.get(name):
            return f"its {_apart(name, old.get(name), new.get(name))}."
    before = [game for game in old["games"] if isinstance(game, dict)] if isinstance(old["games"], list) else []
    for one, other, game in zip(before, new["games"], plan.games, strict=False):
        if (was := {**one, "deals": 0}) != (wanted := {**other, "deals": 0}):
            return f"its {_apart(game.game, was, wanted)}."
        if isinstance(deals := one["deals"], int) and game.deals < deals:
            return f"it has {deals} deals of {game.game}, not {game.deals}, and deals can only be added."
    return None if len(before) == len(plan.games) else "it has other games."


def _apart(name: str, old: object, new: object) -> str:
    """How two values differ; of two objects only the entries that do."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return f"{name}: {quoted(old)}, not {quoted(new)}"
    keys = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    return ", its ".join(_apart(f"{name}.{key}", old.get(key), new.get(key)) for key in keys)


_DEEPEST = 2
"""The logs of a tournament are in sub-folders of its folder."""


def entrant_names(log: Path) -> dict[str, str]:
    """The names of the agents of a log's tournament, if it has one, by their SPECs; none of a SPEC that several agents have."""
    for folder in log.absolute().parents[:_DEEPEST]:
        if (folder / MANIFEST).exists():
            try:
                entrants = plan_of(read_plan(folder / MANIFEST)).entrants
            except (TabletopError, OptionError):
                break
            times = Counter(entrant.spec.text for entrant in entrants)
            return {entrant.spec.text: entrant.name for entrant in entrants if times[entrant.spec.text] == 1}
    return {}


_NAME = ".ledger"


class OpenCalls(NamedTuple):
    """Calls that an earlier run was killed in: their number and what they are charged in USD."""

    number: int = 0
    usd: float = 0.0


class LedgerBudget(MatchBudget):
    """The budget of a tournament. A reservation that was never settled is charged in full at the next start, because the
    endpoint may have billed the call. With a ledger of its own (`name`), what is in the logs of the folder does not count."""

    def __init__(self, folder: Path, usd: float | None, tokens: int | None = None, name: str = "") -> None:
        path = folder / (f"{_NAME}-{name}" if name else _NAME)
        settled, unsettled = balance(path)
        self.open_calls = OpenCalls(len(unsettled), sum(lost.usd for lost in unsettled))
        logged = Spending(0.0, 0) if name else logged_spending(folder)
        spent_usd = max(settled.usd + self.open_calls.usd, logged.usd)
        spent_tokens = max(settled.tokens + sum(lost.tokens for lost in unsettled), logged.tokens)
        super().__init__(path, usd, tokens, Spending(spent_usd, spent_tokens))
        self.begin()


def logged_spending(folder: Path) -> Spending:
    """What all attempts in the logs of a folder were charged, those of unfinished matches included."""
    found = originals(summaries(folder))
    return Spending(sum(log.cost for log in found), sum(log.tokens for log in found))
