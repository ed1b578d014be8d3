"""Client: calls models, with rate limits, a budget, retries and the list of each endpoint's models."""

from __future__ import annotations

import asyncio
import logging
import random
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Self

from runner.llm.address import AddressError, host_of, parse_address, without_password
from runner.llm.budget import PRICE_IT, Budget
from runner.llm.call import Call, OnAttempt, Retries, RetryPolicy
from runner.llm.model_list import Inspection, ModelEntry, credit, entries, find, nearest_in_words
from runner.llm.negotiation import best_form
from runner.llm.offline import OFFLINE_URL, OfflineModel
from runner.llm.outcome import AccountProblem, Delivered, ModelMistake
from runner.llm.rate_limiter import Clock, RateLimiters
from runner.llm.request import SAMPLING_PARAMETERS, AnswerForm, Capabilities, Model, Request

if TYPE_CHECKING:
    from runner.llm.endpoint import EndpointClient

_Key = tuple[str, str]


class Client:
    """Calls models for all matches of a process on one event loop. An asynchronous context manager.

    `budget` is charged for every attempt. `limits_of` shares rate limits, and what is learnt of endpoints, between clients.
    `offline` answers for the offline model's address. `clock` and `chance` (for jitter) are for tests.
    """

    def __init__(
        self,
        *,
        budget: Budget | None = None,
        policy: RetryPolicy | None = None,
        limits_of: RateLimiters | None = None,
        offline: OfflineModel | None = None,
        clock: Clock | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self.budget = budget or Budget()
        self._policy = policy or RetryPolicy()
        self._offline = offline or OfflineModel()
        self._clock = clock or Clock()
        self._line = limits_of or RateLimiters(self._policy.longest_wait, self._clock)
        self._chance = chance or random.Random()
        self._endpoints: dict[_Key, EndpointClient] = {}
        self._listed: dict[_Key, tuple[ModelEntry, ...]] = {}
        self._listing: dict[_Key, asyncio.Lock] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        endpoints, self._endpoints = self._endpoints, {}
        for endpoint in endpoints.values():
            await endpoint.close()

    async def complete(self, request: Request, *, on_attempt: OnAttempt) -> Delivered | ModelMistake:
        """Ask until the model has answered, well or badly. `on_attempt` is awaited before the outcome of an attempt is used.
        Raises Outage when the retry policy is exhausted, AccountProblem when the endpoint refuses for good, BudgetSpent before
        a call that may exceed the budget, NoLogprobs where the endpoint refuses the probabilities of a label."""
        model = request.model
        policy = self._policy if model.attempts is None else self._policy.within(model.attempts)
        if request.is_label:  # the match does without one
            policy = replace(policy, attempts=min(policy.attempts, 2), slow_attempts=1)
        retries, listed = Retries(policy, self._clock, self._chance), partial(self.models, model)
        call = Call(request, self._endpoint(model), self._line(model), self.budget, retries, self._clock, on_attempt, listed)
        return await retries.run(call.attempt)

    async def choose_form(self, model: Model) -> AnswerForm:
        """The form of answers to ask this model for, chosen once from what its endpoint lists as supported; STRICT_SCHEMA where
        it lists nothing. AccountProblem for a model that OpenRouter does not list."""
        line = self._line(model)
        if line.form is None:
            listed = await self.models(model)
            line.entry = find(listed, model.name)
            if line.entry is None and listed and model.is_openrouter:
                why = f"{model.name} is not among the models of {model.base_url}{nearest_in_words(listed, model.name)}"
                raise AccountProblem(why, "no_such_model", "model")
            line.form = AnswerForm.STRICT_SCHEMA
            if line.entry is not None:
                line.form = best_form(line.entry.supported)
                line.capabilities = _listed_capabilities(line.capabilities, model, line.entry)
        await self.check_price(model)
        return model.form or line.capabilities.form or line.form

    async def check_price(self, model: Model) -> None:
        """AccountProblem for a model whose calls a budget in USD alone does not bound: nobody says what they cost. One of this
        machine counts as free, with a warning. OpenRouter and the offline model say the cost with every reply."""
        if not self.budget.needs_prices:
            return
        line = self._line(model)
        if line.form is None:
            line.entry = find(await self.models(model), model.name)
        if model.is_openrouter or model.base_url == OFFLINE_URL or line.prices(model) is not None:
            return
        said = f"{model.name} at {host_of(model.base_url)} names no price"
        if not parse_address(model.base_url).is_loopback:
            why = f"{said}, so that a budget in USD bounds nothing. {PRICE_IT}, or give a budget in tokens with --budget-tokens"
            raise AccountProblem(why, "no_price", "model")
        line.is_free = True
        _warn(f"{said}: in the budget it counts as free, 0 USD, unless its replies say a cost. {PRICE_IT}.")

    def capabilities(self, model: Model) -> Capabilities:
        """What the model's endpoint is known to accept."""
        return self._line(model).capabilities

    def recall(self, model: Model, capabilities: Capabilities | None, has_reasoned: bool = False) -> None:
        """Take up what an earlier session learnt of the model's endpoint, None for nothing, and whether its reply reasoned."""
        self._line(model).recall(capabilities, is_settled=model.rated, has_reasoned=has_reasoned)

    async def models(self, model: Model) -> tuple[ModelEntry, ...]:
        """The models that this model's endpoint lists; none if it has no list."""
        key = (model.base_url, model.key)
        async with self._listing.setdefault(key, asyncio.Lock()):
            if not self._listed.get(key):
                self._listed[key] = entries((await self._endpoint(model).get("/models", model)).text)
        return self._listed[key]

    async def inspect(self, model: Model) -> Inspection:
        """The facts about a model that need no call to it. Nothing is charged, nothing is raised."""
        endpoint = self._endpoint(model)
        listed, key = await endpoint.get("/models", model), await endpoint.get("/key", model)
        found = entries(listed.text)
        return Inspection(
            is_reachable=listed.status is not None,
            why=listed.why,
            entry=find(found, model.name),
            listed=len(found),
            accepts_key=False if 401 in (listed.status, key.status) else (True if key.status == 200 else None),
            credit=credit(key.text),
        )

    def _endpoint(self, model: Model) -> EndpointClient | OfflineModel:
        """The connection to a model's endpoint. AccountProblem where no request can carry its address, key or headers."""
        _check_sendable(model)
        if model.base_url == OFFLINE_URL:
            return self._offline
        key = (model.base_url, model.key)
        if model.connector is not None:
            access = model.connector.address()
            key = (f"{access.address}/v1", access.key)
        if key not in self._endpoints:
            from runner.llm.endpoint import EndpointClient

            self._endpoints[key] = EndpointClient(*key)
        return self._endpoints[key]


@cache
def _warn(words: str) -> None:
    """Say something on standard error, or where the program that uses this sends warnings, once."""
    logging.getLogger("tabletop").warning(words)


def _check_sendable(model: Model) -> None:
    """AccountProblem for an address, a key or a header that no HTTP request can carry, without showing a secret."""
    try:
        parse_address(model.base_url)
    except AddressError as fault:
        raise AccountProblem(f"{without_password(model.base_url)} {fault}", "not_an_endpoint", "model") from None
    if not all(value.isascii() and value.isprintable() for value in (model.key, *model.headers.values())):
        source = model.key_variable or "the configuration"
        why = f"the key or a header from {source} holds line breaks or letters that cannot be sent"
        raise AccountProblem(why, "key_unusable", "key")


def _listed_capabilities(capabilities: Capabilities, model: Model, entry: ModelEntry) -> Capabilities:
    """The capabilities by the endpoint's list: parameters it does not take, its bound on replies."""
    if entry.max_reply_tokens is not None and entry.max_reply_tokens < model.max_tokens:
        capabilities = replace(capabilities, max_tokens=entry.max_reply_tokens)
    if entry.supported is None or not model.is_openrouter:
        return capabilities
    unsupported = {name for name in model.parameters if name in _LISTED and name not in entry.supported}
    return replace(capabilities, rejected=capabilities.rejected | unsupported)


_LISTED = SAMPLING_PARAMETERS | {"logit_bias", "verbosity"}
"""Parameters an OpenRouter model lists if it takes them."""
