"""Workers and what they share: turns, money, matches, on the event loop of the test; processes are in test_running.py."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from runner.agents.environment import Settings
from runner.arena.ledger import LedgerBudget
from runner.arena.match_outcome import Outcome, Stop
from runner.arena.match_player import MatchSettings
from runner.arena.messages import ToWorker, WorkerConfig
from runner.arena.plan_file import plan_of
from runner.arena.progress import Progress
from runner.arena.schedule import Fixture, schedule
from runner.arena.worker_pool import OnBatch, OnLost, WorkerPool
from runner.llm.budget import Budget
from runner.llm.prices import WorstCase
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.arena.nearby import NearbyWorker
from tests.arena.paid_server import RETRY_AFTER, Takings, paid_server

OPTIONS = {"target_score": 3}


def fixtures(url: str, specs: Sequence[str] = ("offline@{url}", "bot:steady"), deals: int = 1) -> list[Fixture]:
    agents = {name: spec.format(url=url) for name, spec in zip("ab", specs, strict=True)}
    game = {"name": "dixiquote", "players": 3, "options": OPTIONS, "deals": deals}
    return list(schedule(plan_of({"games": [game], "agents": agents})))


class Crowd:
    """A pool of workers that a test can kill."""

    def __init__(self, folder: Path, budget: Budget, size: int = 2, sends_logs: bool = False) -> None:
        self.workers: list[NearbyWorker] = []
        shared = MatchSettings(None, Settings(), 0.0, 1)
        self._config = WorkerConfig(None if sends_logs else folder, shared, budget.is_limited, {})
        self.progress = Progress()
        self.pool = WorkerPool(self._start, size, 20, budget, self.progress, folder, shares_disk=not sends_logs)

    async def _start(self, on_batch: OnBatch, on_lost: OnLost) -> NearbyWorker:
        self.workers.append(NearbyWorker(self._config, on_batch, on_lost))
        return self.workers[-1]

    async def play(self, found: list[Fixture]) -> list[Outcome]:
        return await asyncio.gather(*(self.pool.play(fixture) for fixture in found))


def answers(folder: Path) -> int:
    return sum("request" in record for path in folder.rglob("*.jsonl") for _, record in read_log(path).of_kind("attempt"))


async def reached(takings: Takings, calls: int) -> None:
    async with asyncio.timeout(30):
        while len(takings.charged) < calls:
            await asyncio.sleep(0.01)


async def test_one_budget_holds_for_all_workers_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    with paid_server(0.01) as takings:
        found = fixtures(takings.url)
        for limit in (0.02, 5.0):
            budget = LedgerBudget(tmp_path, limit)
            crowd = Crowd(tmp_path, budget)
            outcomes = await crowd.play(found)
            await crowd.pool.close()
            budget.close()
            assert 0 < sum(takings.charged) <= limit
            assert budget.spent_usd == pytest.approx(sum(takings.charged))
            stops = {outcome.stop for outcome in outcomes}
            assert stops == ({Stop.BUDGET} if limit < 1 else {None})
    assert all(verify(read_log(tmp_path / fixture.name)).has_ended for fixture in found)


async def test_when_one_worker_is_told_to_wait_all_of_them_do(tmp_path: Path) -> None:
    with paid_server(0.0, throttles_at=9) as takings:
        crowd = Crowd(tmp_path, Budget())
        outcomes = await crowd.play(fixtures(takings.url))
        await crowd.pool.close()
    assert all(outcome.result for outcome in outcomes)
    assert len(crowd.workers) == 2
    told = takings.told_to_wait
    late = [at for at in takings.asked if told + RETRY_AFTER / 2 < at < told + RETRY_AFTER - 0.1]
    assert told > 0
    assert not late
    assert crowd.progress.failures == {"a": 1}


@pytest.mark.parametrize("sends_logs", [False, True], ids=["disk", "no-disk"])
async def test_matches_of_a_worker_that_dies_go_on_elsewhere_and_its_calls_are_charged(
    sends_logs: bool, tmp_path: Path
) -> None:
    with paid_server(0.05) as takings:
        found, budget = fixtures(takings.url), LedgerBudget(tmp_path, 5.0)
        crowd = Crowd(tmp_path, budget, sends_logs=sends_logs)
        playing = asyncio.create_task(crowd.play(found))
        await reached(takings, 12)
        await crowd.workers[0].kill()
        outcomes = await playing
        await crowd.pool.close()
        assert len(crowd.workers) == 3
        assert all(outcome.result for outcome in outcomes)
        assert all(verify(read_log(tmp_path / fixture.name)).has_ended for fixture in found)
        assert sum(takings.charged) <= budget.spent_usd < 5.0
        logged = answers(tmp_path)
        assert logged <= len(takings.charged) <= logged + len(found)
        budget.close()


async def test_logs_that_a_full_disk_cut_off_are_resumed_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, write = [40_000], os.pwrite

    def limited(file: int, data: bytes, at: int) -> int:
        fits = data[: room[0]]
        room[0] -= len(fits)
        return write(file, fits, at)

    found = fixtures("http://127.0.0.1:9/v1", ("offline", "bot:steady"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", limited)
        crowd = Crowd(tmp_path, Budget(), sends_logs=True)
        outcomes = await crowd.play(found)
        await crowd.pool.close()
    assert {(outcome.stop, outcome.why.rpartition(": ")[2]) for outcome in outcomes} == {
        (Stop.OUTAGE, "No space left on device.")
    }
    again = Crowd(tmp_path, Budget(), sends_logs=True)
    assert all(outcome.result for outcome in await again.play(found))
    await again.pool.close()
    assert all(verify(read_log(tmp_path / fixture.name)).has_ended for fixture in found)


async def test_a_match_that_is_cancelled_pauses_goes_on_from_its_log_and_ends_once(tmp_path: Path) -> None:
    with paid_server(0.05) as takings:
        fixture, crowd = fixtures(takings.url)[0], Crowd(tmp_path, Budget(), size=1)
        playing = asyncio.create_task(crowd.pool.play(fixture))
        await reached(takings, 2)
        playing.cancel()
        assert (await playing).stop is Stop.INTERRUPTED
        assert [record["why"] for _, record in read_log(tmp_path / fixture.name).of_kind("pause")] == ["interrupted"]
        assert (await crowd.pool.play(fixture)).result
        log = (tmp_path / fixture.name).read_bytes()
        assert (await crowd.pool.play(fixture)).result
        assert (tmp_path / fixture.name).read_bytes() == log
        await crowd.pool.close()


async def test_no_worker_to_be_had_puts_matches_off_instead_of_trying_for_ever(tmp_path: Path) -> None:
    async def refuse(on_batch: OnBatch, on_lost: OnLost) -> NearbyWorker:
        raise OSError("no more processes")

    pool = WorkerPool(refuse, 2, 20, Budget(), Progress(), tmp_path)
    outcome = await pool.play(fixtures("http://127.0.0.1:9/v1")[0])
    assert (outcome.stop, outcome.why) == (Stop.OUTAGE, "no worker can be started: no more processes")


async def test_workers_that_die_at_once_are_not_replaced_for_ever(tmp_path: Path) -> None:
    class Dead:
        def send(self, message: ToWorker) -> None: ...

        async def end(self) -> None: ...

    started = []

    async def doomed(on_batch: OnBatch, on_lost: OnLost) -> Dead:
        asyncio.get_running_loop().call_soon(on_lost, "dead at once")
        started.append(Dead())
        return started[-1]

    pool = WorkerPool(doomed, 2, 20, Budget(), Progress(), tmp_path)
    found = fixtures("http://127.0.0.1:9/v1", deals=3)
    outcomes = await asyncio.gather(*(pool.play(fixture) for fixture in found))
    assert {outcome.stop for outcome in outcomes} == {Stop.OUTAGE}
    assert len(started) <= 13


async def test_what_was_under_way_when_everything_was_killed_is_charged_at_the_next_start(tmp_path: Path) -> None:
    before = LedgerBudget(tmp_path, 1.0)
    done = await before.reserve(WorstCase(100, 0.2))
    before.settle(done, 0.05, 80)
    await before.reserve(WorstCase(100, 0.3))
    after = LedgerBudget(tmp_path, 1.0)
    assert (after.spent_usd, *after.open_calls) == pytest.approx((0.35, 1, 0.3))
    again = LedgerBudget(tmp_path, 1.0)
    assert (again.spent_usd, again.open_calls.number) == pytest.approx((0.35, 0))
    (tmp_path / ".ledger").write_text("= 0 0.35 80\n+ 1 0.25 100\n- 1 0.2 50\n+ 2 0.2")
    last = LedgerBudget(tmp_path, 1.0)
    assert (last.spent_usd, last.spent_tokens) == pytest.approx((0.55, 130))
