"""One SDK client for each base URL and key. Beside it only wire.exceptions and transport touch the network's libraries."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

import httpx2
from openai import AsyncOpenAI

from runner.llm.offline import OFFLINE_URL, OfflineModel
from runner.llm.request import Body, Model, on_the_wire
from runner.llm.transport import OfflineTransport, transport_for

_LOOK_LIMIT = 20.0
"""Seconds a question about models or a key may take."""


class Raw(Protocol):
    """A response as far as it is looked at."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def text(self) -> str: ...


class Endpoint:
    """The SDK client of one base URL and key, its own retries off."""

    def __init__(self, model: Model, offline: OfflineModel) -> None:
        transport = OfflineTransport(offline) if model.base_url == OFFLINE_URL else transport_for(model.base_url)
        http = httpx2.AsyncClient(transport=transport, follow_redirects=True)
        self._sdk = AsyncOpenAI(
            api_key=model.key or "none", base_url=model.base_url, max_retries=0, timeout=None, http_client=http
        )
        self._sdk.organization = self._sdk.project = None

    async def send(self, body: Body, headers: Mapping[str, str], time_limit: float) -> Raw:
        """Sends a chat completion and returns the whole response. Raises what the SDK raises, TimeoutError after the limit.

        The limit is on the whole attempt: a dripping server renews one on a read for ever (catalogue row 4).
        """
        async with asyncio.timeout(time_limit):
            return await self._sdk.post(
                "/chat/completions", cast_to=httpx2.Response, body=on_the_wire(body), options={"headers": dict(headers)}
            )

    async def look(self, path: str, headers: Mapping[str, str]) -> Raw:
        """The response to a GET of a path below the base URL. Raises what the SDK raises, or TimeoutError."""
        async with asyncio.timeout(_LOOK_LIMIT):
            return await self._sdk.get(path, cast_to=httpx2.Response, options={"headers": dict(headers)})

    async def close(self) -> None:
        """Closes all connections."""
        await self._sdk.close()
