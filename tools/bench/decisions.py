"""What a model decision costs the processor: view, prompt, request, reading, check and log, against the SDK's bare call."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Iterator
from cProfile import Profile
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI

import games
from games.core import Game
from runner.child_processes import collect_seldom
from tools.bench.figure import Figure
from tools.bench.matches import play_all, requests
from tools.bench.server import served

_BUDGET = 1.5
_FEWEST = 6
"""Matches, one after the other where one call is under way at a time."""

_AT_ONCE = (1, 40, 200)
_MOST_STEPS = 15
"""Steps of each match where many calls are in flight; one after the other, matches are played to their end."""


_PROFILED = 6
_MOST_BARE = 600
"""Bare calls that a measurement makes."""

_PARTS = {
    "view and question": ("agents/protocol.py", "of"),
    "prompt": ("prompting/pack.py", "render"),
    "SDK and HTTP": ("llm/endpoint.py", "send"),
    "reading the response": ("wire/replies.py", "classify"),
    "next state": ("core/state.py", "next_with_events"),
    "log": ("record/writer.py", "emit"),
}
"""Parts of a decision, each with the file and the function that does it."""


def figures() -> Iterator[Figure]:
    """A figure for each game and number of calls in flight, then where the time of each game's decisions goes."""
    collect_seldom()
    with served() as url, tempfile.TemporaryDirectory() as folder:
        for name in games.names():
            game, place = games.load(name), Path(folder) / name
            _timed(play_all(game, url, range(_FEWEST), place / "warm", _FEWEST, "sequential"))
            costs = {at_once: _pair(game, url, at_once, place / str(at_once)) for at_once in _AT_ONCE}
            for at_once, (loop, bare) in costs.items():
                yield _figure(name, at_once, loop, bare)
            yield from _split(game, url, place / "profiled", costs[_AT_ONCE[1]][0])


def _figure(name: str, at_once: int, loop: float, bare: float) -> Figure:
    note = f"{loop * 1e6:,.0f} µs of processor time a decision, the bare call {bare * 1e6:,.0f} µs"
    what = f"decision: {name}, the whole loop against the bare SDK call, {at_once} in flight"
    return Figure(what, loop / bare, most=_BUDGET, note=note)


def _pair(game: Game, url: str, at_once: int, folder: Path) -> tuple[float, float]:
    """Processor seconds a decision of whole matches, and a bare call with the very same bodies."""
    seeds = range(max(at_once, _FEWEST))
    most = _MOST_STEPS if at_once > 1 else None
    _, loop = _timed(play_all(game, url, seeds, folder, at_once, "sequential", most_steps=most))
    bodies = [body for seed in seeds for body in requests(folder / f"{seed}.jsonl")]
    sent = bodies[:_MOST_BARE]
    _, bare = _timed(_bare(url, sent, at_once))
    return loop / len(bodies), bare / len(sent)


def _split(game: Game, url: str, folder: Path, whole: float) -> Iterator[Figure]:
    """The milliseconds of a decision by part: the shares of a profile, applied to what a decision takes without one."""
    profile = Profile(time.thread_time)
    profile.runcall(asyncio.run, play_all(game, url, range(_PROFILED), folder, _PROFILED, "sequential"))
    shares = {part: _share(profile, *place) for part, place in _PARTS.items()}
    for part, share in {**shares, "all else": 1 - sum(shares.values())}.items():
        yield Figure(f"decision: {game.name}, {part}", whole * share * 1e3, unit="ms", note=f"{share:.0%} of a decision")


def _share(profile: Profile, file: str, function: str) -> float:
    """The part of the profiled time that a function takes, with all that it calls."""
    code = [(entry.code, entry.totaltime) for entry in profile.getstats() if not isinstance(entry.code, str)]
    own = sum(seconds for of, seconds in code if of.co_filename.endswith(file) and of.co_name == function)
    return own / max(seconds for _, seconds in code)


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
