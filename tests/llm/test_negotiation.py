"""The general rule for refusals without a reason, and what holds once a model has answered."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.llm.client import Client
from runner.llm.negotiation import learnt_from_json, learnt_to_json
from runner.llm.outcome import AccountProblem, Delivered, Outage
from runner.llm.rate_limiter import RateLimiters
from runner.llm.request import AnswerForm, Capabilities, Window
from tests.llm.odd_server import OddServer, completion, error, reply
from tests.llm.support import SkippingClock, ask_with, model, request

STRICT, TOOL, JSON, TEXT = AnswerForm
BARE = reply({"error": "Bad Request"}, 400)
SAMPLING = {"temperature": 0.5, "seed": 3}


def client() -> Client:
    return Client(clock=SkippingClock().clock())


def form_of(body: dict[str, Any]) -> AnswerForm:
    if "tools" in body:
        return TOOL
    return {"json_schema": STRICT, "json_object": JSON, "text": TEXT}[body.get("response_format", {}).get("type", "text")]


async def test_every_step_is_taken_once_and_then_the_endpoint_is_quoted() -> None:
    words = "Anfrage abgelehnt: <unknown> reason 17"
    async with OddServer(after=reply({"message": words}, 422)) as server, client() as asking:
        asked = await ask_with(asking, request(model(server.base_url, parameters=SAMPLING)))
    assert isinstance(asked.end, AccountProblem)
    assert words in str(asked.end)
    assert [form_of(body) for body in server.bodies] == [STRICT, TOOL, JSON, TEXT] * 2 + [TEXT] * 3
    assert ["temperature" in body for body in server.bodies] == [True] * 4 + [False] * 7
    bounds = [body.get("max_tokens") or -body["max_completion_tokens"] for body in server.bodies]
    assert bounds == [4096] * 8 + [2048, -2048, -2048]
    assert [body["messages"][0]["role"] for body in server.bodies] == ["system"] * 10 + ["user"]


async def test_a_form_that_was_set_is_kept() -> None:
    async with OddServer(after=BARE) as server, client() as asking:
        await ask_with(asking, request(model(server.base_url, form=STRICT)))
    assert {form_of(body) for body in server.bodies} == {STRICT}


async def test_the_best_form_comes_back_where_parameters_were_to_blame() -> None:
    async with OddServer([BARE] * 4) as server, client() as asking:
        asked = await ask_with(asking, request(model(server.base_url, parameters=SAMPLING)))
    assert isinstance(asked.end, Delivered)
    assert form_of(server.bodies[-1]) is STRICT
    assert SAMPLING.keys().isdisjoint(server.bodies[-1])


async def test_a_form_that_was_refused_by_name_does_not_come_back() -> None:
    named = reply(error(400, "json_schema is not known here"), 400)
    async with OddServer([named, BARE, BARE, BARE]) as server, client() as asking:
        await ask_with(asking, request(model(server.base_url, parameters=SAMPLING)))
    assert [form_of(body) for body in server.bodies] == [STRICT, TOOL, JSON, TEXT, TOOL]


@pytest.mark.parametrize("is_rated", [False, True])
async def test_after_an_answer_the_same_request_is_repeated_once(is_rated: bool) -> None:
    async with OddServer([reply(completion()), BARE]) as server, client() as asking:
        question = request(model(server.base_url, rated=is_rated))
        await ask_with(asking, question)
        again = await ask_with(asking, question)
    assert again.kinds == ["bad_request", "delivered"]
    assert server.bodies[1] == server.bodies[2]


async def test_after_an_answer_a_second_refusal_pauses_and_is_no_mistake() -> None:
    async with OddServer([reply(completion())], after=BARE) as server, client() as asking:
        question = request(model(server.base_url))
        await ask_with(asking, question)
        again = await ask_with(asking, question)
    assert isinstance(again.end, Outage)
    assert len(server.bodies) == 3
    assert "Bad Request" in str(again.end)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize(("words", "is_answer"), [('{"card": "owl"}', True), ('{"card": "ow', False)])
async def test_words_inside_an_error_are_an_answer_at_the_first_call_and_later(
    nested: bool, words: str, is_answer: bool
) -> None:
    failure: dict[str, Any] = {"error": {"message": "did not validate", "code": "tool_use_failed", "failed_generation": words}}
    document = (
        {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": failure}}} if nested else failure
    )
    async with OddServer([reply(document, 400), reply(completion()), reply(document, 400)]) as server, client() as asking:
        for _ in range(3):
            asked = await ask_with(asking, request(model(server.base_url)))
            assert isinstance(asked.end, Delivered)
            assert len(asked.attempts) == 1
    assert asked.end.reply.text == words


@pytest.mark.parametrize("has_answered", [False, True])
async def test_an_earlier_answer_that_needs_its_thoughts_is_quoted(has_answered: bool) -> None:
    words = "The `reasoning_content` in the thinking mode must be passed back to the API."
    past = ({"role": "assistant", "content": '{"card": "fox"}'}, {"role": "user", "content": "Not legal. Choose a card."})
    plays = [reply(completion())] * has_answered + [reply(error(400, words), 400)]
    async with OddServer(plays) as server, client() as asking:
        question = request(model(server.base_url))
        for asked_again in [question] * has_answered + [replace(question, messages=question.messages + past)] * 2:
            assert isinstance((await ask_with(asking, asked_again)).end, Delivered)
    quoted, later = server.bodies[-2:]
    assert quoted == later
    assert [message["role"] for message in quoted["messages"]] == ["system", "user"]
    assert quoted["messages"][1]["content"] == (
        'Choose a card.\n\nYour answer was: "{\\"card\\": \\"fox\\"}"\n\nNot legal. Choose a card.'
    )


async def test_a_bound_beside_the_prompt_follows_the_prompt_in_rated_play_too() -> None:
    words = ("u" * 4000, "u" * 6000)
    room = reply(error(400, "The context of 4096 tokens has no room for 4096 tokens beside the 1004 input tokens"), 400)
    fine = reply(completion(usage={"prompt_tokens": 1500}))
    async with OddServer([room], after=fine) as server, client() as asking:
        for text in words:
            question = replace(request(model(server.base_url, rated=True)), messages=({"role": "user", "content": text},))
            assert isinstance((await ask_with(asking, question)).end, Delivered)
    bounds = [body["max_tokens"] for body in server.bodies]
    assert len(bounds) == 3
    assert 3000 < bounds[1] <= 4096 - 1004
    assert 2400 < bounds[2] <= 4096 - 1506


async def test_a_dropped_system_message_is_noticed_once_by_the_tokens() -> None:
    messages = ({"role": "system", "content": "s" * 8000}, {"role": "user", "content": "u" * 4000})
    alone, whole = completion(usage={"prompt_tokens": 1000}), completion(usage={"prompt_tokens": 3000})
    async with OddServer([reply(alone), reply(whole)], after=reply(whole)) as server, client() as asking:
        question = replace(request(model(server.base_url)), messages=messages)
        first = await ask_with(asking, question)
        await ask_with(asking, question)
    assert first.kinds == ["system_dropped", "delivered"]
    assert first.attempts[0].charged_tokens == 1012
    assert [len(body["messages"]) for body in server.bodies] == [2, 1, 1]
    assert server.bodies[1]["messages"] == [{"role": "user", "content": "s" * 8000 + "\n\n" + "u" * 4000}]


async def test_a_model_without_a_system_role_is_asked_in_turns() -> None:
    messages = tuple({"role": role, "content": role[0]} for role in ("system", "user", "assistant", "user"))
    async with OddServer() as server, client() as asking:
        question = replace(request(model(server.base_url, merges_system=True)), messages=messages)
        await ask_with(asking, question)
    assert [message["role"] for message in server.bodies[0]["messages"]] == ["user", "assistant", "user"]
    assert server.bodies[0]["messages"][0]["content"] == "s\n\nu"


async def test_roles_alternate_where_the_schema_is_printed() -> None:
    async with OddServer([BARE] * 2) as server, client() as asking:
        await ask_with(asking, request(model(server.base_url, merges_system=True)))
    assert form_of(server.bodies[-1]) is JSON
    assert [message["role"] for message in server.bodies[-1]["messages"]] == ["user"]
    assert "JSON Schema" in server.bodies[-1]["messages"][0]["content"]


async def test_a_model_that_is_not_there_is_named_with_the_nearest() -> None:
    names = ["vendor/models", "vendor/model-2", "other/thing"]
    gone = reply({"error": {"code": "model_not_found", "message": "gone"}}, 404)
    pages = {"/models": {"data": [{"id": name} for name in names]}}
    async with OddServer(after=gone, pages=pages) as server, client() as asking:
        asked = await ask_with(asking, request(model(server.base_url)))
    assert isinstance(asked.end, AccountProblem)
    assert "vendor/models, vendor/model-2" in str(asked.end)
    assert "other/thing" not in str(asked.end)


async def test_many_calls_at_once_take_each_step_once() -> None:
    async with OddServer() as server, client() as asking:

        async def choosy(writer: asyncio.StreamWriter) -> None:
            form = form_of(server.bodies[-1])
            await asyncio.sleep(0)
            await (reply(completion()) if form is TEXT else BARE)(writer)

        server.after = choosy
        await asyncio.gather(*(ask_with(asking, request(model(server.base_url))) for _ in range(5)))
        found = asking.capabilities(model(server.base_url))
    assert found == Capabilities(form=TEXT)


async def test_clients_that_share_their_limits_share_what_they_learnt() -> None:
    limits = RateLimiters()
    async with OddServer([BARE] * 3) as server, Client(limits_of=limits) as first, Client(limits_of=limits) as second:
        question = request(model(server.base_url))
        await ask_with(first, question)
        asked = await ask_with(second, question)
    assert asked.kinds == ["delivered"]
    assert asked.attempts[0].number == 1
    assert [form_of(body) for body in server.bodies] == [STRICT, TOOL, JSON, TEXT, TEXT]


LEARNT = st.builds(
    Capabilities,
    form=st.none() | st.sampled_from(list(AnswerForm)),
    best_form=st.none() | st.sampled_from(list(AnswerForm)),
    rejected=st.frozensets(st.sampled_from(["seed", "top_p"])),
    token_field=st.none() | st.just("max_completion_tokens"),
    max_tokens=st.none() | st.integers(1, 9999),
    window=st.none() | st.builds(Window, st.integers(1, 9999), st.floats(0.1, 1)),
    halved=st.booleans(),
    forced_tool=st.booleans(),
    merges_system=st.booleans(),
    counts_few=st.booleans(),
)


@given(LEARNT)
def test_what_was_learnt_goes_through_a_log(capabilities: Capabilities) -> None:
    assert learnt_from_json(learnt_to_json(capabilities)) == (capabilities if capabilities != Capabilities() else None)


@pytest.mark.parametrize("is_rated", [False, True])
async def test_what_an_earlier_session_learnt_holds_and_rated_play_keeps_to_it(is_rated: bool) -> None:
    async with OddServer([BARE] * 2) as server, client() as asking:
        question = request(model(server.base_url, rated=is_rated))
        asking.recall(question.model, Capabilities(form=TOOL))
        asking.recall(question.model, None)
        asked = await ask_with(asking, question)
    assert form_of(server.bodies[0]) is TOOL
    assert isinstance(asked.end, Outage if is_rated else Delivered)


@pytest.mark.parametrize("data", [{"form": "song"}, {"window": 3}, {"nonesuch": 1}, {}])
def test_what_cannot_be_read_is_not_taken_up(data: dict[str, Any]) -> None:
    assert learnt_from_json(data) is None
