"""Bugs of bots and of tabletop's own parts in a tournament: seen, named once, and never waited for."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

import games
from games.core import Action, Policy, Rng, State
from runner.agents.environment import Settings
from runner.arena import worker_pool
from runner.arena.dispatcher import Dispatcher
from runner.arena.limits_server import LimitsServer
from runner.arena.match_outcome import Outcome, Stop
from runner.arena.match_player import MatchPlayer, MatchSettings
from runner.arena.messages import Denied, Granted, Reserve, WorkerConfig
from runner.arena.plan_file import plan_of
from runner.arena.progress import Progress
from runner.arena.schedule import Fixture, schedule
from runner.arena.worker_pool import OnBatch, OnLost, WorkerPool
from runner.errors import UsageError
from runner.llm.budget import Budget, Reservation
from runner.llm.prices import WorstCase
from runner.llm.rate_limiter import RateLimiters
from tests.arena.nearby import NearbyWorker
from tests.cli.command import ROOT, complaint, environment, tabletop

COUP = ("tournament", "--game", "coup", "--players", "2", "--workers", "1", "-q", "--json", "--out", "t")


def fixtures(deals: int = 2) -> list[Fixture]:
    game = {"name": "coup", "players": 2, "deals": deals}
    return list(schedule(plan_of({"games": [game], "agents": ["bot:steady", "bot:random"]})))


@pytest.mark.parametrize(
    "games_of", [[{"players": [2, 2]}], [{"players": 2}] * 2, [{"players": 2}, {"players": 2, "deals": 3}]]
)
def test_a_plan_with_the_same_matches_twice_is_refused(games_of: list[dict[str, Any]]) -> None:
    tables = [{"name": "coup", **game} for game in games_of]
    with pytest.raises(UsageError, match="The plan has coup with 2 players twice, with the same rules and options"):
        plan_of({"games": tables, "agents": ["bot:steady", "bot:random"]})


def test_tables_with_other_options_have_folders_of_their_names() -> None:
    tables = [{"name": "dixiquote", "players": 3, "options": {"target_score": score}} for score in (3, 4)]
    found = schedule(plan_of({"games": tables, "agents": ["bot:steady", "bot:random"], "deals": 1}))
    names = [fixture.name for fixture in found]
    assert len(set(names)) == len(names) > 0


@pytest.fixture
def crashing(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A bot `crash` that raises another text each time, in every second match; the seats it was asked for."""
    asked: list[int] = []

    def crash(state: State, seat: int, rng: Rng) -> Action:
        asked.append(len(asked))
        if seat == 0:
            raise KeyError(f"card {len(asked)}")
        return state.actions_of(seat)[0]

    monkeypatch.setitem(games.load("coup").bots, "crash", crash)
    return asked


def test_a_bot_with_a_bug_fails_its_matches_alone_and_shows_one_traceback(tmp_path: Path, crashing: list[int]) -> None:
    done = tabletop(tmp_path, *COUP, "--agents", "bot:steady,bot:crash", "--deals", "2")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ended"], len(found["stopped"])) == (1, 2, 2)
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.count("bug: KeyError: 'card ") == 2
    assert "`tabletop tournament t --retry-failed` continues all 2 that failed." in done.stderr
    pauses = [json.loads(path.read_text().splitlines()[-1]) for path in tmp_path.glob("t/**/*.jsonl")]
    assert sum("raise KeyError" in pause.get("traceback", "") for pause in pauses) == 2
    asked = len(crashing)
    again = tabletop(tmp_path, "tournament", "t", "-q")
    assert (again.returncode, again.stderr.count("Traceback"), len(crashing)) == (1, 0, asked)
    assert {log["state"] for log in json.loads(tabletop(tmp_path, "logs", "t", "--json").stdout)} == {"finished", "failed"}
    assert "Left out: 2 matches that failed because of a bug" in tabletop(tmp_path, "standings", "t").stdout


def test_a_bot_that_is_mended_ends_its_matches_when_told_to(tmp_path: Path, crashing: list[int]) -> None:
    tabletop(tmp_path, *COUP, "--agents", "bot:steady,bot:crash", "--deals", "1")
    bots = cast("dict[str, Policy]", games.load("coup").bots)
    bots["crash"] = bots["random"]
    done = tabletop(tmp_path, "tournament", "t", "-q", "--json", "--retry-failed", "--workers", "1")
    assert (done.returncode, json.loads(done.stdout)["ended"]) == (0, 2)


@pytest.mark.usefixtures("crashing")
def test_on_error_stop_starts_no_further_match(tmp_path: Path) -> None:
    done = tabletop(tmp_path, *COUP, "--agents", "bot:crash,bot:steady", "--deals", "9", "--on-error", "stop")
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert found["ended"] + len(found["stopped"]) < found["matches"]
    assert "without --retry-failed, only the other" in done.stderr
    wrong = tabletop(tmp_path, *COUP, "--agents", "bot:crash,bot:steady", "--on-error", "shrug")
    assert "on_error cannot be \"shrug\": it has to be 'continue' or 'stop'." in complaint(wrong)


class Deaf(NearbyWorker):
    """A worker whose matches never end and are never paused."""

    def __init__(self, config: WorkerConfig, on_batch: OnBatch, on_lost: OnLost) -> None:
        super().__init__(config, on_batch, on_lost)
        self.send = lambda message: None


def crowd(folder: Path, kind: type[NearbyWorker] = NearbyWorker) -> WorkerPool:
    config = WorkerConfig(folder, MatchSettings(None, Settings(), 0.0, 1), is_limited=False, servers={})

    async def start(on_batch: OnBatch, on_lost: OnLost) -> NearbyWorker:
        return kind(config, on_batch, on_lost)

    return WorkerPool(start, 1, 20, Budget(), Progress(), folder)


async def test_a_task_of_a_worker_that_dies_ends_its_match_as_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def die(self: MatchPlayer, *_: object) -> Outcome:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(MatchPlayer, "play", die)
    pool = crowd(tmp_path)
    outcome = await pool.play(fixtures()[0])
    await pool.close()
    assert (outcome.stop, outcome.why) == (Stop.BUG, "ZeroDivisionError: inside")
    assert "in die" in outcome.trace


async def test_a_worker_that_does_not_pause_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_PAUSE_SECONDS", 0.01)
    pool = crowd(tmp_path, Deaf)
    playing = asyncio.create_task(pool.play(fixtures()[0]))
    while not pool._workers or not pool._workers[0].load.total():
        await asyncio.sleep(0)
    playing.cancel()
    assert (await playing).stop is Stop.INTERRUPTED
    await pool.close()


async def test_limits_that_fail_are_an_answer() -> None:
    class Broken(Budget):
        async def reserve(self, worst: WorstCase, source: str = "") -> Reservation:
            raise ZeroDivisionError("inside")

    said: asyncio.Queue[Granted | Denied] = asyncio.Queue()
    LimitsServer(RateLimiters(), Broken(), said.put_nowait).take(Reserve(3, WorstCase(1, 1.0), "a"))
    answer = await said.get()
    assert isinstance(answer, Denied)
    assert "ZeroDivisionError: inside" in str(answer.why)


async def test_a_bug_in_what_counts_results_ends_the_tournament(tmp_path: Path) -> None:
    def bad(*_: object) -> None:
        raise ZeroDivisionError("counting")

    pool = crowd(tmp_path)
    with pytest.raises(ZeroDivisionError, match="counting"):
        await Dispatcher(pool, Progress(on_result=bad), 2, 0).run(fixtures)
    await pool.close()


BLOCKED = """
import asyncio, signal
from runner import interrupts
interrupts.PATIENCE = 0.01

async def busy():
    interrupts.on_signals(lambda: None, *interrupts.STOP)
    print("busy", flush=True)
    while True:
        pass

try:
    asyncio.run(busy())
except KeyboardInterrupt:
    print("ended")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_even_code_that_blocks_the_event_loop(number: signal.Signals) -> None:
    process = subprocess.Popen([sys.executable, "-c", BLOCKED], cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "busy\n"
    process.send_signal(number)
    assert process.communicate(timeout=20)[0] == "ended\n"
