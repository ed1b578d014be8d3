"""The web server in this process, and browsers of it without a screen: what they get, and what they send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from games.core import Rng
from runner.agents.environment import Environment
from runner.agents.spec import Human
from runner.serve.http_server import HOST, serve_http
from runner.serve.match_host import HostLimits, SeatPolicy
from runner.serve.web_app import web_app
from runner.serve.web_host import WebHost
from runner.serve.web_service import ServerAddress
from runner.worker_processes import ProcessPool
from tests.patience import PATIENCE

Picture = dict[str, Any]


@dataclass
class Site:
    """A server by the address of its lobby, and whoever speaks to it."""

    address: str
    http: aiohttp.ClientSession

    @property
    def base(self) -> str:
        return self.address.rpartition("/h/")[0]

    @property
    def lobby(self) -> str:
        return self.address.removeprefix(self.base)

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        async with self.http.get(f"{self.base}{path}", headers=headers) as answer:
            return answer.status, await answer.text()

    async def post(self, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        async with self.http.post(f"{self.base}{path}", json={} if body is None else body, headers=headers) as answer:
            return answer.status, await answer.json()

    async def begin(self, game: str, *seats: str, rules: dict[str, Any] | None = None, **match: Any) -> dict[str, Any]:
        """Begin a match from the lobby: its log and its links."""
        body = {"match": {"game": game, "seats": list(seats), "seed": 5, **match}, "rules": rules or {}}
        status, begun = await self.post(f"{self.lobby}/tables", body)
        assert status == 200, begun
        return dict(begun)

    def viewer(self, link: str) -> Viewer:
        """Somebody who opens a link."""
        return Viewer(self, link)


@dataclass
class Web(Site):
    """A server in this process."""

    host: WebHost
    port: int


@dataclass
class Viewer:
    """A browser at a table."""

    web: Site
    link: str
    got: list[str] = field(default_factory=list)
    """Everything that the server has sent."""

    async def pictures(self) -> AsyncIterator[Picture]:
        """What there is to see, again and again, from a new connection."""
        async with self.web.http.get(f"{self.web.base}/t/{self.link}/events") as answer:
            assert answer.status == 200
            async for line in answer.content:
                self.got.append(line.decode())
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])

    async def until(self, holds: Callable[[Picture], object]) -> Picture:
        """The first picture for which something holds."""
        async with asyncio.timeout(PATIENCE):
            async for picture in self.pictures():
                if holds(picture):
                    return picture
        raise AssertionError("the server has closed the connection")

    async def answer(self, picture: Picture, **answer: Any) -> dict[str, Any]:
        """The verdict on an answer to the open question of a picture."""
        status, verdict = await self.web.post(f"/t/{self.link}/answer", {"number": picture["turn"]["number"], **answer})
        assert status == 200, verdict
        return dict(verdict)

    async def play(self, seed: int = 0) -> Picture:
        """Answer by chance to the end; the last picture."""
        rng = Rng.of("browser", self.link, seed)
        async for picture in self.pictures():
            if picture["over"]:
                return picture
            assert not picture["paused"], picture["paused"]
            if picture["turn"]:
                await self.answer(picture, **chance(picture, rng))
        raise AssertionError("the server has closed the connection")


async def first_asked(*viewers: Viewer) -> tuple[Viewer, Picture]:
    """The first of some people who has to decide, and what that one sees."""
    looking = {asyncio.ensure_future(viewer.until(lambda seen: seen["turn"])): viewer for viewer in viewers}
    done, others = await asyncio.wait(looking, return_when=asyncio.FIRST_COMPLETED)
    for one in others:
        one.cancel()
    found = done.pop()
    return looking[found], found.result()


def chance(picture: Picture, rng: Rng) -> dict[str, Any]:
    """An answer by chance; words where the text is free."""
    turn = picture["turn"]
    if "choices" in turn:
        return {"choice": rng.below(len(turn["choices"]))}
    return {"answer": dict.fromkeys((name for name, _, _ in turn["fields"]), "a quiet evening by the sea")}


@asynccontextmanager
async def web(
    folder: Path, environment: Environment | None = None, *, adopts: bool = False, **limits: Any
) -> AsyncIterator[Web]:
    """A server of a folder of logs; in the end its matches are paused."""
    limits = {"seconds": None, "policy": SeatPolicy(asked=Human, needs_client=False), "matches": 100, **limits}
    stopped, port = asyncio.Event(), asyncio.get_running_loop().create_future()
    with closing(ProcessPool(1)) as processes:
        host = WebHost(environment or Environment({}), HostLimits(folder, **limits), processes, adopts=adopts)
        try:
            await host.go_on_with_all()
            serving = asyncio.create_task(
                serve_http(
                    lambda port: web_app(host, *ServerAddress(HOST, 0).names(port)), HOST, 0, stopped.wait, port.set_result
                )  # type: ignore[arg-type]
            )
            async with aiohttp.ClientSession() as http:
                number = await port
                yield Web(f"http://{HOST}:{number}/h/{host.own_link}", http, host, number)
        finally:
            await host.close()
            stopped.set()
            await serving
