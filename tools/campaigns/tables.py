"""Fifty tables with two hundred browsers at one web server: `python -m tools.campaigns.tables`.

At each table two people and two bots play Coup, and two spectators watch. It prints how long an answer takes until a spectator
sees what it led to, and the memory and the processor time of the server: when nobody does anything, at the pace of people, and
while all answer at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

from games.core import Rng
from runner.cli.output import say
from tests.cli.command import environment
from tests.serve.webs import chance

_IDLE = 20.0
"""Seconds in which nobody does anything."""


class Table:
    """One table: two people who answer by chance, and two spectators who note when they see what an answer led to."""

    def __init__(self, number: int, base: str, links: dict[str, Any], pause: float) -> None:
        self._http = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, local_addr=(f"127.0.1.{number + 1}", 0)),
            timeout=aiohttp.ClientTimeout(None),
        )
        self._base, self._links, self._pause = base, links, pause
        self._answered = 0.0
        self.latencies: list[float] = []

    async def play(self) -> None:
        """Play the match to its end."""
        people = [self._person(link) for link in self._links["seats"].values()]
        await asyncio.gather(*people, self._watch(), self._watch())

    async def close(self) -> None:
        await self._http.close()

    async def idle(self, seconds: float) -> None:
        """Look on for some seconds."""
        looking = [
            asyncio.ensure_future(self._see_all(link)) for link in [*self._links["seats"].values(), *[self._links["watch"]] * 2]
        ]
        await asyncio.wait(looking, timeout=seconds)
        for one in looking:
            one.cancel()

    async def _see_all(self, link: str) -> None:
        async for _ in self._pictures(link):
            pass

    async def _pictures(self, link: str) -> AsyncIterator[dict[str, Any]]:
        async with self._http.get(f"{self._base}/t/{link}/events", read_bufsize=2**20) as answer:
            async for line in answer.content:
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])

    async def _person(self, link: str) -> None:
        rng = Rng.of("table", link)
        async for picture in self._pictures(link):
            if picture["over"]:
                return
            if picture["turn"]:
                await asyncio.sleep(self._pause * rng.random() * 2)
                self._answered = time.perf_counter()
                body = {"number": picture["turn"]["number"], **chance(picture, rng)}
                async with self._http.post(f"{self._base}/t/{link}/answer", json=body) as answer:
                    assert answer.status == 200, await answer.text()

    async def _watch(self) -> None:
        async for picture in self._pictures(self._links["watch"]):
            if self._answered:
                self.latencies.append(time.perf_counter() - self._answered)
                self._answered = 0.0
            if picture["over"]:
                return


def facts_of(process: int) -> tuple[float, float]:
    """MiB of memory and seconds of processor time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{process}/status").read_text()
    memory = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return memory / 1024, (int(fields[11]) + int(fields[12])) / 100


async def measured(base: str, lobby: str, process: int, tables: int, pause: float) -> None:
    async with aiohttp.ClientSession() as http:
        begun = []
        for number in range(tables):
            body = {"match": {"game": "coup", "seats": ["human", "human", "bot:steady", "bot:steady"], "seed": number}}
            async with http.post(f"{lobby}/tables", json=body) as answer:
                begun.append(await answer.json())
                await asyncio.sleep(0.03)
    all_tables = [Table(number, base, links, pause) for number, links in enumerate(begun)]
    before = facts_of(process)[1]
    await asyncio.gather(*(table.idle(_IDLE) for table in all_tables))
    memory, after = facts_of(process)
    say(f"idle, {tables} tables, {4 * tables} connections: {memory:.0f} MiB, {(after - before) / _IDLE:.1%} of a core")
    before, began = after, time.perf_counter()
    await asyncio.gather(*(table.play() for table in all_tables))
    took, (memory, after) = time.perf_counter() - began, facts_of(process)
    found = sorted(one for table in all_tables for one in table.latencies)
    tenth = statistics.quantiles(found, n=20)
    say(
        f"answers after {pause:g} s on average: {len(found)} measured, median {statistics.median(found) * 1000:.0f} ms, 95 %"
        f" {tenth[-1] * 1000:.0f} ms, longest {found[-1] * 1000:.0f} ms; {memory:.0f} MiB,"
        f" {(after - before) / took:.0%} of a core, {took:.0f} s"
    )
    for table in all_tables:
        await table.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    tables = parser.parse_args().tables
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "runner", "serve", "logs", "--port", "0", "--concurrency", "200"]
        server = subprocess.Popen(
            words, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            assert server.stdout is not None
            lobby = server.stdout.readline().split()[1]
            for pause in (3.0, 0.0):
                asyncio.run(measured(lobby.partition("/h/")[0], lobby, server.pid, tables, pause))
        finally:
            server.terminate()
            server.communicate()


if __name__ == "__main__":
    main()
