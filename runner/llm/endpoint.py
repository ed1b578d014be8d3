"""One SDK client for each base URL and key. The only module beside wire.exceptions that touches openai and httpx2."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Protocol

import anyio
import httpx2
from openai import AsyncOpenAI

from runner.llm.offline import OFFLINE_URL, OfflineModel
from runner.llm.request import Body, Model

CONNECT_LIMIT = 15.0
"""Seconds a connection may take to be made."""

_CLEAN_UP = 5.0
"""Seconds an attempt may take beyond its limit to give its connection back."""

_LOOK_LIMIT = 20.0
"""Seconds a question about models or a key may take."""

_CONNECTIONS = httpx2.Limits(max_connections=1000, max_keepalive_connections=1000, keepalive_expiry=20.0)
_TIMEOUT = httpx2.Timeout(None, connect=CONNECT_LIMIT)
"""No time limit a read: a dripping server renews it for ever, so the whole attempt has one (catalogue row 4)."""


logging.getLogger("httpcore2").setLevel(logging.INFO)
"""The transport's DEBUG records hold response headers as they came, which might echo a key."""


class Raw(Protocol):
    """A response as far as it is looked at."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def text(self) -> str: ...


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


class Endpoint:
    """The SDK client of one base URL and key, its own retries off."""

    def __init__(self, model: Model, offline: OfflineModel) -> None:
        transport = OfflineTransport(offline) if model.base_url == OFFLINE_URL else None
        http = httpx2.AsyncClient(transport=transport, timeout=_TIMEOUT, limits=_CONNECTIONS, follow_redirects=True)
        self._sdk = AsyncOpenAI(
            api_key=model.key or "none", base_url=model.base_url, max_retries=0, timeout=_TIMEOUT, http_client=http
        )
        self._sdk.organization = self._sdk.project = None

    async def send(self, body: Body, headers: Mapping[str, str], time_limit: float) -> Raw:
        """Sends a chat completion and returns the whole response. Raises what the SDK raises, TimeoutError after the limit.

        The limit is anyio's, as the transport's own clean-up is: a plain cancellation breaks into its closing of idle
        connections and leaves their sockets open. The plain one behind it is for a clean-up that hangs.
        """
        async with asyncio.timeout(time_limit + _CLEAN_UP):
            with anyio.fail_after(time_limit):
                return await self._sdk.post(
                    "/chat/completions", cast_to=httpx2.Response, body=body, options={"headers": dict(headers)}
                )

    async def look(self, path: str, headers: Mapping[str, str]) -> Raw:
        """The response to a GET of a path below the base URL. Raises what the SDK raises, or TimeoutError."""
        with anyio.fail_after(_LOOK_LIMIT):
            return await self._sdk.get(path, cast_to=httpx2.Response, options={"headers": dict(headers)})

    async def close(self) -> None:
        """Closes all connections."""
        await self._sdk.close()
