"""Failures of endpoints, each played by a server on loopback. failures.py has the table."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest

from runner.llm.call import Attempt, RetryPolicy
from runner.llm.client import Client
from runner.llm.outcome import (
    AccountProblem,
    Configuration,
    Delivered,
    Infrastructure,
    InputRefused,
    ModelMistake,
    Outage,
    PromptTooLong,
)
from runner.llm.parse_answer import extract
from runner.llm.request import AnswerForm
from runner.llm.strict_json import Unreadable
from tests.llm.failures import ANSWERS, FAILURES, FREE_RESET, Failure
from tests.llm.odd_server import GOOD_ANSWER, OddServer, completion, error, reply, silence
from tests.llm.support import KEY, Asked, SkippingClock, ask, ask_with, model, request

CLASSES = {"D": Delivered, "M": ModelMistake, "I": Infrastructure, "C": Configuration}


def client(time: SkippingClock) -> Client:
    return Client(clock=time.clock(), chance=random.Random(1))


@pytest.mark.parametrize("failure", FAILURES, ids=str)
async def test_failure(failure: Failure) -> None:
    clock = SkippingClock()
    async with OddServer(list(failure.plays)) as server, client(clock) as asking:
        question = replace(request(model(server.base_url, **failure.model), failure.form), quotes_others=failure.quotes)
        if failure.answered:
            server.plays.insert(0, server.after)
            await ask_with(asking, question)
        asked = await ask_with(asking, question)
    first = asked.attempts[0]
    assert isinstance(first.outcome, CLASSES[failure.first]), first.outcome
    assert first.outcome.kind == failure.kind
    check_end(failure.end, asked)
    assert max(clock.slept, default=0.0) >= failure.waits - 0.5
    assert len(server.bodies) == len(asked.attempts) + failure.answered
    assert KEY not in repr(asked)
    assert "zzzz" not in getattr(first.outcome, "why", "")


def check_end(expected: str, asked: Asked) -> None:
    end = asked.end
    match expected.partition(":"):
        case "answer", _, _:
            assert isinstance(end, Delivered), end
            assert extract(end.reply.text).data == {"card": "owl"}
        case "mistake", _, _:
            assert isinstance(end, ModelMistake)
            assert len(asked.attempts) == 1, "a mistake is for the player to mend, not to be retried"
        case "stop", _, scope:
            assert isinstance(end, AccountProblem)
            assert end.stops == scope
            assert len(asked.attempts) == len({*asked.kinds} & {"other_model"}) + 1
        case name, _, _:
            kind = {"outage": Outage, "input": InputRefused, "long": PromptTooLong}[name]
            assert isinstance(end, kind), end


async def test_nobody_listens_and_later_somebody_does() -> None:
    async with OddServer() as server:
        port = server.port
    asked = await ask(model(server.base_url))
    assert isinstance(asked.end, Outage)
    assert set(asked.kinds) == {"no_connection"}
    assert len(asked.attempts) == RetryPolicy().connection_attempts
    async with OddServer(port=port):
        assert isinstance((await ask(model(server.base_url))).end, Delivered)


async def test_name_that_does_not_resolve() -> None:
    asked = await ask(model("http://nowhere.invalid/v1"), policy=RetryPolicy(attempts=1))
    assert isinstance(asked.end, Outage)
    assert asked.kinds == ["no_connection"]


@pytest.mark.parametrize(("body", "form", "expected"), ANSWERS, ids=lambda value: str(value)[:30])
async def test_answer_in_an_unusual_shape(body: dict[str, Any], form: AnswerForm, expected: Any) -> None:
    """What is delivered and complete is read, or is the model's mistake; it is never asked again by itself."""
    async with OddServer([reply(body)]) as server:
        asked = await ask(model(server.base_url), form)
    assert isinstance(asked.end, Delivered)
    assert len(asked.attempts) == 1
    asked.end.reply.text.encode()
    try:
        found: Any = extract(asked.end.reply.text, is_complete=asked.end.reply.is_complete).data
    except Unreadable as unreadable:
        found = unreadable.kind
    assert found == expected


async def test_says_when_the_quota_is_full_again() -> None:
    async with OddServer([reply(error(429, "free-models-per-day"), 429, headers=FREE_RESET)]) as server:
        asked = await ask(model(server.base_url))
    assert isinstance(asked.end, AccountProblem)
    assert asked.end.until is not None
    assert asked.end.until == int(FREE_RESET["x-ratelimit-reset"]) / 1000


async def test_reasoning_is_kept_beside_the_answer() -> None:
    body = completion(
        GOOD_ANSWER, message={"reasoning": "The owl fits."}, usage={"completion_tokens_details": {"reasoning_tokens": 5}}
    )
    async with OddServer([reply(body)]) as server:
        asked = await ask(model(server.base_url))
    assert isinstance(asked.end, Delivered)
    assert asked.end.reply.reasoning == "The owl fits."
    assert asked.end.reply.usage.reasoning_tokens == 5


async def test_a_thought_in_front_of_the_answer_is_kept_as_one() -> None:
    async with OddServer([reply(completion(f"<seed:think>The owl fits.</seed:think>{GOOD_ANSWER}"))]) as server:
        asked = await ask(model(server.base_url))
    assert isinstance(asked.end, Delivered)
    assert asked.end.reply.reasoning == "The owl fits."
    assert extract(asked.end.reply.text).data == {"card": "owl"}


LONG = ({"role": "user", "content": "a card to choose " * 4000},)


@pytest.mark.parametrize(("counted", "ends"), [(4096, AccountProblem), (7000, Delivered)])
async def test_only_rated_play_stops_where_less_than_a_quarter_is_counted(counted: int, ends: type) -> None:
    async with OddServer(after=reply(completion(usage={"prompt_tokens": counted}))) as server, Client() as client:
        question = replace(request(model(server.base_url)), messages=LONG)
        assert isinstance((await ask_with(client, question)).end, Delivered)
        assert client.capabilities(question.model).counts_few
        rated = replace(question, model=replace(question.model, rated=True))
        assert isinstance((await ask_with(client, rated)).end, ends)


async def test_cached_tokens_count() -> None:
    usage = {"prompt_tokens": 4096, "prompt_tokens_details": {"cached_tokens": 13000}}
    async with OddServer([reply(completion(usage=usage))]) as server, Client() as client:
        question = replace(request(model(server.base_url)), messages=LONG)
        await ask_with(client, question)
        assert not client.capabilities(question.model).counts_few


async def test_missing_usage_is_estimated_and_flagged() -> None:
    body = {name: value for name, value in completion().items() if name != "usage"}
    async with OddServer([reply(body)]) as server:
        asked = await ask(model(server.base_url))
    assert isinstance(asked.end, Delivered)
    assert asked.end.reply.usage.estimated
    assert asked.end.reply.usage.total > 0
    assert asked.end.reply.cost is None


async def test_a_call_stopped_in_flight_is_logged_and_charged() -> None:
    attempts: list[Attempt] = []

    async def keep(attempt: Attempt) -> None:
        attempts.append(attempt)

    async with OddServer([silence]) as server, Client() as client:
        client.budget.tokens = 100_000
        call = asyncio.create_task(client.complete(request(model(server.base_url)), on_attempt=keep))
        while not server.bodies:
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert [attempt.outcome.kind for attempt in attempts] == ["cancelled"]
    assert attempts[0].charge_estimated
    assert client.budget.spent_tokens >= 4096
