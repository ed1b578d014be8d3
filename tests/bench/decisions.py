"""What a model decision costs the processor: view, prompt, request, reading, check and log, against the SDK's bare call."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI

import games
from runner.gc_tuning import collect_seldom
from tests.bench.figure import Figure
from tests.bench.matches import play_all, requests
from tests.bench.server import served

_GAME = "dixiquote"
_ROUNDS = 2
_BUDGET = 1.5
_AT_ONCE = (1, 200)
_FEWEST = 20
"""Matches, one after the other where one call is under way at a time."""


def figures() -> Iterator[Figure]:
    """A figure for one call under way at a time, and for two hundred."""
    collect_seldom()
    with served() as url, tempfile.TemporaryDirectory() as folder:
        _pair(url, 1, Path(folder) / "warm")
        for at_once in _AT_ONCE:
            yield _figure(url, at_once, Path(folder) / str(at_once))


def _figure(url: str, at_once: int, folder: Path) -> Figure:
    pairs = [_pair(url, at_once, folder / str(number)) for number in range(_ROUNDS)]
    loop, bare = (min(costs) for costs in zip(*pairs, strict=True))
    note = f"{loop * 1e6:,.0f} µs of processor time a decision, the bare call {bare * 1e6:,.0f} µs; {_GAME}"
    return Figure(
        f"decision: the whole loop against the bare SDK call, {at_once} in flight", loop / bare, most=_BUDGET, note=note
    )


def _pair(url: str, at_once: int, folder: Path) -> tuple[float, float]:
    """Processor seconds a decision of whole matches, and a bare call with the very same bodies."""
    seeds = range(max(at_once, _FEWEST))
    _, loop = _timed(play_all(games.load(_GAME), url, seeds, folder, at_once, "sequential"))
    bodies = [body for seed in seeds for body in requests(folder / f"{seed}.jsonl")]
    _, bare = _timed(_bare(url, bodies, at_once))
    return loop / len(bodies), bare / len(bodies)


async def _bare(url: str, bodies: list[dict[str, Any]], at_once: int) -> None:
    left = iter(bodies)
    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as sdk:

        async def work() -> None:
            for body in left:
                reply = await sdk.chat.completions.create(**body)
                assert reply.choices[0].message.content

        await asyncio.gather(*(work() for _ in range(at_once)))


def _timed(work: Any) -> tuple[Any, float]:
    gc.collect()
    began = time.process_time()
    done = asyncio.run(work)
    return done, time.process_time() - began
