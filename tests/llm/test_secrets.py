"""A canary for a key: it is in no log record, error, repr, attempt or outcome, whatever an endpoint sends back."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from typing import Any

import pytest

from runner.agents.agent_entries import AgentEntry
from runner.agents.environment import Environment
from runner.agents.spec import Named
from runner.llm.address import redact
from runner.llm.client import Client
from runner.llm.outcome import Delivered
from tests.llm.failures import FAILURES, Failure
from tests.llm.odd_server import OddServer, Play, completion, error, hang_up, reply
from tests.llm.support import KEY, SkippingClock, ask, model

HEADER_SECRET, FIELD_SECRET = "canary-header-5521f0", "canary-field-77a1c4"
EXTRA = {
    "upstream": {"credentials": [{"value": FIELD_SECRET}], "apiKey": FIELD_SECRET, "authorization": f"Bearer {FIELD_SECRET}"}
}
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in KEY)

ECHOES: dict[str, Play] = {
    "401": reply(error(401, f"invalid key {KEY}"), 401),
    "403": reply(error(403, f"key {KEY} may not", reasons=[KEY], flagged_input=KEY), 403),
    "400": reply(error(400, f"unsupported: {KEY}"), 400),
    "402": reply(error(402, f"{HEADER_SECRET} and {KEY}"), 402),
    "404": reply(error(404, KEY), 404),
    "429": reply(error(429, KEY), 429, headers={"retry-after": "1"}),
    "500": reply(KEY, 500, kind="text/plain"),
    "502 page": reply(f"<html>{KEY}</html>", 502, kind="text/html"),
    "200 page": reply(f"<html>{KEY}</html>", kind="text/html"),
    "200 error": reply(error(500, f"Bearer {KEY}", raw=f"Authorization: Bearer {KEY}")),
    "broken": reply('{"id": "' + KEY),
    "stream": reply("data: " + json.dumps(error(502, KEY)) + "\n\n", kind="text/event-stream"),
    "cut": reply(f'{{"id": "{KEY}', length=900),
    "reset": hang_up,
    "answer": reply(
        completion(f"my key is {KEY}", id=KEY, model=KEY, provider=KEY, message={"reasoning": KEY, "refusal": KEY})
    ),
    "finish": reply(completion(KEY, choice={"finish_reason": KEY})),
    "escaped": reply(json.dumps(completion("@")).replace("@", f"my key is {ESCAPED}")),
    "escaped error": reply(json.dumps(error(401, "@")).replace("@", ESCAPED), 401),
    "field": reply(completion(FIELD_SECRET, message={"reasoning": f"the field says {FIELD_SECRET}"})),
    "headers": reply(completion("plain"), headers={"x-generation-id": KEY}),
}


async def check(play: Play, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], **changes: Any) -> None:
    caplog.set_level(logging.DEBUG)
    async with OddServer([play] * 3) as server:
        parameters = {**changes.pop("parameters", {}), **EXTRA}
        of = model(server.base_url, headers={"x-api-key": HEADER_SECRET}, parameters=parameters, **changes)
        asked = await ask(of, time=SkippingClock())
    assert any(body.get("upstream") == EXTRA["upstream"] for body in server.bodies), "what is sent is whole"
    assert any(KEY in head for head in server.heads), "the canary was sent"
    assert any(HEADER_SECRET in head for head in server.heads)
    logged = repr(asked.attempts)
    raised = "".join(traceback.format_exception(asked.end)) if isinstance(asked.end, Exception) else ""
    printed = "".join(capfd.readouterr())
    for text in (logged, repr(asked), str(asked.end), raised, printed, caplog.text, repr([r.__dict__ for r in caplog.records])):
        assert KEY not in text
        assert HEADER_SECRET not in text
        assert FIELD_SECRET not in text


@pytest.mark.parametrize("name", ECHOES)
async def test_echoed_key_is_nowhere(name: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    await check(ECHOES[name], caplog, capfd)


@pytest.mark.parametrize("failure", FAILURES[::3], ids=str)
async def test_key_is_nowhere_on_any_path(
    failure: Failure, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    await check(failure.plays[0], caplog, capfd, **failure.model)


async def test_redaction_leaves_the_rest_of_an_answer_alone() -> None:
    text = '{"card": "owl", "note": "task-force risk-taking ask-me"}'
    async with OddServer([reply(completion(text))]) as server:
        asked = await ask(model(server.base_url))
    assert isinstance(asked.end, Delivered)
    assert asked.end.reply.text == text


def test_anything_like_an_api_key_is_redacted() -> None:
    assert "0123456789abcdef" not in redact("Incorrect API key provided: sk-or-v1-0123456789abcdef.", ())


def test_reprs_of_what_holds_a_key_do_not_show_it() -> None:
    holder = model("http://127.0.0.1/v1", headers={"x-api-key": HEADER_SECRET})
    assert KEY not in repr(holder)
    assert HEADER_SECRET not in repr(holder)
    assert KEY not in repr(Client())


def test_environment_of_the_sdk_is_not_sent_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-canary")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-canary")
    monkeypatch.setenv("OPENAI_API_KEY", "environment-canary")

    async def heads() -> list[str]:
        async with OddServer() as server:
            await ask(model(server.base_url, key=""))
        return server.heads

    assert "canary" not in "".join(asyncio.run(heads()))


def test_secrets_among_the_fields_of_an_agent_are_not_shown() -> None:
    entry = AgentEntry.model_validate({"model": "m", "extra": {**EXTRA, "top_n": 3, "prefix": "plain", "max_tokens_hint": "9"}})
    identity = Named("ada", None, "ada").describe(Environment(agents={"ada": entry}))
    for shown in (identity["parameters"], entry.shown["extra"]):
        assert FIELD_SECRET not in str(shown)
        assert (shown["top_n"], shown["prefix"], shown["max_tokens_hint"]) == (3, "plain", "9")
    assert entry.parameters["upstream"] == EXTRA["upstream"]
