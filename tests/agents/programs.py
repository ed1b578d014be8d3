"""Programs for tests: small Python scripts that speak the protocol of seats, well or badly, and what is left of them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import games
from runner.agents.program_agent import ProgramAgent
from runner.agents.protocol import DecisionRequest, JsonRecord
from tests.patience import PATIENCE

LOOP = """
import json, os, signal, subprocess, sys, time
def reply(number, answer, **more):
    print(json.dumps({"number": number, "answer": answer, **more}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "ask":
        continue
    number, legal = message["number"], message["legal"] or [{"quote": "A quiet sea."}]
"""
"""The beginning of a script; indented lines after it run for each question."""

GOOD = "    reply(number, legal[0])\n"


def words(script: str) -> list[str]:
    """The command line of a script that starts quickly."""
    return [sys.executable, "-I", "-S", "-c", script]


def program(
    script: str,
    time_limit: float = PATIENCE,
    errors: Path | None = None,
    **environment: str,
) -> ProgramAgent:
    """An agent of a script."""
    return ProgramAgent("cmd:script", time_limit, words(script), environment, "ada", "The rules.", errors)


def ask_of(game: str = "coup", number: int = 5, seed: int = 1, **options: Any) -> DecisionRequest:
    """The first question of a match."""
    state = games.load(game).begin(seed=seed, **options)
    return DecisionRequest.of(state, state.pending[0], number)


class Reports(list[JsonRecord]):
    """The attempts without an answer that an agent reports."""

    async def __call__(self, record: JsonRecord) -> None:
        self.append(record)


def is_alive(pid: int) -> bool:
    """Whether a process runs; a dead one that nobody has reaped does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return not stat.parent.parent.exists() or stat.read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


async def until(condition: Callable[[], bool]) -> None:
    """Wait for other processes."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)
