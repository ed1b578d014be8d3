"""Endpoint: the SDK client of one base URL and key, and the transports beneath it. Nothing else imports network libraries."""

import asyncio
import logging
import socket
import urllib.request
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from ssl import SSLContext
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import aiohttp
import openai
from openai import AsyncOpenAI
from openai._models import FinalRequestOptions

from runner.llm.address import Address, host_of, parse_address, redact, without_password
from runner.llm.model_list import GetResult
from runner.llm.outcome import AccountProblem, Configuration, Infrastructure, Outcome
from runner.llm.request import Body, Model, wire_body
from runner.llm.wire.exchange import Exchange
from runner.llm.wire.replies import classify

if TYPE_CHECKING or int(openai.VERSION.partition(".")[0]) >= 3:
    import httpx2
else:  # openai 2.x is built on the earlier package, with the same names
    import httpx as httpx2

logging.getLogger("openai").setLevel(logging.INFO)
"""At DEBUG, which the variable OPENAI_LOG can ask for, the SDK logs requests with headers and fields that may be secrets."""

_ENCODINGS = "gzip, deflate"
"""The content encodings that are asked for (RFC 9110, section 8.4.1)."""

_FORMATS = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}
"""Window sizes that stand for gzip, zlib and bare deflate (docs.python.org, zlib.decompressobj)."""

_CONNECT_LIMIT, _GET_LIMIT = 15.0, 20.0
"""Seconds to connect, and for a whole GET."""

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


def unpacked(content: bytes, encodings: Sequence[str], most: int) -> bytes:
    """The body without its content encodings, cut after `most` bytes. A body that is not encoded as said stays as it is."""
    for encoding in reversed(encodings):
        for window in _FORMATS.get(encoding.strip().lower(), ()):
            with suppress(zlib.error):
                content = zlib.decompressobj(window).decompress(content, most)
                break
    return content


class SessionTransport(httpx2.AsyncBaseTransport):
    """Sends requests by aiohttp, which takes half the processor time of the SDK's own transport, also with many in flight. Own
    code for the sake of that cost. Responses are read whole; a cancelled request closes its connection."""

    def __init__(self, proxy: str | None = None) -> None:
        self._proxy = proxy
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and read the whole response, as UTF-8. Raises the errors of the SDK's own transport."""
        if self._session is None:
            self._session = _new_session(self._proxy)
        sent = [(name.decode(), value.decode()) for name, value in request.headers.raw]
        body = await request.aread() or None
        try:
            async with self._session.request(
                request.method, str(request.url), headers=sent, data=body, allow_redirects=False
            ) as response:
                content = await _content(response)
        except aiohttp.ClientError as error:
            theirs = next(theirs for ours, theirs in _ERRORS if isinstance(error, ours))
            raise theirs(str(error) or type(error).__name__) from error
        headers = httpx2.Headers(response.raw_headers)
        content = unpacked(content, headers.pop("content-encoding", "").split(","), _LONGEST_BODY)
        found = httpx2.Response(response.status, headers=headers, content=content)
        found.encoding = "utf-8"  # JSON is; a header may name a charset that is no codec for text
        return found

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()


_DONE = (b"\ndata: [DONE]", b"\ndata:[DONE]")
"""The end of a stream, after which a server may keep the connection open."""


async def _content(response: aiohttp.ClientResponse) -> bytes:
    """The body of a response, cut where no answer is that long, or where a stream ends; the rest is never read."""
    content = bytearray()
    async for chunk in response.content.iter_any():
        content += chunk
        if len(content) > _LONGEST_BODY or content[-20:].rstrip().endswith(_DONE):
            break
    return bytes(content)


@cache
def _certificates() -> SSLContext:
    """Which servers are trusted, for all sessions: to read the certificates takes as long as a hundred requests."""
    return httpx2.create_ssl_context()


def _new_session(proxy: str | None) -> aiohttp.ClientSession:
    """A session, made inside the event loop. Rate limiters bound the calls in flight, callers their duration."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_LIMIT, ssl=_certificates()),
        timeout=aiohttp.ClientTimeout(total=None, connect=_CONNECT_LIMIT),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        max_line_size=_LONGEST_HEADER,
        max_field_size=_LONGEST_HEADER,
        proxy=proxy,
    )


def transport_for(address: Address) -> SessionTransport:
    """The transport to an endpoint, through the environment's proxy if it names one. AccountProblem if that is not HTTP. None
    leads to this machine itself: a key in an unencrypted request to it must not leave it."""
    proxies = {} if address.is_loopback else urllib.request.getproxies()
    if not proxies or urllib.request.proxy_bypass(address.netloc):
        return SessionTransport()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    if proxy and (kind := urlsplit(proxy).scheme) not in ("http", "https"):
        why = f"the environment names a {kind} proxy for {address.scheme}, and only http proxies can be used"
        raise AccountProblem(why, "proxy_unusable", "model")
    return SessionTransport(proxy)


_PATH = "/chat/completions"
_BILLED = "it may have been charged for"


def of_exception(error: Exception, exchange: Exchange) -> Outcome:
    """The outcome of an exception: an error status, a timeout, or a connection that failed or broke."""
    if isinstance(error, openai.APIStatusError):
        return classify(error.response.status_code, error.response.headers, error.response.text, exchange)
    if isinstance(error, (TimeoutError, openai.APITimeoutError)):
        return Infrastructure("timeout", f"no complete answer within {exchange.model.time_limit:g} s; {_BILLED}", billed=True)
    reason, cause = redact(_in_words(error), exchange.model.secrets), error.__cause__
    reason = "the local server gave no answer" if exchange.model.connector else reason
    if not isinstance(error, openai.APIConnectionError):
        return Infrastructure("sdk_error", f"the client library failed: {reason}", billed=True)
    if isinstance(cause, (httpx2.UnsupportedProtocol, httpx2.TooManyRedirects)):
        why = f"no request can be sent to {exchange.model.base_url} ({type(cause).__name__})"
        return Configuration("not_an_endpoint", why, "model")
    if "WRONG_VERSION_NUMBER" in reason:
        why = f"the server at {host_of(exchange.model.base_url)} speaks no TLS: write http:// in place of https://"
        return Configuration("not_an_endpoint", why, "model")
    if isinstance(cause, (httpx2.ConnectError, httpx2.ProxyError)):
        return Infrastructure("no_connection", f"no connection to the endpoint ({reason})")
    return Infrastructure("connection_cut", f"the connection broke ({reason}); {_BILLED}", billed=True)


def _in_words(error: Exception) -> str:
    if isinstance(error, (TimeoutError, openai.APITimeoutError)):
        return "no answer in time"
    cause = deeper = error.__cause__ or error
    for _ in range(8):
        if isinstance(deeper, ConnectionRefusedError):
            return "connection refused"
        if isinstance(deeper, socket.gaierror):
            return "the host name is not known"
        if isinstance(deeper, aiohttp.ClientResponseError):  # its words are about the bytes
            return "the response is no HTTP"
        deeper = deeper.__cause__ or deeper.__context__ or deeper
    return without_password(f"{type(cause).__name__}: {cause}") if str(cause) else type(cause).__name__


class _ChatClient(AsyncOpenAI):
    """The SDK's client, which merges address, query and headers of its POSTs once: that takes as long as sending one."""

    _merged: httpx2.Request | None = None

    def _build_request(self, options: FinalRequestOptions, *, retries_taken: int = 0) -> httpx2.Request:
        if options.url != _PATH:
            return super()._build_request(options, retries_taken=retries_taken)
        if self._merged is None:
            self._merged = super()._build_request(options.model_copy(update={"headers": {}, "json_data": None}))
            del self._merged.headers["content-length"]
        request = httpx2.Request("POST", self._merged.url, headers=self._merged.headers, json=options.json_data)
        request.headers.update(cast(Mapping[str, str], options.headers))
        return request


class EndpointClient:
    """The SDK client of one base URL and key. It retries nothing and follows no redirect, which could carry keys elsewhere."""

    def __init__(self, base_url: str, key: str) -> None:
        address = parse_address(base_url)
        http = httpx2.AsyncClient(
            transport=transport_for(address),
            params=httpx2.QueryParams(address.query),
            headers={"accept-encoding": _ENCODINGS},
            follow_redirects=False,
        )
        self._sdk = _ChatClient(api_key=key or "none", base_url=address.url, max_retries=0, timeout=None, http_client=http)
        self._sdk.organization = self._sdk.project = None

    async def send(self, body: Body, headers: Mapping[str, str], time_limit: float) -> tuple[int, Mapping[str, str], str]:
        """Send a chat completion; status, headers and text of the response. Raises the SDK's errors, TimeoutError when all
        of it takes longer than the limit: a server that sends blanks for ever would renew one on each read."""
        sent = wire_body(body)
        async with asyncio.timeout(time_limit):
            found = await self._sdk.post(_PATH, cast_to=httpx2.Response, body=sent, options={"headers": dict(headers)})
        return found.status_code, found.headers, found.text

    async def get(self, path: str, model: Model) -> GetResult:
        """The result of a GET of a path below the base URL, its failure in words."""
        try:
            async with asyncio.timeout(_GET_LIMIT):
                found = await self._sdk.get(path, cast_to=httpx2.Response, options={"headers": dict(model.headers)})
        except openai.APIStatusError as error:
            return GetResult("", error.status_code, f"status {error.status_code}")
        except (openai.OpenAIError, TimeoutError) as error:
            return GetResult("", None, redact(_in_words(error), model.secrets))
        return GetResult(redact(found.text, model.secrets), found.status_code)

    async def close(self) -> None:
        await self._sdk.close()
