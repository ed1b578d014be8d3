"""What the openai SDK raises, as outcomes. The only module beside the endpoint that knows the SDK's exceptions."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Iterator, Sequence
from typing import TYPE_CHECKING

import httpx2
import openai

from runner.llm.model_list import Look
from runner.llm.outcome import Configuration, Infrastructure, Outcome
from runner.llm.redact import redact
from runner.llm.wire.replies import Call
from runner.llm.wire.response import judged

if TYPE_CHECKING:
    from runner.llm.endpoint import Raw

_BILLED = "it may have been charged for"
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ProxyError)
_NEVER_SENT = (httpx2.UnsupportedProtocol, httpx2.TooManyRedirects)


def of_exception(error: Exception, call: Call) -> Outcome:
    """The outcome an exception from the SDK stands for (catalogue rows 1 to 4)."""
    if isinstance(error, openai.APIStatusError):
        return judged(error.response.status_code, error.response.headers, error.response.text, call)
    if isinstance(error, (TimeoutError, openai.APITimeoutError)):
        why = f"no complete answer within {call.model.time_limit:g} s; {_BILLED}"
        return Infrastructure("timeout", why, billed=True)
    if isinstance(error, openai.APIConnectionError):
        return _connection(error, call)
    why = redact(f"the client library failed: {_in_words(error)}", call.model.secrets)
    return Infrastructure("sdk_error", why, billed=True)


async def looked(response: Awaitable[Raw], secrets: Sequence[str]) -> Look:
    """What a GET brought, its failure in words."""
    try:
        found = await response
    except openai.APIStatusError as error:
        return Look("", error.status_code, f"status {error.status_code}")
    except (openai.OpenAIError, TimeoutError) as error:
        return Look("", None, redact(_in_words(error), secrets))
    return Look(redact(found.text, secrets), found.status_code)


def _in_words(error: Exception) -> str:
    if isinstance(error, (TimeoutError, openai.APITimeoutError)):
        return "no answer in time"
    cause = error.__cause__ or error
    for deeper in _causes(cause):
        if isinstance(deeper, ConnectionRefusedError):
            return "connection refused"
        if isinstance(deeper, socket.gaierror):
            return "the host name is not known"
    return f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what it came from, at most eight of them."""
    for _ in range(8):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _connection(error: openai.APIConnectionError, call: Call) -> Outcome:
    reason = redact(_in_words(error), call.model.secrets)
    cause = error.__cause__
    if isinstance(cause, _NEVER_SENT):
        why = f"no request can be sent to {call.model.base_url} ({type(cause).__name__})"
        return Configuration("not_an_endpoint", why, "model")
    if isinstance(cause, _NOT_CONNECTED):
        return Infrastructure("no_connection", f"no connection to the endpoint ({reason})")
    return Infrastructure("connection_cut", f"the connection broke ({reason}); {_BILLED}", billed=True)
