"""A stand-in for one endpoint: a description of what it takes as data, and a server on loopback that holds requests to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from aiohttp import web

from runner.llm.offline import OfflineModel, stream_chunks

Body = dict[str, Any]
Errors = Callable[[str, str | None, str | None], tuple[int, Any]]
"""Status and body of an error: its sentence, the field it is about, its code."""

_EVERY = frozenset({"model", "messages", "max_tokens", "max_completion_tokens", "response_format", "tools", "tool_choice"})


class Refusal(NamedTuple):
    """A rule that a request breaks, the field it is about, and more for the sentence."""

    rule: str
    field: str
    value: object = ""
    bound: int = 0
    prompt: int = 0


@dataclass(frozen=True)
class Endpoint:
    """What one endpoint takes. `words` has its sentence for each rule, `errors` the shape of its errors.

    `most_refusals` are those that a plain agent may meet, and one with sampling and reasoning parameters.
    """

    name: str
    errors: Errors
    words: Mapping[str, str]
    most_refusals: tuple[int, int]
    formats: frozenset[str] = frozenset({"json_schema", "json_object", "text"})
    tools: str = "forced"
    forced_beside_reasoning: bool = True
    knows: frozenset[str] | None = None
    refuses: frozenset[str] = frozenset()
    only: Mapping[str, object] = field(default_factory=dict)
    not_both: tuple[str, str] | None = None
    token_field: str | None = None
    max_reply: int | None = None
    context: int | None = None
    system: str = "taken"
    only_streams: bool = False
    lists: Mapping[str, Any] = field(default_factory=dict)
    openrouter: bool = False

    def __str__(self) -> str:
        return self.name


def refusal(of: Endpoint, body: Body) -> Refusal | None:
    """The first rule that a request breaks."""
    rules = (_stream, _unknown, _refused, _other_value, _both, _token_field, _too_many, _system, _format, _tools)
    return next((found for rule in rules if (found := rule(of, body)) is not None), None)


def _stream(of: Endpoint, body: Body) -> Refusal | None:
    return Refusal("stream", "stream") if of.only_streams and body.get("stream") is not True else None


def _unknown(of: Endpoint, body: Body) -> Refusal | None:
    unknown = [name for name in body if of.knows is not None and name not in of.knows | _EVERY]
    return Refusal("unknown", unknown[0]) if unknown else None


def _refused(of: Endpoint, body: Body) -> Refusal | None:
    return next((Refusal("refused", name) for name in body if name in of.refuses), None)


def _other_value(of: Endpoint, body: Body) -> Refusal | None:
    return next((Refusal("value", name, body[name]) for name in body if name in of.only and body[name] != of.only[name]), None)


def _both(of: Endpoint, body: Body) -> Refusal | None:
    return Refusal("both", of.not_both[1]) if of.not_both and body.keys() >= {*of.not_both} else None


def _bound(body: Body) -> tuple[str, int]:
    name = "max_tokens" if "max_tokens" in body else "max_completion_tokens"
    return name, int(body.get(name, 0))


def _token_field(of: Endpoint, body: Body) -> Refusal | None:
    name, _ = _bound(body)
    return Refusal("token_field", name) if of.token_field not in (None, name) else None


def _too_many(of: Endpoint, body: Body) -> Refusal | None:
    name, sent = _bound(body)
    if of.max_reply is not None and sent > of.max_reply:
        return Refusal("bound", name, sent, of.max_reply)
    prompt = sum(len(str(message["content"])) for message in body["messages"]) // 4
    return Refusal("context", name, sent, of.context, prompt) if of.context and sent + prompt > of.context else None


def _system(of: Endpoint, body: Body) -> Refusal | None:
    has_system = any(message["role"] == "system" for message in body["messages"])
    return Refusal("system", "messages[0].role") if has_system and of.system == "refused" else None


def _format(of: Endpoint, body: Body) -> Refusal | None:
    kind = body.get("response_format", {}).get("type", "text")
    return None if kind in of.formats else Refusal("format", "response_format", kind)


def _tools(of: Endpoint, body: Body) -> Refusal | None:
    if "tools" in body and of.tools == "none":
        return Refusal("tools", "tools")
    is_forced = body.get("tool_choice", "auto") != "auto"
    reasons = {"reasoning", "reasoning_effort"} & body.keys()
    if is_forced and (of.tools == "auto" or (reasons and not of.forced_beside_reasoning)):
        return Refusal("choice", "tool_choice")
    return None


@dataclass
class StandIn:
    """A server that is one endpoint. `bodies` are the requests it answered, `refused` those it refused."""

    endpoint: Endpoint
    bodies: list[Body] = field(default_factory=list)
    refused: list[Body] = field(default_factory=list)

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _models(self, request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "vendor/model", **self.endpoint.lists}]})

    async def _complete(self, request: web.Request) -> web.Response:
        body = await request.json()
        broken = refusal(self.endpoint, body)
        if broken is not None:
            assert not self.bodies, f"{broken} after an answer"
            self.refused.append(body)
            words = self.endpoint.words.get(broken.rule)
            status, error = self.endpoint.errors(words.format(**broken._asdict()) if words else "", broken.field, broken.rule)
            return web.Response(status=status, text=error if isinstance(error, str) else json.dumps(error))
        self.bodies.append(body)
        asked = {name: value for name, value in body.items() if name not in ("stream", "stream_options")}
        if self.endpoint.system == "dropped":
            asked["messages"] = [message for message in body["messages"] if message["role"] != "system"]
        answer = OfflineModel().handle("POST", request.path, request.headers, json.dumps(asked).encode())
        if not body.get("stream"):
            return web.Response(status=answer.status, body=answer.body, content_type="application/json")
        events = (f"data: {json.dumps(chunk)}\n\n" for chunk in stream_chunks(body, json.loads(answer.body)))
        return web.Response(text="".join(events) + "data: [DONE]\n\n", content_type="text/event-stream")
