"""Strangers: 1,300 idle connections from one address, again and again, while people and models play in `tabletop serve`.

`python -m tools.campaigns.strangers [SECONDS]`. Exit status 1 when a person's answer takes longer than a second, when a match
pauses, or when the server's standard error grows.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp

from tests.serve.webs import Site, Viewer

CONNECTIONS, OPEN_FILES, STRANGER = 1300, 1024, "127.0.0.9"
SLOWEST = 1.0
"""Seconds that an answer may take."""

TABLES = 6
THINKS = 0.25
"""Seconds before an answer. All people have one address, and so share its rate of requests."""


def served(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """A server with the usual limit of open files, and the address of its lobby."""
    words = [sys.executable, "-m", "runner", "serve", str(folder / "logs"), "--port", "0"]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    errors = (folder / "stderr").open("w", encoding="utf-8")
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))  # noqa: E731
    process = subprocess.Popen(
        words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=limit
    )
    assert process.stdout is not None
    return process, process.stdout.readline().removeprefix("Lobby: ").strip()


def flood(port: int) -> list[socket.socket]:
    """Idle connections, those that the server has not taken among them."""
    found = list[socket.socket]()
    for _ in range(CONNECTIONS):
        one = socket.socket()
        one.bind((STRANGER, 0))
        one.setblocking(False)
        with suppress(BlockingIOError, OSError):
            one.connect(("127.0.0.1", port))
        found.append(one)
    return found


async def flooding(port: int) -> None:
    while True:
        connections = await asyncio.to_thread(flood, port)
        await asyncio.sleep(2)
        for one in connections:
            one.close()


async def playing(person: Viewer, until: float) -> list[float]:
    """The seconds of each answer of a person, in matches one after the other."""
    took = list[float]()
    while time.monotonic() < until:
        async for picture in person.pictures():
            if picture["over"] or picture["paused"] or time.monotonic() > until:
                break
            if picture["turn"]:
                await asyncio.sleep(THINKS)
                start = time.monotonic()
                await person.answer(picture, **_first(picture))
                took.append(time.monotonic() - start)
        else:
            continue
        if not picture["over"]:
            break
        _, again = await person.web.post(f"/t/{person.link}/again")
        person = person.web.viewer(again["next"])
    return took


def _first(picture: dict[str, Any]) -> dict[str, Any]:
    turn = picture["turn"]
    return {"choice": 0} if "choices" in turn else {"answer": {name: "a quiet evening" for name, _, _ in turn["fields"]}}


async def tried(seconds: float, folder: Path) -> list[str]:
    """What went wrong."""
    process, lobby = served(folder)
    try:
        port = int(re.search(r":(\d+)/", lobby)[1])  # type: ignore[index]
        async with aiohttp.ClientSession() as http:
            site = Site(lobby, http)
            begun = [await site.begin("coup", "ann=human", "offline", "bot:steady") for _ in range(TABLES)]
            attack = asyncio.create_task(flooding(port))
            people = [site.viewer(one["seats"]["0"]) for one in begun]
            until = time.monotonic() + seconds
            took = [one for each in await asyncio.gather(*(playing(person, until) for person in people)) for one in each]
            attack.cancel()
            state = json.loads((await site.get(f"{site.lobby}/state"))[1])
    finally:
        process.terminate()
        process.wait(60)
    paused = [table["state"] for table in state["tables"] if table["state"] not in ("playing", "ended")]
    errors = (folder / "stderr").read_text(encoding="utf-8")
    sys.stdout.write(
        f"{len(took)} answers, the slowest {max(took):.3f} s; {len(paused)} matches paused; {len(errors)} letters of errors\n"
    )
    slow = [f"an answer took {max(took):.2f} s"] if max(took) > SLOWEST else []
    return [*slow, *paused, *([errors[:500]] if len(errors) > 2000 else [])]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with tempfile.TemporaryDirectory() as folder:
        wrong = asyncio.run(tried(seconds, Path(folder)))
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
