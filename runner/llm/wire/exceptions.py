"""Exceptions of the openai SDK, as outcomes. Only this module and the endpoint know the SDK."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Iterator, Sequence
from typing import TYPE_CHECKING

import httpx2
import openai

from runner.llm.address import without_password
from runner.llm.model_list import GetResult
from runner.llm.outcome import Configuration, Infrastructure, Outcome
from runner.llm.redact import redact
from runner.llm.wire.replies import Exchange
from runner.llm.wire.response import classify

if TYPE_CHECKING:
    from runner.llm.endpoint import RawResponse

_BILLED = "it may have been charged for"
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ProxyError)
_NEVER_SENT = (httpx2.UnsupportedProtocol, httpx2.TooManyRedirects)


def of_exception(error: Exception, exchange: Exchange) -> Outcome:
    """The outcome of an exception: an error status, a timeout, or a connection that failed or broke."""
    if isinstance(error, openai.APIStatusError):
        return classify(error.response.status_code, error.response.headers, error.response.text, exchange)
    if isinstance(error, (TimeoutError, openai.APITimeoutError)):
        why = f"no complete answer within {exchange.model.time_limit:g} s; {_BILLED}"
        return Infrastructure("timeout", why, billed=True)
    if isinstance(error, openai.APIConnectionError):
        return _connection(error, exchange)
    why = redact(f"the client library failed: {_in_words(error)}", exchange.model.secrets)
    return Infrastructure("sdk_error", why, billed=True)


async def get_result(response: Awaitable[RawResponse], secrets: Sequence[str]) -> GetResult:
    """The result of a GET, its failure in words."""
    try:
        found = await response
    except openai.APIStatusError as error:
        return GetResult("", error.status_code, f"status {error.status_code}")
    except (openai.OpenAIError, TimeoutError) as error:
        return GetResult("", None, redact(_in_words(error), secrets))
    return GetResult(redact(found.text, secrets), found.status_code)


def _in_words(error: Exception) -> str:
    if isinstance(error, (TimeoutError, openai.APITimeoutError)):
        return "no answer in time"
    cause = error.__cause__ or error
    for deeper in _causes(cause):
        if isinstance(deeper, ConnectionRefusedError):
            return "connection refused"
        if isinstance(deeper, socket.gaierror):
            return "the host name is not known"
    return without_password(f"{type(cause).__name__}: {cause}") if str(cause) else type(cause).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and its causes, at most eight of them."""
    for _ in range(8):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _connection(error: openai.APIConnectionError, exchange: Exchange) -> Outcome:
    reason = redact(_in_words(error), exchange.model.secrets)
    cause = error.__cause__
    if isinstance(cause, _NEVER_SENT):
        why = f"no request can be sent to {exchange.model.base_url} ({type(cause).__name__})"
        return Configuration("not_an_endpoint", why, "model")
    if isinstance(cause, _NOT_CONNECTED):
        return Infrastructure("no_connection", f"no connection to the endpoint ({reason})")
    return Infrastructure("connection_cut", f"the connection broke ({reason}); {_BILLED}", billed=True)
