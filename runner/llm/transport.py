"""HTTP transports: connections in small pools, and the offline model instead of a socket. Imported with the SDK only."""

from __future__ import annotations

import asyncio
import ssl
import urllib.request
from collections.abc import AsyncIterator

import httpx2

from runner.llm.offline import OfflineModel

POOL_SIZE = 16
"""Connections a pool holds. It looks through all of them for each request, so that a large one costs more than the call."""

IDLE_LIMIT = 4.0
"""Seconds an idle connection is kept: less than the 5 s after which common servers hang up in the midst of a request."""

_LIMITS = httpx2.Limits(max_connections=None, max_keepalive_connections=POOL_SIZE, keepalive_expiry=IDLE_LIMIT)


def transport_for(offline: OfflineModel | None) -> httpx2.AsyncBaseTransport | None:
    """The offline model's transport, else pools; None where the environment names a proxy, which the client sees to itself."""
    if offline is not None:
        return OfflineTransport(offline)
    return None if urllib.request.getproxies() else PooledTransport()


class OfflineTransport(httpx2.AsyncBaseTransport):
    """Hands requests to the offline model in this process instead of a socket."""

    def __init__(self, model: OfflineModel) -> None:
        self._model = model

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The offline model's answer, after the delay it asks for."""
        body = await request.aread()
        answer = self._model.handle(request.method, request.url.path, request.headers, body)
        if answer.delay:
            await asyncio.sleep(answer.delay)
        return httpx2.Response(answer.status, headers=answer.headers, content=answer.body)


class _Pool:
    """One pool, and how many requests it has under way."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.transport = httpx2.AsyncHTTPTransport(verify=context, limits=_LIMITS)
        self.busy = 0


class _Body(httpx2.AsyncByteStream):
    """A response's body that gives its place in the pool back when it is closed."""

    def __init__(self, body: httpx2.AsyncByteStream, pool: _Pool) -> None:
        self._body = body
        self._pool: _Pool | None = pool

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._body:
            yield part

    async def aclose(self) -> None:
        """Closes the body; a second time does nothing."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.busy -= 1
            await self._body.aclose()


class PooledTransport(httpx2.AsyncBaseTransport):
    """Spreads requests over pools of few connections, the first that has room, so that idle ones are used again."""

    def __init__(self) -> None:
        self._context = httpx2.create_ssl_context()
        self._pools: list[_Pool] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends a request through a pool with room for it."""
        pool = self._pool_with_room()
        pool.busy += 1
        try:
            response = await pool.transport.handle_async_request(request)
        except BaseException:
            pool.busy -= 1
            raise
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Body(response.stream, pool)
        return response

    async def aclose(self) -> None:
        """Closes every pool."""
        for pool in self._pools:
            await pool.transport.aclose()

    def _pool_with_room(self) -> _Pool:
        for pool in self._pools:
            if pool.busy < POOL_SIZE:
                return pool
        self._pools.append(_Pool(self._context))
        return self._pools[-1]
