"""Soak: 200 calls in flight for an hour, and whether the last of them cost what the first did.

`TABLETOP_SOAK_SECONDS` is its length, at least 30. Exit status 1 when processor time, memory or the lag of the event loop has
grown beyond its bound. openai-python#3777 reports that the SDK's own transport blocks the event loop more and more: `--sdk`
soaks that one instead.
"""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import httpx2

from runner.llm import endpoint
from runner.llm.address import Address
from runner.llm.call import Attempt
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Request
from tests.llm.support import SCHEMA, model
from tools.bench.stand_in import MODEL, standing_in

IN_FLIGHT = 200
DELAY = 1.0
PART = 0.1
"""The share of the time that counts as the start, after as much of warming up, and as the end."""

TICK = 0.05
BOUNDS = {"processor time a call": 1.25, "memory": 1.25, "event-loop lag, median": 2.0, "event-loop lag, 99 %": 3.0}
_RULES = "The rules of the game are long, and the same in every prompt. " * 60
_STATM = Path("/proc/self/statm")


class Sample(NamedTuple):
    """Processor seconds, calls and resident bytes so far, at a time."""

    processor: float
    calls: int
    memory: float


@dataclass(slots=True)
class Soak:
    """The calls and their measurements. Lags are in seconds."""

    ends: float
    calls: int = 0
    lags: list[float] = field(default_factory=list)

    async def call_again_and_again(self, client: Client, url: str, caller: int) -> None:
        await asyncio.sleep(caller / IN_FLIGHT * DELAY)
        while time.monotonic() < self.ends:
            self.calls += 1
            await client.complete(_question(url, f"{caller} {self.calls}"), on_attempt=_forget)

    async def measure_lag(self) -> None:
        while time.monotonic() < self.ends:
            due = time.monotonic() + TICK
            await asyncio.sleep(TICK)
            self.lags.append(time.monotonic() - due)

    async def sampled(self, seconds: float) -> tuple[Sample, Sample, list[float]]:
        """Samples before and after a number of seconds, and the lags between them."""
        before, first = self.sample(), len(self.lags)
        await asyncio.sleep(seconds)
        return before, self.sample(), self.lags[first:]

    def sample(self) -> Sample:
        return Sample(time.process_time(), self.calls, _memory())


def _memory() -> float:
    """Resident bytes; where the system does not tell, the most there ever were."""
    if _STATM.exists():
        return float(int(_STATM.read_text().split()[1]) * resource.getpagesize())
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _question(url: str, number: str) -> Request:
    messages = ({"role": "system", "content": _RULES}, {"role": "user", "content": f"Choose a card for question {number}."})
    return Request(model(url, name=MODEL, time_limit=120.0), messages, SCHEMA, AnswerForm.STRICT_SCHEMA)


async def _forget(attempt: Attempt) -> None:
    pass


async def soak(url: str, seconds: float) -> list[dict[str, float]]:
    """The measurements at the start and at the end."""
    run, part = Soak(time.monotonic() + seconds), seconds * PART
    async with Client() as client, asyncio.TaskGroup() as tasks:
        for caller in range(IN_FLIGHT):
            tasks.create_task(run.call_again_and_again(client, url, caller))
        tasks.create_task(run.measure_lag())
        await asyncio.sleep(part)
        start = await run.sampled(part)
        await asyncio.sleep(seconds - 3.2 * part)
        end = await run.sampled(part)
    return [_facts(*start), _facts(*end)]


def _facts(before: Sample, after: Sample, lags: Iterable[float]) -> dict[str, float]:
    parts = statistics.quantiles(lags, n=100)
    processor = (after.processor - before.processor) / max(after.calls - before.calls, 1)
    return dict(zip(BOUNDS, (processor, after.memory, parts[49], parts[98]), strict=True))


def main() -> int:
    """Soak, and print each measurement at the start and at the end with their ratio."""
    seconds = float(os.environ.get("TABLETOP_SOAK_SECONDS", "3600"))
    if "--sdk" in sys.argv:
        endpoint.transport_for = _transport_of_the_sdk
    with standing_in(DELAY) as url:
        start, end = asyncio.run(soak(url, seconds))
    sys.stdout.write(f"{IN_FLIGHT} calls in flight for {seconds:g} s\n")
    for name, most in BOUNDS.items():
        unit, factor = ("MB", 1e-6) if name == "memory" else ("ms", 1e3)
        ratio = f"{end[name] / start[name]:.2f} (at most {most:g})"
        sys.stdout.write(f"{name}: {start[name] * factor:.2f} {unit}, then {end[name] * factor:.2f} {unit}: {ratio}\n")
    return 0 if all(end[name] <= start[name] * most for name, most in BOUNDS.items()) else 1


def _transport_of_the_sdk(_: Address) -> httpx2.AsyncHTTPTransport:
    return httpx2.AsyncHTTPTransport(limits=httpx2.Limits(max_connections=1000, max_keepalive_connections=100))


if __name__ == "__main__":
    sys.exit(main())
