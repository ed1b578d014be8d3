"""Endpoint: the SDK client of one base URL and key. Only it, transport and wire.exceptions import network libraries."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

import httpx2

from runner.llm.address import parse_address
from runner.llm.body_forms import wire_body
from runner.llm.chat_client import ChatClient
from runner.llm.offline import OFFLINE_URL, OfflineModel
from runner.llm.request import Body, Model
from runner.llm.transport import LocalTransport, OfflineTransport, SessionTransport, transport_for
from runner.llm.unpack import ENCODINGS

_GET_LIMIT = 20.0
"""Seconds a GET may take."""


class RawResponse(Protocol):
    """The parts of an HTTP response that are used."""

    @property
    def status_code(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def text(self) -> str: ...


class EndpointClient:
    """The SDK client of one base URL and key. The SDK's own retries are off, and no redirect is followed: it would take keys,
    headers and prompts to an address that nobody named."""

    def __init__(self, model: Model, offline: OfflineModel) -> None:
        address = parse_address(model.base_url)
        http = httpx2.AsyncClient(
            transport=_transport(model, offline),
            params=httpx2.QueryParams(address.query),
            headers={"accept-encoding": ", ".join(ENCODINGS)},
            follow_redirects=False,
        )
        self._sdk = ChatClient(api_key=model.key or "none", base_url=address.url, max_retries=0, timeout=None, http_client=http)
        self._sdk.organization = self._sdk.project = None

    async def send(self, body: Body, headers: Mapping[str, str], time_limit: float) -> RawResponse:
        """Send a chat completion and return the whole response. Raises the SDK's errors, TimeoutError after the limit.

        The limit is on the whole attempt: a server that sends blanks for ever would renew a limit on each read.
        """
        async with asyncio.timeout(time_limit):
            return await self._sdk.complete(wire_body(body), headers)

    async def get(self, path: str, headers: Mapping[str, str]) -> RawResponse:
        """The response to a GET of a path below the base URL. Raises the SDK's errors, or TimeoutError."""
        async with asyncio.timeout(_GET_LIMIT):
            return await self._sdk.get(path, cast_to=httpx2.Response, options={"headers": dict(headers)})

    async def close(self) -> None:
        """Close all connections."""
        await self._sdk.close()


def _transport(model: Model, offline: OfflineModel) -> SessionTransport | LocalTransport | OfflineTransport:
    if model.base_url == OFFLINE_URL:
        return OfflineTransport(offline)
    return transport_for(parse_address(model.base_url)) if model.local is None else LocalTransport(model.base_url)
