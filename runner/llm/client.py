"""Client: calls models, with rate limits, a budget, retries and the list of each endpoint's models."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self

from runner.llm.address import AddressError, parse_address, without_password
from runner.llm.attempt import OnAttempt
from runner.llm.budget import Budget
from runner.llm.call import Call
from runner.llm.call_errors import AccountProblem
from runner.llm.clock import Clock
from runner.llm.endpoint_state import EndpointState
from runner.llm.model_list import Credit, GetResult, Inspection, ModelEntry, credit, entries, find, nearest_in_words
from runner.llm.negotiation import best_form
from runner.llm.offline import OfflineModel
from runner.llm.outcome import Delivered, ModelMistake
from runner.llm.rate_limiter import LimitKey, LimitsOf, RateLimiters
from runner.llm.request import SAMPLING_PARAMETERS, UNRESTRICTED, AnswerForm, Capabilities, Model, Request
from runner.llm.retry import Retries, RetryPolicy

if TYPE_CHECKING:
    from runner.llm.endpoint import EndpointClient

_Key = tuple[str, str]


class Client:
    """Calls models for all matches of a process on one event loop. An asynchronous context manager.

    `budget` is charged for every attempt. `limits_of` finds rate limits, this client's own by default. `offline` answers for
    the offline model's address. `clock` and `chance` (for jitter) are for tests.
    """

    def __init__(
        self,
        *,
        budget: Budget | None = None,
        policy: RetryPolicy | None = None,
        limits_of: LimitsOf | None = None,
        offline: OfflineModel | None = None,
        clock: Clock | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self.budget = budget or Budget()
        self._policy = policy or RetryPolicy()
        self._offline = offline or OfflineModel()
        self._clock = clock or Clock()
        self._limits_of = limits_of or RateLimiters(self._policy, self._clock)
        self._chance = chance or random.Random()
        self._endpoints: dict[_Key, EndpointClient] = {}
        self._states: dict[tuple[str, str, str], EndpointState] = {}
        self._listed: dict[_Key, tuple[ModelEntry, ...]] = {}
        self._listing: dict[_Key, asyncio.Lock] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection."""
        endpoints, self._endpoints = self._endpoints, {}
        self._states.clear()
        for endpoint in endpoints.values():
            await endpoint.close()

    async def complete(self, request: Request, *, on_attempt: OnAttempt) -> Delivered | ModelMistake:
        """Ask until the model has answered, well or badly.

        `on_attempt` is awaited with every attempt before its outcome is used. Raises Outage when the retry policy is
        exhausted, AccountProblem when the endpoint refuses for good, BudgetSpent before a call that may exceed the budget.
        """
        attempts = request.model.attempts
        policy = self._policy if attempts is None else self._policy.within(attempts)
        retries = Retries(policy, self._clock, self._chance)
        listed = partial(self.models, request.model)
        call = Call(request, self._state(request.model), self.budget, retries, self._clock, on_attempt, listed)
        return await retries.run(call.attempt)

    async def choose_form(self, model: Model) -> AnswerForm:
        """The form of answers to ask this model for, chosen once from what its endpoint lists as supported.

        Without a list it is STRICT_SCHEMA, until the endpoint refuses it. Raises AccountProblem for a model that OpenRouter
        does not list.
        """
        state = self._state(model)
        if state.form is None:
            listed = await self.models(model)
            state.entry = find(listed, model.name)
            if state.entry is None and listed and model.is_openrouter:
                why = f"{model.name} is not among the models of {model.base_url}{nearest_in_words(listed, model.name)}"
                raise AccountProblem(why, "no_such_model", "model")
            supported = state.entry.supported if state.entry else None
            state.form = AnswerForm.STRICT_SCHEMA if supported is None else best_form(supported)
            state.capabilities = _listed_capabilities(state.capabilities, model, state.entry)
        return model.form or state.capabilities.form or state.form

    def capabilities(self, model: Model) -> Capabilities:
        """What the model's endpoint is known to accept."""
        state = self._states.get((model.base_url, model.key, model.name))
        return UNRESTRICTED if state is None else state.capabilities

    def recall(self, model: Model, capabilities: Capabilities | None, has_reasoned: bool = False) -> None:
        """Take up what an earlier session learnt about the model's endpoint, None for nothing, and whether its reply brought
        reasoning."""
        state = self._state(model)
        state.recall(capabilities, is_settled=model.rated)
        if has_reasoned:
            state.note_reasoning()

    async def models(self, model: Model) -> tuple[ModelEntry, ...]:
        """The models that this model's endpoint lists; none if it has no list."""
        key = (model.base_url, model.key)
        async with self._listing.setdefault(key, asyncio.Lock()):
            if not self._listed.get(key):
                self._listed[key] = entries((await self._get(model, "/models")).text)
        return self._listed[key]

    async def credit(self, model: Model) -> Credit | None:
        """The credit of the model's key (OpenRouter's GET /key), None if the endpoint does not say."""
        return credit((await self._get(model, "/key")).text)

    async def inspect(self, model: Model) -> Inspection:
        """The facts about a model that need no call to it. Nothing is charged, nothing is raised."""
        listed, key = await self._get(model, "/models"), await self._get(model, "/key")
        found = entries(listed.text)
        return Inspection(
            is_reachable=listed.status is not None,
            why=listed.why,
            entry=find(found, model.name),
            listed=len(found),
            accepts_key=False if 401 in (listed.status, key.status) else (True if key.status == 200 else None),
            credit=credit(key.text),
        )

    async def _get(self, model: Model, path: str) -> GetResult:
        """A GET, whose failure is part of its result."""
        state = self._state(model)
        from runner.llm.wire.exceptions import get_result

        return await get_result(state.endpoint.get(path, model.headers), model.secrets)

    def _state(self, model: Model) -> EndpointState:
        name = (model.base_url, model.key, model.name)
        if name not in self._states:
            self._states[name] = self._new_state(model)
        return self._states[name]

    def _new_state(self, model: Model) -> EndpointState:
        from runner.llm.endpoint import EndpointClient

        _check_sendable(model)
        key = (model.base_url, model.key)
        if key not in self._endpoints:
            self._endpoints[key] = EndpointClient(model, self._offline)
        limits = self._limits_of(LimitKey(model.base_url, model.key, model.name, model.max_in_flight))
        return EndpointState(self._endpoints[key], limits)


def _check_sendable(model: Model) -> None:
    """AccountProblem for an address, a key or a header that no HTTP request can carry, without showing a secret."""
    try:
        parse_address(model.base_url)
    except AddressError as fault:
        raise AccountProblem(f"{without_password(model.base_url)} {fault}", "not_an_endpoint", "model") from None
    if not all(value.isascii() and value.isprintable() for value in (model.key, *model.headers.values())):
        source = model.key_variable or "the configuration"
        raise AccountProblem(
            f"the key or a header from {source} holds line breaks or letters that cannot be sent", "key_unusable", "key"
        )


def _listed_capabilities(capabilities: Capabilities, model: Model, entry: ModelEntry | None) -> Capabilities:
    """The capabilities by the endpoint's list: parameters it does not take, its bound on replies."""
    if entry is None:
        return capabilities
    if entry.max_reply_tokens is not None and entry.max_reply_tokens < model.max_tokens:
        capabilities = replace(capabilities, max_tokens=entry.max_reply_tokens)
    if entry.supported is None or not model.is_openrouter:
        return capabilities
    unsupported = {name for name in model.parameters if name in _LISTED and name not in entry.supported}
    return replace(capabilities, rejected=capabilities.rejected | unsupported)


_LISTED = SAMPLING_PARAMETERS | {"logit_bias", "verbosity"}
"""Parameters an OpenRouter model lists if it takes them."""
