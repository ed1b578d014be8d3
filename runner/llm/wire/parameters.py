"""Refusals of one part of a request: the form of the answer, a parameter, the bound on the reply."""

from __future__ import annotations

import re

from runner.json_types import JsonObject
from runner.llm.outcome import Configuration, Reply

_FORM_FIELDS = ("tool_choice", "tools", "response_format")
_KEPT = {"model", "messages", "provider", "plugins", *_FORM_FIELDS}
"""Never dropped: the question itself, and what pins providers and data policy."""

_FORM_WORDS = re.compile(
    r"response[_ ]format|json[_ ]schema|json[_ ]object|structured[_ ]output|tool[_ ]choice|\btools?\b|grammar", re.IGNORECASE
)
_REFUSES = re.compile(
    r"unsupported|not supported|does(?: not|n't) support|unrecognized|unrecognised|unknown|not permitted|not allowed|unexpected"
    r"|invalid|literal_error|must be|should be|extra inputs|cannot|can't|not available|not implemented|no endpoints",
    re.IGNORECASE,
)
_LIMIT_NAMES = {"token_limit_exceeded", "max_tokens_exceeded"}
_TOKEN_FIELD = re.compile(r"max_(?:completion_|output_)?tokens", re.IGNORECASE)
_BOUND = re.compile(
    r"(?:minimum|at least|>=|greater than or equal to|maximum|at most|<=|less than or equal to|up to|limit|exceeds?)"
    r"\D{0,40}?(\d{1,7})",
    re.IGNORECASE,
)
_RENAMED = re.compile(r"use\W+['\"`]?(max_completion_tokens|max_tokens)", re.IGNORECASE)


def form_refusal(sentence: str, message: str, asked: JsonObject, reply: Reply | None) -> Configuration:
    """The refusal of an endpoint that has no provider for this form of answer, or for this parameter."""
    refused = parameter_refusal(sentence, message, asked, reply)
    return refused or Configuration("form_refused", sentence, "model", reply, parameter=_form_field(message, asked))


def parameter_refusal(sentence: str, message: str, asked: JsonObject, reply: Reply | None) -> Configuration | None:
    """A refusal that names the form of the answer or a parameter that was sent, else None."""
    if not _REFUSES.search(message):
        return None
    if _FORM_WORDS.search(message) and _form_field(message, asked):
        return Configuration("form_refused", sentence, "model", reply, parameter=_form_field(message, asked))
    renamed = _RENAMED.search(message)
    if renamed is not None and renamed[1] not in asked:
        return Configuration("token_field_refused", sentence, "model", reply, parameter=renamed[1])
    named = _named(message, asked)
    return None if named is None else Configuration("parameter_refused", sentence, "model", reply, parameter=named)


def _form_field(message: str, asked: JsonObject) -> str | None:
    sent = [name for name in _FORM_FIELDS if name in asked]
    return next((name for name in sent if name in message), sent[-1] if sent else None)


def _named(message: str, asked: JsonObject) -> str | None:
    optional = [name for name in asked if name not in _KEPT]
    found = [name for name in optional if re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", message)]
    return max(found, key=len, default=None)


def token_limit(sentence: str, message: str, names: set[str], asked: JsonObject, reply: Reply | None) -> Configuration | None:
    """A refusal of the bound on the reply, with the bound the endpoint would take, else None."""
    if not names & _LIMIT_NAMES and not _TOKEN_FIELD.search(message):
        return None
    if "context" in message.lower() and not names & _LIMIT_NAMES:
        return None
    found = _BOUND.search(message)
    sent = asked.get("max_tokens") or asked.get("max_completion_tokens")
    if found is None or int(found[1]) in (0, sent):
        return None
    return Configuration("token_limit", sentence, "model", reply, parameter="max_tokens", bound=int(found[1]))
