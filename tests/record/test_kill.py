"""Bot matches killed with SIGKILL at random moments end as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.cli.command import ROOT, environment
from tests.patience import PATIENCE
from tests.record.matches import ROUNDS_TO_KILL, erring, in_any_order, played, short, told

KILLS = 250 if "TABLETOP_CAMPAIGN" in os.environ else 6
"""How often a match of each game is killed; `make campaign` does it for long."""

STEP = 0.002
LONGEST = 0.25


@pytest.fixture(scope="module")
def victim() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.record.victim"],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.communicate(timeout=PATIENCE)


def run(victim: subprocess.Popen[str], path: Path, seed: int, game: str, players: int, lives: float | None) -> int:
    """Let a match go on and kill it after `lives` seconds, None: let it end; its exit status."""
    tell(victim, f"{path} {seed} {STEP} {game} {players}")
    child = answer(victim, "child")
    if lives is not None:
        time.sleep(lives)
        os.kill(child, signal.SIGKILL)  # it cannot be another process's id before the victim has waited for it
    tell(victim, "wait")
    return answer(victim, "status")


def tell(victim: subprocess.Popen[str], line: str) -> None:
    assert victim.stdin is not None
    victim.stdin.write(f"{line}\n")
    victim.stdin.flush()


def answer(victim: subprocess.Popen[str], name: str) -> int:
    assert victim.stdout is not None
    word, _, number = victim.stdout.readline().partition(" ")
    assert word == name
    assert name == "status" or int(number) > 1
    return int(number)


@pytest.mark.parametrize("game", games.names())
async def test_a_killed_match_ends_as_one_that_was_not(game: str, victim: subprocess.Popen[str], tmp_path: Path) -> None:
    players, rng, killed, seed = games.load(game).players[0], random.Random(game), 0, 0
    while killed < KILLS:
        seed += 1
        whole, path = tmp_path / f"{seed}-whole.jsonl", tmp_path / f"{seed}.jsonl"
        result = await played(whole, game, erring(game, players), seed, **short(game, ROUNDS_TO_KILL))
        while run(victim, path, seed, game, players, rng.uniform(0, LONGEST) if killed < KILLS else None):
            killed += 1
            if path.exists() and path.read_bytes().count(b"\n") == 0:
                path.unlink()  # killed before there was a header: nothing to resume
        assert in_any_order(told(path)) == in_any_order(told(whole))
        found = verify(read_log(path)).result
        assert found is not None
        assert {name: found[name] for name in result} == result
