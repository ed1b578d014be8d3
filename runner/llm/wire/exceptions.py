"""What the openai SDK raises, as outcomes. The only module beside the endpoint that knows the SDK's exceptions."""

from __future__ import annotations

import openai

from runner.llm.outcome import Infrastructure, Outcome
from runner.llm.wire.replies import Call
from runner.llm.wire.response import judged

_BILLED = "it may have been charged for"


def of_exception(error: Exception, call: Call) -> Outcome:
    """The outcome an exception from the SDK stands for (catalogue rows 1 to 4)."""
    if isinstance(error, openai.APIStatusError):
        return judged(error.response.status_code, error.response.headers, error.response.text, call)
    if isinstance(error, (TimeoutError, openai.APITimeoutError)):
        why = f"no complete answer within {call.model.time_limit:g} s; {_BILLED}"
        return Infrastructure("timeout", why, billed=True)
    if isinstance(error, openai.APIConnectionError):
        return _connection(error)
    return Infrastructure("sdk_error", f"the client library failed: {type(error).__name__}: {error}", billed=True)


def _connection(error: openai.APIConnectionError) -> Outcome:
    cause = error.__cause__
    name = type(cause).__name__
    reason = f"{name}: {cause}" if str(cause or "") else name
    if "Connect" in name:
        return Infrastructure("no_connection", f"no connection to the endpoint ({reason})")
    return Infrastructure("connection_cut", f"the connection broke ({reason}); {_BILLED}", billed=True)
