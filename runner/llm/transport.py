"""HTTP transports beneath the SDK's client: aiohttp, or the offline model. Imported with the SDK only."""

from __future__ import annotations

import asyncio
import urllib.request
from urllib.parse import urlsplit

import aiohttp
import httpx2

from runner.llm.address import Address, parse_address
from runner.llm.call_errors import AccountProblem
from runner.llm.local_servers import servers
from runner.llm.offline import OfflineModel
from runner.llm.unpack import unpacked

CONNECT_LIMIT = 15.0
"""Seconds to connect."""

_IDLE_LIMIT = 4.0
"""Seconds an idle connection is kept: less than the 5 s after which common servers close it, perhaps during a request."""

_LONGEST_HEADER = 64 * 1024
"""Bytes of one header line of a response."""

_LONGEST_BODY = 8 * 1024 * 1024
"""Bytes of a response's body that are read and unpacked. Long lists of models have two million."""

_ERRORS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (aiohttp.NonHttpUrlClientError, httpx2.UnsupportedProtocol),
    (aiohttp.ClientHttpProxyError, httpx2.ProxyError),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectError),
    (aiohttp.ClientError, httpx2.ReadError),
)
"""Errors of aiohttp and the SDK client's errors for them; the first match counts."""


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


class LocalTransport(httpx2.AsyncBaseTransport):
    """Sends requests to the running server of a local model. Neither its address nor its key is in an error."""

    def __init__(self, base_url: str) -> None:
        self._base_url, self._path = base_url, parse_address(base_url).path.removesuffix("/v1")
        self._sending = SessionTransport(None)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request to where the server listens, with its key. Raises the errors of the SDK's own transport."""
        access, body = servers.access(self._base_url), await request.aread()
        url = f"{access.address}{request.url.path.removeprefix(self._path)}"
        headers = httpx2.Headers(request.headers)
        headers.update({"authorization": f"Bearer {access.key}", "host": access.address.partition("://")[2]})
        try:
            return await self._sending.handle_async_request(httpx2.Request(request.method, url, headers=headers, content=body))
        except httpx2.TransportError as error:
            raise type(error)("the local server gave no answer") from None

    async def aclose(self) -> None:
        """Close all connections."""
        await self._sending.aclose()


class SessionTransport(httpx2.AsyncBaseTransport):
    """Sends requests by aiohttp, which takes half the processor time of the SDK's own transport, also with many in flight.

    Own code for the sake of that cost. Responses are read whole; a cancelled request closes its connection.
    """

    def __init__(self, proxy: str | None) -> None:
        self._proxy = proxy
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and read the whole response. Raises the errors of the SDK's own transport."""
        if self._session is None:
            self._session = _new_session(self._proxy)
        body = await request.aread()
        try:
            async with self._session.request(
                request.method, str(request.url), headers=_decoded_headers(request), data=body or None, allow_redirects=False
            ) as response:
                content = await _content(response)
        except aiohttp.ClientError as error:
            raise _translated(error) from error
        return _decoded(response.status, httpx2.Headers(response.raw_headers), content)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()


def _decoded_headers(request: httpx2.Request) -> list[tuple[str, str]]:
    return [(name.decode(), value.decode()) for name, value in request.headers.raw]


def _decoded(status: int, headers: httpx2.Headers, content: bytes) -> httpx2.Response:
    """The response, decompressed if it is compressed as its headers say. Its text is UTF-8, as JSON is.

    A header may name a charset that is no codec for text.
    """
    encodings = headers.pop("content-encoding", "").split(",")
    found = httpx2.Response(status, headers=headers, content=unpacked(content, encodings, _LONGEST_BODY))
    found.encoding = "utf-8"
    return found


async def _content(response: aiohttp.ClientResponse) -> bytes:
    """The body of a response, cut where no answer is that long; the rest is never read."""
    content = bytearray()
    async for chunk in response.content.iter_any():
        content += chunk
        if len(content) > _LONGEST_BODY:
            break
    return bytes(content)


def transport_for(address: Address) -> SessionTransport:
    """The transport to an endpoint, through the environment's proxy if it names one. AccountProblem if that is not HTTP.

    No proxy leads to this machine itself, and a key in an unencrypted request to it must not leave it.
    """
    proxies = {} if address.is_loopback else urllib.request.getproxies()
    if not proxies or urllib.request.proxy_bypass(address.netloc):
        return SessionTransport(None)
    proxy = proxies.get(address.scheme) or proxies.get("all")
    if proxy and (kind := urlsplit(proxy).scheme) not in ("http", "https"):
        why = f"the environment names a {kind} proxy for {address.scheme}, and only http proxies can be used"
        raise AccountProblem(why, "proxy_unusable", "model")
    return SessionTransport(proxy)


def _new_session(proxy: str | None) -> aiohttp.ClientSession:
    """A session, made inside the event loop. Rate limiters bound the calls in flight, callers their duration."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_LIMIT, ssl=httpx2.create_ssl_context()),
        timeout=aiohttp.ClientTimeout(total=None, connect=CONNECT_LIMIT),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        max_line_size=_LONGEST_HEADER,
        max_field_size=_LONGEST_HEADER,
        proxy=proxy,
    )


def _translated(error: aiohttp.ClientError) -> httpx2.TransportError:
    return next(theirs for ours, theirs in _ERRORS if isinstance(error, ours))(str(error) or type(error).__name__)
