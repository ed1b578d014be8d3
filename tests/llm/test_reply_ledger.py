"""The ledger of a reply: what is charged is at least what the reply truly took, and at most what was reserved for it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.llm.budget import Budget, Prices
from runner.llm.client import Client
from runner.llm.outcome import BudgetSpent, Delivered, ModelReply
from runner.llm.wire.exchange import Exchange, most_tokens_of_prompt
from runner.llm.wire.replies import classify
from tests.llm.odd_server import GOOD_ANSWER, OddServer, completion, reply
from tests.llm.support import ask, ask_with, model, request

PRICES = Prices(prompt=3e-6, completion=15e-6, request=0.001, cached=3e-7)


@dataclass(frozen=True)
class Truth:
    """What a call truly took."""

    prompt: int
    seen: int
    thought: int
    cached: int
    bound: int
    characters: int

    @property
    def completion(self) -> int:
        return self.seen + self.thought

    @property
    def cost(self) -> float:
        return PRICES.cost(self.prompt, self.completion, self.cached)

    @property
    def exchange(self) -> Exchange:
        body = {"model": "m", "messages": [{"role": "user", "content": "u" * self.characters}], "max_tokens": self.bound}
        return Exchange(model("http://127.0.0.1:1/v1"), body, self.characters, 0.1, 0.0, PRICES)

    @property
    def reserved(self) -> tuple[int, float]:
        prompt = most_tokens_of_prompt(self.exchange.body)
        return prompt + self.bound, PRICES.cost(prompt, self.bound)


@st.composite
def truths(draw: st.DrawFn) -> Truth:
    """Calls of honest providers: the reply keeps to its bound, the prompt has a token for one to six characters."""
    bound = draw(st.integers(64, 40_000))
    seen = draw(st.integers(1, min(bound, 2000)))
    thought = draw(st.just(0) | st.integers(0, bound - seen))
    prompt = draw(st.integers(20, 30_000))
    cached = draw(st.just(0) | st.integers(0, prompt))
    return Truth(prompt, seen, thought, cached, bound, prompt * draw(st.integers(1, 6)))


def _details(true: Truth) -> dict[str, Any]:
    return {
        "prompt_tokens_details": {"cached_tokens": true.cached},
        "completion_tokens_details": {"reasoning_tokens": true.thought},
    }


CONVENTIONS = {
    "inside": lambda true, total: {
        "prompt_tokens": true.prompt, "completion_tokens": true.completion, **total, **_details(true)
    },
    "inside, no total": lambda true, total: {
        "prompt_tokens": true.prompt, "completion_tokens": true.completion, **_details(true)
    },
    "beside": lambda true, total: {"prompt_tokens": true.prompt, "completion_tokens": true.seen, **total, **_details(true)},
    "total alone": lambda true, total: {"prompt_tokens": true.prompt, "completion_tokens": true.seen, **total},
    "total and no completion": lambda true, total: {"prompt_tokens": true.prompt, **total},
    "total and no prompt": lambda true, total: {"completion_tokens": true.completion, **total},
    "other names": lambda true, total: {
        "input_tokens": true.prompt, "output_tokens": true.completion, "input_tokens_details": {"cached_tokens": true.cached}
    },
    "texts": lambda true, total: {"prompt_tokens": f"{true.prompt}", "completion_tokens": f"{true.completion}.0"},
    "cost": lambda true, total: {"prompt_tokens": true.prompt, "completion_tokens": true.seen, "cost": true.cost},
    "cost in parts": lambda true, total: {"prompt_tokens": true.prompt, "cost": {"total_cost": true.cost}, **total},
    "ticks": lambda true, total: {
        "prompt_tokens": true.prompt, "completion_tokens": true.seen, "cost_in_usd_ticks": math.ceil(true.cost * 1e10)
    },
}  # fmt: skip
TOLD = {"cost", "cost in parts", "ticks"}
"""Conventions that say the cost and need not say all tokens."""


def counted(usage: Any, exchange: Exchange, content: str = GOOD_ANSWER) -> ModelReply:
    found = classify(200, {}, json.dumps(completion(content) | {"usage": usage}), exchange).reply
    assert found is not None
    return found


@given(truths(), st.sampled_from(sorted(CONVENTIONS)))
def test_charged_is_at_least_the_truth_and_at_most_what_was_reserved(true: Truth, convention: str) -> None:
    usage = CONVENTIONS[convention](true, {"total_tokens": true.prompt + true.completion})
    found = counted(usage, true.exchange)
    tokens, usd = true.reserved
    assert found.cost is not None
    assert true.cost * (1 - 1e-9) <= found.cost <= usd * (1 + 1e-9)
    assert found.usage.total <= tokens
    if convention not in TOLD:
        assert found.usage.total >= true.prompt + true.completion
    assert found.usage.reasoning_tokens <= found.usage.completion_tokens


@given(truths(), st.integers(10, 10**6))
def test_a_count_that_cannot_be_is_estimated_and_marked(true: Truth, times: int) -> None:
    for usage in (
        {"prompt_tokens": true.prompt, "completion_tokens": true.bound * times},
        {"prompt_tokens": true.reserved[0] * times, "completion_tokens": true.completion},
    ):
        found = counted(usage, true.exchange)
        assert found.usage.estimated
        assert found.usage.source == "implausible"
        assert found.usage.total <= true.reserved[0]


SOURCES = [
    (
        {"completion_tokens": 9, "total_tokens": 2309, "completion_tokens_details": {"reasoning_tokens": 2000}},
        2009,
        "reasoning",
    ),
    ({"completion_tokens": 9, "total_tokens": 2309}, 2009, "total"),
    ({"completion_tokens": 0, "total_tokens": 4390}, 4090, "total"),
    ({"completion_tokens": 2009, "total_tokens": 2309, "completion_tokens_details": {"reasoning_tokens": 2000}}, 2009, ""),
    ({"completion_tokens": 9, "total_tokens": 10**8}, 9, ""),
    ({"completion_tokens": 9, "total_tokens": 0, "completion_tokens_details": {"reasoning_tokens": 2000}}, 2009, "reasoning"),
    ({"completion_tokens": 1}, 200, "implausible"),
    ({"completion_tokens": 0}, 200, "missing"),
    ({}, 200, "missing"),
]


@pytest.mark.parametrize(("usage", "tokens", "source"), SOURCES, ids=str)
def test_the_source_of_a_count_is_said(usage: dict[str, Any], tokens: int, source: str) -> None:
    true = Truth(300, 9, 0, 0, 4096, 1200)
    content = "x" * 800 if tokens == 200 else GOOD_ANSWER
    found = counted({"prompt_tokens": 300, **usage}, true.exchange, content)
    assert (found.usage.completion_tokens, found.usage.source) == (tokens, source)
    logged = found.to_json()
    assert logged["usage"].get("source", "") == source
    assert logged["cost_source"] == "prices"


def test_cached_tokens_beside_the_prompt_are_part_of_it() -> None:
    usage = {"prompt_tokens": 20, "completion_tokens": 9, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 80}
    found = counted(usage, Truth(1000, 9, 0, 900, 4096, 4000).exchange)
    assert (found.usage.prompt_tokens, found.usage.cached_tokens, found.usage.estimated) == (1000, 900, False)


@pytest.mark.parametrize(
    ("usage", "headers", "cost", "source"),
    [
        ({"cost": 0.25, "cost_in_usd_ticks": 1}, {}, 0.25, None),
        ({"cost_in_usd_ticks": 37_756_000}, {}, 0.0037756, "ticks"),
        ({"cost_in_usd_ticks": 0}, {"x-litellm-response-cost": "0.5"}, 0.5, "header"),
        ({}, {"x-litellm-response-cost": "0.0"}, 0.001 + 300 * 3e-6 + 12 * 15e-6, "prices"),
    ],
)
async def test_the_source_of_a_cost_is_said(usage: Any, headers: dict[str, str], cost: float, source: str | None) -> None:
    async with OddServer([reply(completion(usage=usage), headers=headers)]) as server:
        asked = await ask(model(server.base_url, prices=PRICES))
    assert asked.attempts[0].charged_usd == pytest.approx(cost)
    assert isinstance(asked.end, Delivered)
    assert asked.end.reply.cost_source == source


BESIDE = {"completion_tokens": 9, "total_tokens": 2309, "completion_tokens_details": {"reasoning_tokens": 2000}}


@pytest.mark.parametrize("usage", [BESIDE, {"completion_tokens": 9, "total_tokens": 2309}], ids=["xAI", "Gemini"])
async def test_a_budget_pays_for_reasoning_beside_the_answer(usage: dict[str, Any]) -> None:
    prices, answers = Prices(3e-6, 15e-6), 0
    async with OddServer(after=reply(completion(usage=usage))) as server, Client(budget=Budget(usd=0.1)) as client:
        question = request(model(server.base_url, prices=prices))
        while not isinstance(end := (await ask_with(client, question)).end, Exception):
            answers += 1
    true = 300 * 3e-6 + 2009 * 15e-6
    assert isinstance(end, BudgetSpent)
    assert answers == 2, "a third one may cost 0.06 USD"
    assert client.budget.spent_usd == pytest.approx(true * answers)


@pytest.mark.parametrize("usage", [{"completion_tokens": 10**8}, {"prompt_tokens": 9 * 10**8}], ids=str)
async def test_a_bogus_count_is_noted_once_and_no_command_follows_it(usage: dict[str, Any]) -> None:
    async with OddServer(after=reply(completion(usage=usage))) as server, Client(budget=Budget(usd=5, tokens=10**6)) as client:
        question = request(model(server.base_url, prices=PRICES))
        asked = await ask_with(client, question)
        assert client.capabilities(question.model).miscounts
    assert isinstance(asked.end, Delivered)
    assert client.budget.spent_usd < 0.01
