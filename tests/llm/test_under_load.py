"""Many calls at once against a server with a quota and faults: all are answered, and no Retry-After is ignored."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import ClassVar

from aiohttp import web

from runner.llm.call import Attempt, RetryPolicy
from runner.llm.client import Client
from runner.llm.offline import Faults, OfflineModel
from runner.llm.offline_server import OfflineServer
from runner.llm.outcome import Delivered, Infrastructure
from runner.llm.parse_answer import extract
from tests.llm.support import model, request

CALLS, QUOTA, WINDOW = 200, 100, 2 / 3
FAULTS = ("rate_limit", "server_error", "bad_gateway", "drip", "cut", "broken_json", "html")
POLICY = RetryPolicy(first_backoff=0.02, longest_backoff=0.3, slow_attempts=8)


class QuotaServer(OfflineServer):
    """Takes `QUOTA` requests in each `WINDOW` of seconds. One more gets a 429 that says how long to wait."""

    taken: ClassVar[deque[float]] = deque(maxlen=QUOTA)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        now = asyncio.get_running_loop().time()
        if len(self.taken) == QUOTA and (wait := self.taken[0] + WINDOW - now) > 0:
            self.requests += 1
            headers = {"retry-after": f"{wait:.3f}"}
            return web.json_response({"error": {"code": 429, "message": "too many requests"}}, status=429, headers=headers)
        self.taken.append(now)
        return await super()._handle(request)


async def test_all_are_answered_and_no_retry_after_is_ignored() -> None:
    """100 in 20 seconds and one fault in five, at thirty times the speed."""
    attempts: list[Attempt] = []

    async def keep(attempt: Attempt) -> None:
        attempts.append(attempt)

    faults = Faults(rate=0.2, kinds=FAULTS, retry_after=0.1)
    async with QuotaServer(OfflineModel(seed=5), faults) as server, Client(policy=POLICY) as client:
        asked = request(model(server.base_url, name="offline", time_limit=3.0))
        ends = await asyncio.gather(*(client.complete(asked, on_attempt=keep) for _ in range(CALLS)))
    assert all(isinstance(end, Delivered) and extract(end.reply.text).data["card"] for end in ends)
    assert server.answered >= CALLS
    assert CALLS < server.requests <= len(attempts)
    assert {attempt.outcome.kind for attempt in attempts} >= {"throttled", "delivered", "timeout", "connection_cut"}
    assert ignored(attempts) == []


def ignored(attempts: list[Attempt]) -> list[tuple[float, float]]:
    """When attempts began although an endpoint had asked to wait: at what time, and how long before the time it asked for."""
    holds = [(a.ended, a.ended + (a.outcome.retry_after or 0)) for a in attempts if isinstance(a.outcome, Infrastructure)]
    tolerance = 0.005
    return [
        (attempt.began, until - attempt.began)
        for attempt in attempts
        for since, until in holds
        if since < attempt.began < until - tolerance
    ]


async def test_a_model_that_is_held_does_not_hold_another_of_the_same_key() -> None:
    faults = Faults(script=("rate_limit",), retry_after=60.0)
    async with OfflineServer(faults=faults) as server, Client(policy=POLICY) as client:
        held, free = (request(model(server.base_url, name=name)) for name in ("offline", "offline/fenced"))
        first = asyncio.create_task(client.complete(held, on_attempt=ignore))
        while not server.requests:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(5):
            assert isinstance(await client.complete(free, on_attempt=ignore), Delivered)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)


async def ignore(attempt: Attempt) -> None:
    pass
