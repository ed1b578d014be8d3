"""The form of answers and the parameters: chosen once from what an endpoint supports, and learnt from what it refuses."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from runner.llm.client import Client
from runner.llm.offline import OFFLINE_URL
from runner.llm.outcome import AccountProblem, Delivered
from runner.llm.request import AnswerForm, Capabilities, unsent_parameters
from tests.llm.odd_server import OddServer, Play, completion, error, reply
from tests.llm.support import MESSAGES, SCHEMA, Asked, ask, ask_with, model, request

STRICT, TOOL, JSON, TEXT = AnswerForm


def listing(*supported: str, name: str = "vendor/model", **more: Any) -> dict[str, Any]:
    return {"/models": {"data": [{"id": name, "supported_parameters": list(supported), **more}]}}


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        (listing("structured_outputs", "tools", "response_format"), STRICT),
        (listing("tools", "response_format"), TOOL),
        (listing("response_format", "temperature"), JSON),
        (listing("temperature"), TEXT),
        ({"/models": {"object": "list", "data": [{"id": "vendor/model"}]}}, STRICT),
        ({}, STRICT),
        ({"/models": reply("<html>no</html>", kind="text/html")}, STRICT),
    ],
)
async def test_form_chosen_from_what_the_endpoint_says(pages: dict[str, Any], expected: AnswerForm) -> None:
    async with OddServer(pages=pages) as server, Client() as client:
        assert await client.choose_form(model(server.base_url)) is expected
        assert await client.choose_form(model(server.base_url)) is expected


async def test_form_set_for_a_model_is_kept() -> None:
    async with OddServer(pages=listing("structured_outputs")) as server, Client() as client:
        assert await client.choose_form(model(server.base_url, form=TEXT)) is TEXT


async def test_form_can_be_chosen_where_nobody_answers() -> None:
    async with OddServer() as server:
        pass
    async with Client() as client:
        assert await client.choose_form(model(server.base_url)) is STRICT
        assert await client.choose_form(model(OFFLINE_URL, name="offline")) is STRICT


async def test_openrouter_that_does_not_list_the_model_is_a_problem_at_once() -> None:
    async with OddServer(pages=listing("tools", name="vendor/other")) as server, Client() as client:
        with pytest.raises(AccountProblem, match="vendor/model"):
            await client.choose_form(model(server.base_url, speaks_openrouter=True))
        suffixed = model(server.base_url, speaks_openrouter=True, name="vendor/other:nitro")
        assert await client.choose_form(suffixed) is TOOL


def refuses(*names: str) -> Play:
    """An endpoint that refuses a request with any of these fields or values, and answers any other."""

    def play(body: dict[str, Any]) -> Play:
        found = next((name for name in names if name in json.dumps({**body, "messages": []})), None)
        return reply(completion()) if found is None else reply(error(400, f"{found} is not supported here"), 400)

    return play


async def ask_choosy(names: tuple[str, ...], form: AnswerForm = STRICT, **changes: Any) -> tuple[Asked, OddServer, Client]:
    async with OddServer() as server, Client() as client:
        choosy = refuses(*names)

        async def answer(writer: asyncio.StreamWriter) -> None:
            await choosy(server.bodies[-1])(writer)

        server.after = answer
        asked = await ask_with(client, request(model(server.base_url, **changes), form))
        again = await ask_with(client, request(model(server.base_url, **changes), form))
        assert len(again.attempts) <= 1, "what was learnt is remembered"
    return asked, server, client


@pytest.mark.parametrize(
    ("names", "forms"),
    [
        (("json_schema",), [STRICT, TOOL]),
        (("json_schema", "tool_choice"), [STRICT, TOOL, TOOL, JSON]),
        (("json_schema", "tools"), [STRICT, TOOL, JSON]),
        (("response_format", "tools"), [STRICT, TOOL, JSON, TEXT]),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_one_rung_down_for_each_refusal(names: tuple[str, ...], forms: list[AnswerForm]) -> None:
    asked, server, _ = await ask_choosy(names)
    assert isinstance(asked.end, Delivered)
    assert [attempt.form for attempt in asked.attempts] == forms
    schema_in_words = json.dumps(SCHEMA) in server.bodies[-1]["messages"][-1]["content"]
    assert schema_in_words == (forms[-1] in (JSON, TEXT))


async def test_forced_tool_becomes_automatic_before_it_is_given_up() -> None:
    plays = [reply(error(404, "No endpoints found that support the provided 'tool_choice' value."), 404)]
    async with OddServer(plays) as server:
        await ask(model(server.base_url), TOOL)
    assert [body["tool_choice"] == "auto" for body in server.bodies] == [False, True]


async def test_rated_play_changes_nothing_after_the_first_answer() -> None:
    plays = [reply(completion()), reply(error(400, "response_format is not supported"), 400)]
    async with OddServer(plays) as server, Client() as client:
        rated = request(model(server.base_url, rated=True))
        assert isinstance((await ask_with(client, rated)).end, Delivered)
        assert isinstance((await ask_with(client, rated)).end, AccountProblem)


async def test_many_calls_refused_at_once_learn_one_lesson() -> None:
    async with OddServer() as server, Client() as client:
        choosy = refuses("json_schema")

        async def answer(writer: asyncio.StreamWriter) -> None:
            body = server.bodies[-1]
            await asyncio.sleep(0.02)
            await choosy(body)(writer)

        server.after = answer
        question = request(model(server.base_url))
        ends = await asyncio.gather(*(ask_with(client, question) for _ in range(1)))
        assert client.capabilities(question.model).form is TOOL
        more = await asyncio.gather(*(ask_with(client, question) for _ in range(10)))
    assert all(isinstance(asked.end, Delivered) for asked in ends + more)
    assert client_forms(more) == {TOOL}


def client_forms(asked: list[Asked]) -> set[AnswerForm]:
    return {attempt.form for one in asked for attempt in one.attempts}


async def test_parameters_refused_are_left_out_and_said_so() -> None:
    parameters = {"min_p": 0.1, "seed": 7, "temperature": 1.0}
    asked, server, _ = await ask_choosy(("min_p", "seed"), parameters=parameters)
    assert isinstance(asked.end, Delivered)
    assert sorted(asked.attempts[-1].capabilities.rejected) == ["min_p", "seed"]
    assert "temperature" in server.bodies[-1]
    assert "min_p" not in server.bodies[-1]
    assert unsent_parameters(model("http://x/v1", parameters=parameters), asked.attempts[-1].capabilities) == ("min_p", "seed")


async def test_routing_and_data_policy_are_never_left_out() -> None:
    plays = [reply(error(400, "Unrecognized key(s) in object: 'provider'"), 400)]
    async with OddServer(plays) as server:
        asked = await ask(model(server.base_url, speaks_openrouter=True, parameters={"provider": {"zdr": True}}))
    assert isinstance(asked.end, AccountProblem)


async def test_openrouter_fields_go_to_openrouter_only() -> None:
    parameters = {
        "provider": {"only": ["x"]},
        "plugins": [],
        "models": ["y"],
        "reasoning": {"effort": "low"},
        "temperature": 0.5,
    }
    async with OddServer() as server:
        await ask(model(server.base_url, parameters=parameters))
        await ask(model(server.base_url, parameters=parameters, speaks_openrouter=True))
    plain, full = server.bodies
    assert {"provider", "plugins", "models", "reasoning"}.isdisjoint(plain)
    assert plain["reasoning_effort"] == "low"
    assert parameters.items() <= full.items()
    assert model("https://openrouter.ai/api/v1").is_openrouter
    assert not model("https://openrouter.ai.example.com/v1").is_openrouter


async def test_rated_play_on_openrouter_has_no_fallback_and_no_healing() -> None:
    async with OddServer() as server:
        await ask(model(server.base_url, rated=True, speaks_openrouter=True, parameters={"provider": {"order": ["x"]}}))
    body = server.bodies[0]
    assert body["provider"] == {"order": ["x"], "allow_fallbacks": False}
    assert body["plugins"] == [{"id": "response-healing", "enabled": False}]


async def test_what_the_list_says_beforehand_needs_no_refusal() -> None:
    pages = listing("structured_outputs", "seed", top_provider={"max_completion_tokens": 900})
    async with OddServer(pages=pages) as server, Client() as client:
        chosen = model(server.base_url, speaks_openrouter=True, parameters={"seed": 1, "top_k": 3})
        await client.choose_form(chosen)
        assert client.capabilities(chosen) == Capabilities(rejected=frozenset({"top_k"}), max_tokens=900)
        await ask_with(client, request(chosen))
    assert server.bodies[0]["max_tokens"] == 900
    assert server.bodies[0]["seed"] == 1
    assert "top_k" not in server.bodies[0]


async def test_what_is_logged_is_what_was_sent() -> None:
    async with OddServer() as server:
        for form in AnswerForm:
            asked = await ask(model(server.base_url, parameters={"temperature": 0.3, "extra": {"deep": [1]}}), form)
            assert asked.attempts[0].body == server.bodies[-1]
            assert asked.attempts[0].body["messages"] == list(MESSAGES)


async def test_lone_surrogates_in_a_prompt_do_not_break_the_request() -> None:
    async with OddServer() as server, Client() as client:
        broken = replace(request(model(server.base_url)), messages=({"role": "user", "content": "a \ud800 b"},))
        assert isinstance((await ask_with(client, broken)).end, Delivered)
    assert server.bodies[0]["messages"][0]["content"] == "a \ufffd b"
