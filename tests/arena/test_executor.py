"""Executors and what they share: processes, money, logs. Tournaments as commands are in test_running.py."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from runner.agents.environment import Environment
from runner.arena import executor, ray_executor
from runner.arena.executor import Executor, MatchPlayer, Shared
from runner.arena.plan import plan_of
from runner.arena.progress import MatchOutcome, Progress, Stop
from runner.arena.ray_executor import RayExecutor
from runner.arena.schedule import Fixture, schedule
from runner.arena.tournament_dir import LedgerBudget
from runner.llm.budget import Budget, WorstCase
from runner.llm.rate_limiter import RateLimiters
from runner.record.reader import Log, read_log
from runner.record.resume import open_to_resume
from runner.record.verify import verify
from runner.record.writer import LogWriter
from runner.session.session import new_client
from tests.arena.paid_server import RETRY_AFTER, Takings, paid_server
from tests.patience import PATIENCE

SHARED = Shared(Environment(), 1)
OPTIONS = {"target_score": 3}


def fixtures(url: str, specs: Sequence[str] = ("offline@{url}", "bot:steady"), deals: int = 1) -> list[Fixture]:
    agents = {name: spec.format(url=url) for name, spec in zip("ab", specs, strict=True)}
    game = {"name": "dixiquote", "players": 3, "options": OPTIONS, "deals": deals}
    return list(schedule(plan_of({"games": [game], "agents": agents})))


def bots(deals: int = 1) -> list[Fixture]:
    return fixtures("", ("bot:steady", "bot:random"), deals)


def local(folder: Path, budget: Budget | None = None, processes: int = 1, progress: Progress | None = None) -> Executor:
    limits, paid = RateLimiters(), budget or Budget()
    player = MatchPlayer(folder, SHARED, lambda seed, mistakes: new_client(paid, seed, mistakes, limits))
    return Executor(player, processes, progress or Progress())


async def played(by: Executor, found: Sequence[Fixture]) -> list[MatchOutcome]:
    try:
        return await asyncio.gather(*(by.play(fixture) for fixture in found))
    finally:
        await by.close()


def scores(outcome: MatchOutcome) -> list[int]:
    assert outcome.result is not None, outcome
    return outcome.result["scores"]


async def reached(takings: Takings, calls: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while len(takings.charged) < calls:
            await asyncio.sleep(0.01)


async def test_one_budget_holds_for_all_matches_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    with paid_server(0.01) as takings:
        found = fixtures(takings.url)
        for limit in (0.02, 5.0):
            budget = LedgerBudget(tmp_path, limit)
            outcomes = await played(local(tmp_path, budget), found)
            budget.close()
            assert 0 < sum(takings.charged) <= limit
            assert budget.spent_usd == pytest.approx(sum(takings.charged))
            assert {outcome.stop for outcome in outcomes} == ({Stop.BUDGET} if limit < 1 else {None})
    assert all(verify(read_log(tmp_path / fixture.name)).has_ended for fixture in found)


async def test_when_one_match_is_told_to_wait_all_of_them_do(tmp_path: Path) -> None:
    progress = Progress()
    with paid_server(0.0, throttles_at=9) as takings:
        outcomes = await played(local(tmp_path, progress=progress), fixtures(takings.url))
    assert all(outcome.result for outcome in outcomes)
    told = takings.told_to_wait
    assert told > 0
    assert not [at for at in takings.asked if told + RETRY_AFTER / 2 < at < told + RETRY_AFTER - 0.1]
    assert progress.failures == {"a": 1}


async def test_a_match_that_is_cancelled_pauses_goes_on_from_its_log_and_ends_once(tmp_path: Path) -> None:
    with paid_server(0.05) as takings:
        fixture, playing_here = fixtures(takings.url)[0], local(tmp_path)
        playing = asyncio.create_task(playing_here.play(fixture))
        await reached(takings, 2)
        playing.cancel()
        assert (await playing).stop is Stop.INTERRUPTED
        assert [record["why"] for _, record in read_log(tmp_path / fixture.name).of_kind("pause")] == ["interrupted"]
        assert (await playing_here.play(fixture)).result
        log = (tmp_path / fixture.name).read_bytes()
        assert (await playing_here.play(fixture)).result
        assert (tmp_path / fixture.name).read_bytes() == log
        await playing_here.close()


async def test_a_match_that_is_cancelled_while_its_log_is_opened_leaves_it_unlocked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixture, playing_here, loop = bots()[0], local(tmp_path), asyncio.get_running_loop()
    path = tmp_path / fixture.name
    await playing_here.play(fixture)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    playing = asyncio.create_task(playing_here.play(fixture))

    def cancelled_meanwhile(path: Path) -> tuple[LogWriter, Log]:
        opened = open_to_resume(path)
        loop.call_soon_threadsafe(playing.cancel)
        return opened

    monkeypatch.setattr(executor, "open_to_resume", cancelled_meanwhile)
    assert (await playing).stop is Stop.INTERRUPTED
    writer, _ = open_to_resume(path)
    writer.close()
    await playing_here.close()


async def test_a_match_whose_process_is_killed_goes_on_in_another_one(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    found = bots()
    quiet = await played(local(here), found)
    disturbed = local(there, processes=2)
    playing = asyncio.gather(*(disturbed.play(fixture) for fixture in found))
    async with asyncio.timeout(PATIENCE):
        while not any(there.rglob("*.jsonl")):
            await asyncio.sleep(0.01)
    assert disturbed._pool is not None
    os.kill(disturbed._pool._processes[0].pid, signal.SIGKILL)
    outcomes = await playing
    await disturbed.close()
    assert list(map(scores, outcomes)) == list(map(scores, quiet))
    assert all(verify(read_log(there / fixture.name)).has_ended for fixture in found)


def die(folder: Path, shared: Shared, fixture: Fixture) -> MatchOutcome:
    os._exit(1)


async def test_a_match_under_which_processes_die_is_put_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "play_alone", die)
    outcomes = await played(local(tmp_path, processes=2), bots()[:1])
    assert {(outcome.stop, outcome.why) for outcome in outcomes} == {(Stop.OUTAGE, "5 processes died while they played it")}


async def test_a_bot_that_searches_beside_a_model_plays_the_same_in_a_process(tmp_path: Path) -> None:
    plan = {
        "games": [{"name": "coup", "players": 2, "deals": 1}],
        "agents": ["offline", "bot:search:20"],
        "budget_tokens": 10**9,
    }
    fixture = next(iter(schedule(plan_of(plan))))
    (one,), (other,) = [
        await played(local(tmp_path / name, processes=processes), [fixture]) for name, processes in (("here", 1), ("there", 2))
    ]
    assert scores(one) == scores(other)


class Workers:
    """What `ray` is to the executor, on threads of this process. The first worker dies once it has played."""

    class exceptions:
        class WorkerCrashedError(Exception): ...

        class TaskCancelledError(Exception): ...

    def __init__(self) -> None:
        self.lives, self.given = -1, list[bytes]()

    def init(self, *arguments: object, **options: object) -> None: ...

    def shutdown(self) -> None: ...

    def available_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, **options: object) -> Callable[[Callable[..., Any]], Any]:
        return lambda work: SimpleNamespace(remote=partial(self._begin, work))

    def _begin(self, work: Callable[..., Any], shared: Shared, fixture: Fixture, begun: bytes) -> asyncio.Future[Any]:
        self.given.append(begun)
        assert "ENDPOINT" not in shared.environment
        return asyncio.ensure_future(self._play(work, shared, fixture, begun))

    async def _play(self, work: Callable[..., Any], *given: Any) -> Any:
        found = await asyncio.to_thread(work, *pickle.loads(pickle.dumps(given)))
        self.lives += 1
        if not self.lives:
            raise self.exceptions.WorkerCrashedError
        return pickle.loads(pickle.dumps(found))


async def test_bots_play_on_a_cluster_and_models_beside_them_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Workers()
    monkeypatch.setattr(ray_executor, "_ray", lambda: cluster)
    here, there = tmp_path / "here", tmp_path / "there"
    with paid_server(0.01) as takings:
        found = [*bots()[1:], fixtures(takings.url)[0]]
        quiet = await played(local(here), found)
        player = MatchPlayer(there, Shared(Environment({"ENDPOINT": takings.url}), 1), local(there)._player._new_client)
        outcomes = await played(RayExecutor(player, 1, Progress(), None, None), found)
    assert list(map(scores, outcomes[:-1])) == list(map(scores, quiet[:-1]))
    assert len(cluster.given) == len(found)  # all but the last one, and one of them twice
    assert all(verify(read_log(there / fixture.name)).has_ended for fixture in found)


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
