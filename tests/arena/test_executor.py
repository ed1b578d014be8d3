"""Executors and what they share: processes, money, logs. Tournaments as commands are in test_running.py."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from runner.agents.environment import Environment
from runner.arena import executor
from runner.arena.executor import LocalExecutor, MatchPlayer, Shared
from runner.arena.plan import plan_of
from runner.arena.progress import MatchOutcome, Progress, Stop
from runner.arena.ray_executor import FolderKeeper, Limits, ModelActor
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

SHARED = Shared(Environment(), 1)
OPTIONS = {"target_score": 3}


def fixtures(url: str, specs: Sequence[str] = ("offline@{url}", "bot:steady"), deals: int = 1) -> list[Fixture]:
    agents = {name: spec.format(url=url) for name, spec in zip("ab", specs, strict=True)}
    game = {"name": "dixiquote", "players": 3, "options": OPTIONS, "deals": deals}
    return list(schedule(plan_of({"games": [game], "agents": agents})))


def bots(deals: int = 1) -> list[Fixture]:
    return fixtures("", ("bot:steady", "bot:random"), deals)


def local(folder: Path, budget: Budget | None = None, processes: int = 1, progress: Progress | None = None) -> LocalExecutor:
    limits, paid = RateLimiters(), budget or Budget()
    player = MatchPlayer(folder, SHARED, lambda seed, mistakes: new_client(paid, seed, mistakes, limits))
    return LocalExecutor(player, processes, progress or Progress())


async def played(by: LocalExecutor, found: Sequence[Fixture]) -> list[MatchOutcome]:
    try:
        return await asyncio.gather(*(by.play(fixture) for fixture in found))
    finally:
        await by.close()


def scores(outcome: MatchOutcome) -> list[int]:
    assert outcome.result is not None, outcome
    return outcome.result["scores"]


async def reached(takings: Takings, calls: int) -> None:
    async with asyncio.timeout(30):
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
    async with asyncio.timeout(60):
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


class Remote:
    """A handle as Ray's, of an actor on the event loop of the test. A killed one never answers again."""

    def __init__(self, actor: object) -> None:
        self._actor, self._calls, self._is_dead = actor, set[asyncio.Task[Any]](), False

    def __getattr__(self, name: str) -> Any:
        return _Method(self, getattr(self._actor, name))

    def begin(self, call: Callable[..., Awaitable[Any]], arguments: tuple[Any, ...]) -> asyncio.Future[Any]:
        if self._is_dead:
            raise ConnectionError("the actor is dead")
        task = asyncio.ensure_future(call(*arguments))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return task

    def kill(self) -> None:
        self._is_dead = True
        for task in self._calls:
            task.cancel()


class _Method:
    def __init__(self, handle: Remote, call: Callable[..., Awaitable[Any]]) -> None:
        self._handle, self._call = handle, call

    def remote(self, *arguments: Any) -> asyncio.Future[Any]:
        return self._handle.begin(self._copied, arguments)

    async def _copied(self, *arguments: Any) -> Any:
        return pickle.loads(pickle.dumps(await self._call(*pickle.loads(pickle.dumps(arguments)))))


async def together(actor: ModelActor, found: Sequence[Fixture], begun: Sequence[bytes]) -> list[tuple[MatchOutcome, Any]]:
    """What becomes of matches that an actor plays at once, from the ends of their logs."""
    try:
        return await asyncio.gather(*(actor.play(fixture, log) for fixture, log in zip(found, begun, strict=True)))
    finally:
        await actor.close()


def cluster(folder: Path, limits: Limits) -> tuple[FolderKeeper, Remote, Callable[[int], ModelActor]]:
    """The keeper of a folder, its handle, and what makes actors."""
    keeper = FolderKeeper(folder, limits)
    handle = Remote(keeper)
    return keeper, handle, lambda number: ModelActor(number, SHARED, handle, limits)


async def test_actors_share_one_budget_and_put_their_logs_into_the_folder(tmp_path: Path) -> None:
    with paid_server(0.01) as takings:
        found = fixtures(takings.url)
        for limit in (0.02, 5.0):
            keeper, _, actor = cluster(tmp_path, (limit, None))
            logs = [(tmp_path / fixture.name) for fixture in found]
            begun = [path.read_bytes() if path.exists() else b"" for path in logs]
            halves = [together(actor(1), found[::2], begun[::2]), together(actor(2), found[1::2], begun[1::2])]
            outcomes = [outcome for half in await asyncio.gather(*halves) for outcome, _ in half]
            assert 0 < sum(takings.charged) <= limit
            assert (await keeper.spent()).usd == pytest.approx(sum(takings.charged))
            assert {outcome.stop for outcome in outcomes} == ({Stop.BUDGET} if limit < 1 else {None})
    assert all(verify(read_log(path)).has_ended for path in logs)


async def test_the_open_calls_of_an_actor_that_dies_are_charged_and_its_logs_go_on(tmp_path: Path) -> None:
    with paid_server(0.05) as takings:
        fixture = fixtures(takings.url)[0]
        keeper, handle, actor = cluster(tmp_path, (5.0, None))
        playing = asyncio.ensure_future(together(actor(1), [fixture], [b""]))
        await reached(takings, 3)
        handle.kill()
        playing.cancel()
        await asyncio.wait([playing], timeout=0.1)
        await keeper.lose(1)
        log = tmp_path / fixture.name
        logged = sum("request" in record for _, record in read_log(log).of_kind("attempt"))
        assert logged <= len(takings.charged) <= logged + len(fixture.seats)
        assert sum(takings.charged) <= (await keeper.spent()).usd < 5.0
        _, _, other = cluster(tmp_path, (None, None))
        [(outcome, _)] = await together(other(2), [fixture], [log.read_bytes()])
        assert outcome.result
    assert verify(read_log(log)).has_ended


async def test_logs_that_a_full_disk_cut_off_are_resumed_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, write = [40_000], os.pwrite

    def limited(file: int, data: bytes, at: int) -> int:
        fits = data[: room[0]]
        room[0] -= len(fits)
        return write(file, fits, at)

    found = fixtures("", ("offline", "bot:steady"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", limited)
        _, _, actor = cluster(tmp_path, (None, None))
        outcomes = [outcome for outcome, _ in await together(actor(1), found, [b""] * len(found))]
    assert {(outcome.stop, outcome.why.rpartition(": ")[2]) for outcome in outcomes} == {
        (Stop.OUTAGE, "No space left on device.")
    }
    _, _, actor = cluster(tmp_path, (None, None))
    logs = [tmp_path / fixture.name for fixture in found]
    begun = [path.read_bytes() if path.exists() else b"" for path in logs]
    assert all(outcome.result for outcome, _ in await together(actor(2), found, begun))
    assert all(verify(read_log(path)).has_ended for path in logs)


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
