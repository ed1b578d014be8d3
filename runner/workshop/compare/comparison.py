"""Playing the matches of a comparison: what has been played stays, what was begun goes on, and a budget holds for all of it."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.agents.environment import Settings
from runner.agents.spec import Offline, is_model
from runner.arena.costs import spent_in
from runner.arena.fixture_match import House, play
from runner.arena.match_outcome import Outcome, Stop
from runner.arena.schedule import Fixture
from runner.arena.tournament_dir import Folder
from runner.digest import digest_of
from runner.errors import AccountError, LogDamagedError, PausedError, TabletopError, UsageError
from runner.prompting.pack import PromptPack
from runner.workshop.compare.comparison_plan import Comparison, deals

if TYPE_CHECKING:
    from runner.llm.budget import Budget
    from runner.llm.client import Client

MANIFEST = "comparison.json"
_STILL = {Stop.BUDGET, Stop.OUTAGE, Stop.INTERRUPTED}
Told = Callable[[int, int], None]


def settle(comparison: Comparison, out: Path) -> None:
    """Write down what is compared, or see that the folder holds this comparison. UsageError when it holds another."""
    manifest, data = out / MANIFEST, comparison.to_json()
    if manifest.exists():
        found = json.loads(manifest.read_text(encoding="utf-8"))
        changed = [name for name, value in data.items() if json.loads(json.dumps(value)) != found.get(name)]
        if changed:
            raise UsageError(f"{out} holds another comparison: {', '.join(changed)} differ. Name another folder with --out.")
        return
    if any(out.glob("*")):
        raise UsageError(f"{out} is not empty and holds no comparison: name another folder with --out.")
    out.mkdir(parents=True, exist_ok=True)
    manifest.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def run(comparison: Comparison, out: Path, settings: Settings, budget: float | None, at_once: int, told: Told) -> None:
    """Play what has not been played. PausedError when it stops before the end; the same command goes on."""
    settle(comparison, out)
    folder = Folder(out)
    with folder.held():
        asyncio.run(_Runner(comparison, folder, settings, budget, told).run(at_once))


class _Runner:
    """One run of a comparison."""

    def __init__(self, comparison: Comparison, folder: Folder, settings: Settings, budget: float | None, told: Told) -> None:
        self._comparison = comparison
        self._folder = folder
        self._settings = settings
        self._usd = budget
        self._told = told
        self._stops: list[Outcome] = []

    async def run(self, at_once: int) -> None:
        fixtures = [fixture for deal in deals(self._comparison) for fixture in deal.fixtures]
        left = [fixture for fixture in fixtures if self._folder.result(fixture.name) is None]
        done, task = len(fixtures) - len(left), asyncio.current_task()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel if task else int)
        places = asyncio.Semaphore(at_once)
        async with AsyncExitStack() as stack:
            house = await self._house(stack)

            async def one(fixture: Fixture) -> None:
                nonlocal done
                async with places:
                    if not self._stops:
                        outcome = await self._play(fixture, house)
                        done += outcome.result is not None
                        self._stops += [] if outcome.stop is None else [outcome]
                        self._told(done, len(fixtures))

            try:
                await asyncio.gather(*(one(fixture) for fixture in left))
            except asyncio.CancelledError:
                self._stops.append(Outcome(left[0], None, Stop.INTERRUPTED, "interrupted"))
        if self._stops:
            raise self._error(self._stops[0])

    async def _house(self, stack: AsyncExitStack) -> House:
        self._budget = self._new_budget()
        client = await stack.enter_async_context(self._client(0)) if is_model(self._comparison.model) else None
        return House(self._folder.path, PromptPack(), self._settings, 0.0, client)

    def _new_budget(self) -> Budget:
        from runner.llm.budget import Budget

        return Budget(self._usd, spent_usd=spent_in(self._folder.path)[0])

    def _client(self, chance: int) -> Client:
        from runner.llm.client import Client
        from runner.llm.offline import OfflineModel

        return Client(budget=self._budget, offline=OfflineModel(chance))

    async def _play(self, fixture: Fixture, house: House) -> Outcome:
        """Play a match; the offline model has chance of its own in each, as a language model has."""
        if not isinstance(self._comparison.model, Offline):
            return await play(fixture, house)
        chance = int(digest_of(f"{self._comparison.seed} {fixture.name}")[:8], 16)
        async with self._client(chance) as client:
            own = House(house.folder, house.pack, house.settings, house.mistakes, client)
            return await play(fixture, own)

    def _error(self, stop: Outcome) -> TabletopError:
        again = "The same command goes on from here."
        if stop.stop in _STILL:
            return PausedError(f"The comparison is paused: {stop.why.rstrip('.')}. {again}")
        if stop.stop is Stop.ACCOUNT:
            return AccountError(stop.why)
        if stop.stop is Stop.USAGE:
            return UsageError(stop.why)
        if stop.stop is Stop.DAMAGED:
            return LogDamagedError(1, f"{self._folder.path / stop.fixture.name}: {stop.why}")
        raise RuntimeError(stop.why)


def results(comparison: Comparison, out: Path) -> dict[str, dict[str, Any]]:
    """The results of all matches that have ended, by the names of their logs."""
    folder = Folder(out)
    names = [fixture.name for deal in deals(comparison) for fixture in deal.fixtures]
    found = {name: folder.result(name) for name in names}
    return {name: result for name, result in found.items() if result is not None}
