"""Offline server: the offline model on a loopback port for other processes and clients, with injected faults."""

import asyncio
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Self

from aiohttp import web

from runner.errors import refused
from runner.interrupts import STOP, on_signals
from runner.llm.offline import FINE, Faults, OfflineModel, stream_chunks

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
    """An HTTP server for the offline model. An asynchronous context manager; port 0 takes any free one. `requests` counts the
    chat completions that came in, `answered` those that were answered without a fault."""

    model: OfflineModel = field(default_factory=OfflineModel)
    faults: Faults = field(default_factory=Faults)
    host: str = "127.0.0.1"
    port: int = 0
    requests: int = 0
    answered: int = 0
    _runner: web.AppRunner | None = None
    _sequence: Iterator[str] = field(default_factory=lambda: iter(()))

    @property
    def base_url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/v1"

    async def __aenter__(self) -> Self:
        self._sequence = self.faults.sequence(self.model.seed)
        app = web.Application(client_max_size=_BODY_LIMIT)
        app.router.add_route("*", "/{path:.*}", self._handle)
        runner = web.AppRunner(app, access_log=None, logger=_SILENT, shutdown_timeout=_STOP_LIMIT, lingering_time=0)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port, backlog=1024).start()
        except OSError as error:
            await runner.cleanup()
            why = os.strerror(error.errno or 0)
            raise refused(f"Cannot listen on port {self.port} of {self.host}: {why}.", error) from error
        self._runner, self.port = runner, runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if (request.content_length or 0) > _BODY_LIMIT:
            return web.json_response({"error": {"message": "the request is too large"}}, status=413)
        body = await request.read()
        if request.path.endswith("/chat/completions"):
            self.requests += 1
            fault = next(self._sequence)
            if fault == "slow":
                await asyncio.sleep(self.faults.slowness)
            elif fault != FINE:
                return await _faulty(fault, request, self.faults)
            self.answered += 1
        answer = self.model.handle(request.method, request.path, request.headers, body)
        await asyncio.sleep(answer.delay)
        if answer.status == 200 and request.method == "POST" and (asked := json.loads(body)).get("stream") is True:
            return await _streamed(request, stream_chunks(asked, json.loads(answer.body)))
        return web.Response(status=answer.status, body=answer.body, content_type="application/json")


async def _streamed(request: web.Request, chunks: Iterable[object]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"content-type": "text/event-stream", "cache-control": "no-cache"})
    await response.prepare(request)
    for chunk in chunks:
        await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")
    return response


async def _faulty(fault: str, request: web.Request, faults: Faults) -> web.StreamResponse:
    match fault:
        case "rate_limit":
            wait = f"{faults.retry_after:.3f}".rstrip("0").rstrip(".")
            return web.json_response(_THROTTLED, status=429, headers={"retry-after": wait})
        case "server_error":
            return web.json_response({"error": {"code": 500, "message": "internal error"}}, status=500)
        case "bad_gateway":
            return web.json_response(_BAD_GATEWAY)
        case "broken_json":
            return web.Response(body=_ENVELOPE, content_type="application/json")
        case "html":
            return web.Response(status=502, text=_PAGE, content_type="text/html")
    response = web.StreamResponse(headers={"content-type": "application/json"})
    if fault == "cut":  # a part of a long body, then the connection is closed
        response.content_length = 4000
        await response.prepare(request)
        await response.write(_ENVELOPE)
        if request.transport is not None:
            request.transport.close()
        return response
    response.enable_chunked_encoding()
    await response.prepare(request)
    while request.transport is not None and not request.transport.is_closing():  # one blank at a time
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
    on_ready: Callable[[str], None] = lambda base_url: None,
) -> None:
    """Serve until SIGINT or SIGTERM. `on_ready` gets the base URL. UsageError for a port that is taken."""
    stopped = asyncio.Event()
    async with OfflineServer(OfflineModel(seed, mistake_rate), faults or Faults(), host, port) as server:
        on_signals(stopped.set, *STOP)
        on_ready(server.base_url)
        await stopped.wait()
