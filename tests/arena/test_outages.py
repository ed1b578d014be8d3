"""Agents that are down for a while, and what becomes of the matches of all."""

from __future__ import annotations

from collections import Counter

import pytest

from runner.arena import match_runner
from runner.arena.match_runner import DOWN_AFTER, Dispatcher
from runner.arena.plan import plan_of
from runner.arena.progress import MatchOutcome, Progress, Stop
from runner.arena.schedule import Fixture, schedule


class Shaky:
    """An executor under which the agent `a` is down until it has failed so often."""

    bots_at_once = 2

    def __init__(self, failures: int) -> None:
        self._failures = failures
        self.begun: list[Fixture] = []

    async def play(self, fixture: Fixture) -> MatchOutcome:
        self.begun.append(fixture)
        if "a" in {entrant.name for entrant in fixture.seats} and self._failures:
            self._failures -= 1
            return MatchOutcome(fixture, None, Stop.OUTAGE, "a gave no answer", "a")
        seats = [{"decisions": 1, "penalties": 0, "prompt_tokens": 1, "completion_tokens": 1, "cost": 0.0}] * 2
        return MatchOutcome(fixture, {"scores": [1, 0], "winners": [0], "seats": seats})

    async def close(self) -> None: ...


async def played(engine: Shaky, patience: float) -> tuple[list[Fixture], Progress]:
    game = {"name": "coup", "players": 2, "deals": 5}
    agents = {"a": "offline", "b": "offline", "c": "offline"}
    found = list(schedule(plan_of({"games": [game], "agents": agents})))
    progress = Progress(total=len(found))
    await Dispatcher(engine, progress, 1, patience).run(lambda: found)
    return found, progress


async def test_what_an_outage_stopped_is_played_when_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_runner, "FIRST_WAIT", 0.001)
    engine = Shaky(failures=8)
    found, progress = await played(engine, patience=60)
    assert (progress.ended, progress.failed, progress.deferred) == (30, {}, {})
    times = Counter(fixture.name for fixture in engine.begun)
    assert set(times) == {fixture.name for fixture in found}
    assert all(times[fixture.name] == 1 for fixture in found if "a" not in {entrant.name for entrant in fixture.seats})


async def test_an_agent_that_stays_down_is_left_alone_and_the_others_end() -> None:
    engine = Shaky(failures=1000)
    _, progress = await played(engine, patience=0)
    assert (progress.ended, len(progress.failed)) == (10, 20)
    assert {outcome.stop for outcome in progress.failed.values()} == {Stop.OUTAGE}
    assert len(engine.begun) <= 10 + DOWN_AFTER + 1
