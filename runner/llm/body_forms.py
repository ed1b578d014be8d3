"""Body forms: the body of a request as it is sent and as it is logged."""

from __future__ import annotations

from collections.abc import Mapping

from runner.json_types import JsonObject
from runner.llm.named_secrets import without_named_secrets
from runner.llm.request import CACHE_MARK, Body


def wire_body(body: Body) -> Body:
    """The body with each marked message as one text part, where providers look for the mark."""
    if not any(CACHE_MARK in message for message in body["messages"]):
        return body
    return {**body, "messages": [_marked(message) for message in body["messages"]]}


def logged_body(body: Body, parameters: Mapping[str, object]) -> Body:
    """The body without secrets among the model's parameters."""
    hidden = without_named_secrets({name: body[name] for name in parameters if name in body})
    return {**body, **hidden}


def _marked(message: JsonObject) -> JsonObject:
    if CACHE_MARK not in message:
        return message
    part = {"type": "text", "text": message["content"], CACHE_MARK: message[CACHE_MARK]}
    return {"role": message["role"], "content": [part]}
