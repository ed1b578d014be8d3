"""Bugs of bots and of tabletop's own parts in a tournament: seen, named once, and never waited for."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

import games
from games.core import Action, Policy, Rng, State
from runner.agents.environment import Environment
from runner.arena.executor import Executor, MatchPlayer, Shared
from runner.arena.match_runner import Dispatcher
from runner.arena.plan import plan_of
from runner.arena.progress import Progress
from runner.arena.schedule import Fixture, schedule
from runner.errors import UsageError
from runner.llm.budget import Budget
from runner.session.session import new_client
from tests.cli.command import ROOT, complaint, environment, tabletop
from tests.patience import PATIENCE

COUP = ("tournament", "--game", "coup", "--players", "2", "--workers", "1", "-q", "--json", "-o", "t")
FROM_PLAN = ("tournament", "plan.toml", "--players", "2", "--workers", "1", "-q", "--json", "-o", "t")


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
    done = tabletop(tmp_path, *COUP, "--seat", "bot:steady,bot:crash", "--deals", "2")
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
    tabletop(tmp_path, *COUP, "--seat", "bot:steady,bot:crash", "--deals", "1")
    bots = cast("dict[str, Policy]", games.load("coup").bots)
    bots["crash"] = bots["random"]
    done = tabletop(tmp_path, "tournament", "t", "-q", "--json", "--retry-failed", "--workers", "1")
    assert (done.returncode, json.loads(done.stdout)["ended"]) == (0, 2)


@pytest.mark.usefixtures("crashing")
def test_on_error_stop_starts_no_further_match(tmp_path: Path) -> None:
    plan = 'games = ["coup"]\nagents = ["bot:crash", "bot:steady"]\ndeals = 9\non_error = "{}"\n'
    (tmp_path / "plan.toml").write_text(plan.format("stop"))
    done = tabletop(tmp_path, *FROM_PLAN)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert found["ended"] + len(found["stopped"]) < found["matches"]
    assert "without --retry-failed, only the other" in done.stderr
    (tmp_path / "plan.toml").write_text(plan.format("shrug"))
    wrong = tabletop(tmp_path, *FROM_PLAN)
    assert "on_error cannot be \"shrug\": it has to be 'continue' or 'stop'." in complaint(wrong)


def here(folder: Path) -> Executor:
    shared = Shared(Environment(), 1)
    player = MatchPlayer(folder, shared, lambda seed, mistakes: new_client(Budget(), seed, mistakes))
    return Executor(player, 1, Progress())


async def test_a_bug_in_what_counts_results_ends_the_tournament(tmp_path: Path) -> None:
    def bad(*_: object) -> None:
        raise ZeroDivisionError("counting")

    pool = here(tmp_path)
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
    assert process.communicate(timeout=PATIENCE)[0] == "ended\n"
