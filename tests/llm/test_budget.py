"""Budgets: never overshot however many spend at once, spent nearly whole, and said clearly when they end."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.llm.budget import Budget, Prices, WorstCase, most_prompt_tokens, plain_number, prices_from, raised
from runner.llm.client import Client
from runner.llm.outcome import BudgetSpent
from tests.llm.odd_server import OddServer, completion, drip, error, reply
from tests.llm.support import ask, ask_with, model, request

USERS = 20
PRICING = {"prompt": "0.000002", "completion": "0.00001"}


@pytest.mark.parametrize("seed", range(5))
async def test_twenty_users_at_once_never_overshoot(seed: int) -> None:
    chance, budget, most_held = random.Random(seed), Budget(usd=1.0, tokens=200_000), 0.0

    async def user() -> None:
        nonlocal most_held
        while True:
            worst = chance.uniform(0.001, 0.08)
            tokens = chance.randint(100, 9000)
            reservation = await budget.reserve(WorstCase(tokens, worst))
            most_held = max(most_held, budget.spent_usd + budget._held_usd)
            await asyncio.sleep(0)
            budget.settle(reservation, chance.uniform(0, worst), chance.randint(0, tokens))

    ends = await asyncio.gather(*(user() for _ in range(USERS)), return_exceptions=True)
    assert all(isinstance(end, BudgetSpent) for end in ends)
    assert budget.spent_usd <= 1.0
    assert budget.spent_tokens <= 200_000
    assert most_held <= 1.0 + 1e-9
    assert budget.spent_usd > 0.85 or budget.spent_tokens > 180_000


async def play_until_stopped(client: Client, server: OddServer, charges: list[float]) -> list[Exception]:
    """Twenty matches that ask and ask until something stops them."""
    chance = random.Random(1)
    ended: list[Exception] = []

    async def answer(writer: asyncio.StreamWriter) -> None:
        charges.append(chance.uniform(0.002, 0.01))
        await reply(completion(usage={"cost": charges[-1]}))(writer)

    async def match() -> None:
        question = request(model(server.base_url, max_tokens=1000))
        await client.choose_form(question.model)
        while not isinstance(end := (await ask_with(client, question)).end, Exception):
            pass
        ended.append(end)

    server.after = answer
    await asyncio.gather(*(match() for _ in range(USERS)))
    return ended


@pytest.mark.parametrize(
    "pages", [{"/models": {"data": [{"id": "vendor/model", "pricing": PRICING}]}}, {}], ids=["priced", "unpriced"]
)
async def test_twenty_matches_never_overshoot_against_a_server_that_charges(pages: dict[str, Any]) -> None:
    charges: list[float] = []
    async with OddServer(pages=pages) as server, Client(budget=Budget(usd=0.5)) as client:
        ended = await play_until_stopped(client, server, charges)
        assert client.budget.spent_usd == pytest.approx(sum(charges))
    assert all(isinstance(end, BudgetSpent) for end in ended)
    assert sum(charges) <= 0.5
    assert sum(charges) > 0.4
    assert "0.5 USD" in str(ended[0])


async def test_no_call_is_made_when_its_worst_case_does_not_fit() -> None:
    prices = Prices(prompt=0.0, completion=0.001)
    async with OddServer() as server:
        asked = await ask(model(server.base_url, prices=prices, max_tokens=1000), budget=Budget(usd=0.5))
    assert isinstance(asked.end, BudgetSpent)
    assert server.bodies == []


async def test_token_budget_holds_without_any_price() -> None:
    budget = Budget(tokens=12_000)
    async with OddServer() as server, Client(budget=budget) as client:
        question = request(model(server.base_url, max_tokens=500))
        while not isinstance(end := (await ask_with(client, question)).end, Exception):
            pass
    assert isinstance(end, BudgetSpent)
    assert 10_000 < budget.spent_tokens <= 12_000


async def test_a_failed_attempt_costs_nothing_but_one_that_may_be_billed_costs_its_worst_case() -> None:
    budget, prices = Budget(usd=10.0), Prices(prompt=0.0, completion=0.001)
    async with OddServer([reply(error(500), 500), drip]) as server:
        asked = await ask(model(server.base_url, prices=prices, max_tokens=1000, time_limit=0.6), budget=budget)
    assert [attempt.charged_usd for attempt in asked.attempts] == [0.0, 1.0, pytest.approx(0.012)]
    assert [attempt.charge_estimated for attempt in asked.attempts] == [False, True, False]
    assert budget.spent_usd == pytest.approx(1.012)


async def test_first_unpriced_call_goes_alone_even_after_failures() -> None:
    budget = Budget(usd=1.0)
    reservation = await budget.reserve(WorstCase(100, None), "m")
    assert reservation.usd == 1.0
    budget.settle(reservation, 0.0, 0, is_answer=False)
    assert (await budget.reserve(WorstCase(100, None), "m")).usd == 1.0


async def test_endpoint_that_charges_more_than_its_worst_case_is_believed_from_then_on() -> None:
    budget = Budget(usd=1.0)
    budget.settle(await budget.reserve(WorstCase(1, 0.1), "m"), 0.2, 1)
    assert (await budget.reserve(WorstCase(1, 0.1), "m")).usd == pytest.approx(0.2)
    assert (await budget.reserve(WorstCase(1, 0.1), "other")).usd == pytest.approx(0.1)


async def test_a_cancelled_wait_holds_nothing() -> None:
    budget = Budget(usd=1.0)
    held = await budget.reserve(WorstCase(0, 0.9))
    waiting = asyncio.create_task(budget.reserve(WorstCase(0, 0.5)))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    budget.settle(held, 0.1, 0)
    budget.settle(held, 0.1, 0)
    assert budget.spent_usd == pytest.approx(0.1)
    assert (await budget.reserve(WorstCase(0, 0.9))).usd == pytest.approx(0.9)


def test_prompt_bound_holds_for_any_script() -> None:
    texts = ["hello", "Füchse", "狐狸", "🦊🦊"]
    assert most_prompt_tokens([{"role": "user", "content": text} for text in texts]) >= sum(
        len(text.encode()) for text in texts
    )


def test_prices_are_the_dearest_of_a_list_entry() -> None:
    entry = {
        **PRICING,
        "request": "0.01",
        "input_cache_read": "0.0000002",
        "overrides": [{"prompt": "0.000004", "min_tokens": 200_000}],
    }
    prices = prices_from(entry)
    assert prices == Prices(prompt=0.000004, completion=0.00001, request=0.01, cached=0.0000002)
    assert prices.cost(1000, 100, cached_tokens=500) == pytest.approx(0.01 + 500 * 4e-6 + 500 * 2e-7 + 100 * 1e-5)


@pytest.mark.parametrize(
    "pricing", [{}, {"prompt": "-1", "completion": "-1"}, {"prompt": "x", "completion": "1"}, {"prompt": None}]
)
def test_prices_that_are_none(pricing: dict[str, Any]) -> None:
    assert prices_from(pricing) is None


@pytest.mark.parametrize(
    ("usage", "headers", "expected"),
    [
        ({"cost": 0.25}, {}, 0.25),
        ({"cost": 0.01, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.2}}, {}, 0.21),
        ({"cost": "nonsense"}, {"x-litellm-response-cost": "0.125"}, 0.125),
        ({}, {}, 300 * 1e-3 + 12 * 1e-2),
    ],
    ids=["reply", "own provider key", "header", "price list"],
)
async def test_where_a_cost_comes_from(usage: dict[str, Any], headers: dict[str, str], expected: float) -> None:
    async with OddServer([reply(completion(usage=usage), headers=headers)]) as server:
        asked = await ask(model(server.base_url, prices=Prices(1e-3, 1e-2)))
    assert asked.attempts[0].charged_usd == pytest.approx(expected)


@given(st.floats(1e-4, 1e6), st.floats(0, 1e9))
def test_a_limit_is_raised_by_a_few_times_at_most(limit: float, needed: float) -> None:
    higher = float(plain_number(raised(limit, needed)))
    assert 2 * limit * (1 - 1e-5) <= higher <= 4 * limit * (1 + 1e-5)
    assert higher >= min(2 * needed, 4 * limit) * (1 - 1e-5)


async def test_a_call_that_costs_far_more_than_the_budget_is_doubted() -> None:
    budget = Budget(usd=5.0)
    budget.settle(await budget.reserve(WorstCase(1, 0.1), "m"), 1500.0, 1)
    with pytest.raises(BudgetSpent, match=r"Check the price of m first\.$") as caught:
        await budget.reserve(WorstCase(1, 0.1), "m")
    assert caught.value.enough == 20.0


async def test_a_budget_of_fewer_tokens_than_a_call_takes_is_raised_to_some_calls() -> None:
    with pytest.raises(BudgetSpent) as caught:
        await Budget(tokens=100).reserve(WorstCase(7000, None), "m")
    assert caught.value.enough == 14_000
