"""Offline server: the offline model on a loopback port for other processes and clients, with injected faults."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from aiohttp import web

from runner.llm.fault_injection import FINE, Faults, Meter, Quota
from runner.llm.offline import OfflineModel

_BODY_LIMIT = 16 * 1024 * 1024
_DRIP_EVERY = 0.02
_STOP_LIMIT = 0.05
"""Seconds that requests in progress get when the server stops."""

_SILENT = logging.Logger("offline server", logging.CRITICAL)
"""A client's bad request is no error of the server."""

_ENVELOPE = b'{"id": "gen-broken", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assis'
_PAGE = "<!DOCTYPE html><html><body>Bad gateway</body></html>"
_THROTTLED = {"error": {"code": 429, "message": "too many requests", "metadata": {"error_type": "rate_limit_exceeded"}}}
_BAD_GATEWAY = {"error": {"code": 502, "message": "provider returned error"}, "choices": None}


@dataclass(slots=True, eq=False)
class OfflineServer:
    """An HTTP server for the offline model. An asynchronous context manager; port 0 takes any free one.

    `requests` counts the chat completions that came in, `answered` those that were answered without a fault.
    """

    model: OfflineModel = field(default_factory=OfflineModel)
    faults: Faults = field(default_factory=Faults)
    quota: Quota | None = None
    host: str = "127.0.0.1"
    port: int = 0
    requests: int = 0
    answered: int = 0
    _runner: web.AppRunner | None = None
    _sequence: Iterator[str] = field(default_factory=lambda: iter(()))
    _meter: Meter = field(default_factory=lambda: Meter(None))

    @property
    def base_url(self) -> str:
        """The base URL for clients."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/v1"

    async def __aenter__(self) -> Self:
        self._sequence, self._meter = self.faults.sequence(self.model.seed), Meter(self.quota)
        app = web.Application(client_max_size=_BODY_LIMIT)
        app.router.add_route("*", "/{path:.*}", self._handle)
        runner = web.AppRunner(app, access_log=None, logger=_SILENT, shutdown_timeout=_STOP_LIMIT, lingering_time=0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port, backlog=1024).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner, self.port = runner, runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if (request.content_length or 0) > _BODY_LIMIT:
            return web.json_response({"error": {"message": "the request is too large"}}, status=413)
        body = await request.read()
        if request.path.endswith("/chat/completions"):
            self.requests += 1
            wait = self._meter.wait(asyncio.get_running_loop().time())
            if wait is not None:
                return _throttled(wait)
            fault = next(self._sequence)
            if fault == "slow":
                await asyncio.sleep(self.faults.slowness)
            elif fault != FINE:
                return await _faulty(fault, request, self.faults)
            self.answered += 1
        answer = self.model.handle(request.method, request.path, request.headers, body)
        await asyncio.sleep(answer.delay)
        return web.Response(status=answer.status, body=answer.body, content_type=answer.headers["content-type"])


async def _faulty(fault: str, request: web.Request, faults: Faults) -> web.StreamResponse:
    """The response with this fault."""
    match fault:
        case "rate_limit":
            return _throttled(faults.retry_after)
        case "server_error":
            return web.json_response({"error": {"code": 500, "message": "internal error"}}, status=500)
        case "bad_gateway":
            return web.json_response(_BAD_GATEWAY)
        case "broken_json":
            return web.Response(body=_ENVELOPE, content_type="application/json")
        case "html":
            return web.Response(status=502, text=_PAGE, content_type="text/html")
        case "cut":
            return await _cut(request)
        case _:
            return await _drip(request)


def _throttled(retry_after: float) -> web.Response:
    """A 429 with a Retry-After of `retry_after` seconds."""
    wait = f"{retry_after:.3f}".rstrip("0").rstrip(".")
    return web.json_response(_THROTTLED, status=429, headers={"retry-after": wait})


async def _cut(request: web.Request) -> web.StreamResponse:
    """Announce a long body, send a part of it, and close the connection."""
    response = web.StreamResponse(headers={"content-type": "application/json", "content-length": "4000"})
    await response.prepare(request)
    await response.write(_ENVELOPE)
    if request.transport is not None:
        request.transport.close()
    return response


async def _drip(request: web.Request) -> web.StreamResponse:
    """Send one blank at a time until the client is gone."""
    response = web.StreamResponse(headers={"content-type": "application/json"})
    response.enable_chunked_encoding()
    await response.prepare(request)
    while request.transport is not None and not request.transport.is_closing():
        await response.write(b" ")
        await asyncio.sleep(_DRIP_EVERY)
    return response


async def serve(
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    seed: int = 0,
    mistake_rate: float = 0.0,
    faults: Faults | None = None,
    quota: Quota | None = None,
    on_ready: Callable[[str], None] = lambda base_url: None,
) -> None:
    """Serve until SIGINT or SIGTERM. `on_ready` is called with the base URL once the port is open.

    Raises OSError for a port that is not free, ValueError for faults that do not exist.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    async with OfflineServer(OfflineModel(seed, mistake_rate), faults or Faults(), quota, host, port) as server:
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signal_number, stopped.set)
        try:
            on_ready(server.base_url)
            await stopped.wait()
        finally:
            for signal_number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(signal_number)
