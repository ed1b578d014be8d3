"""The client of all models: one call from question to answer, with its gate, budget, attempts and retries."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self

from runner.llm.attempt import OnAttempt
from runner.llm.budget import Budget
from runner.llm.call import Course
from runner.llm.call_errors import AccountProblem
from runner.llm.clock import Clock
from runner.llm.endpoint_state import Line
from runner.llm.model_list import Credit, Inspection, Look, ModelEntry, credit, entries, find
from runner.llm.negotiation import form_for
from runner.llm.offline import OfflineModel
from runner.llm.outcome import Delivered, ModelMistake
from runner.llm.rate_limiters import Gates, TurnsOf, Way
from runner.llm.request import AnswerForm, Habits, Model, Request
from runner.llm.retry import Patience, Policy

if TYPE_CHECKING:
    from runner.llm.endpoint import Endpoint

_Key = tuple[str, str]


class Client:
    """Calls models, for all matches of a process on one event loop. An asynchronous context manager.

    `budget` is charged for every attempt. `turns_of` tells where the gates are, which are this client's own if not. `offline`
    answers for the offline model's address. `clock` and `chance` (for jitter) are for tests.
    """

    def __init__(
        self,
        *,
        budget: Budget | None = None,
        policy: Policy | None = None,
        turns_of: TurnsOf | None = None,
        offline: OfflineModel | None = None,
        clock: Clock | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self.budget = budget or Budget()
        self._policy = policy or Policy()
        self._offline = offline or OfflineModel()
        self._clock = clock or Clock()
        self._turns_of = turns_of or Gates(self._policy, self._clock)
        self._chance = chance or random.Random()
        self._endpoints: dict[_Key, Endpoint] = {}
        self._lines: dict[tuple[str, str, str], Line] = {}
        self._listed: dict[_Key, tuple[ModelEntry, ...]] = {}
        self._listing: dict[_Key, asyncio.Lock] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes every connection."""
        endpoints, self._endpoints = self._endpoints, {}
        self._lines.clear()
        for endpoint in endpoints.values():
            await endpoint.close()

    async def complete(self, request: Request, *, on_attempt: OnAttempt) -> Delivered | ModelMistake:
        """Asks until the model has answered, well or badly.

        `on_attempt` is awaited with every attempt before anything is made of it. Raises Outage when patience is used up,
        AccountProblem when the endpoint refuses for good, BudgetSpent before a call that may not fit the budget.
        """
        attempts = request.model.attempts
        policy = self._policy if attempts is None else replace(self._policy, attempts=attempts)
        patience = Patience(policy, self._clock, self._chance)
        course = Course(request, self._line(request.model), self.budget, patience, self._clock, on_attempt)
        return await patience.call(course.attempt)

    async def choose_form(self, model: Model) -> AnswerForm:
        """The form of answers to ask this model for, chosen once from what its endpoint says it supports.

        Without such a list it is STRICT_SCHEMA, until the endpoint refuses it. Raises AccountProblem when OpenRouter
        does not list the model (catalogue row 28).
        """
        line = self._line(model)
        if line.form is None:
            listed = await self.models(model)
            line.entry = find(listed, model.name)
            if line.entry is None and listed and model.is_openrouter:
                raise AccountProblem(f"{model.name} is not among the models of {model.base_url}", "no_such_model", "model")
            supported = line.entry.supported if line.entry else None
            line.form = model.form or (AnswerForm.STRICT_SCHEMA if supported is None else form_for(supported))
            line.habits = _informed(line.habits, model, line.entry)
        return line.habits.form or line.form

    def habits(self, model: Model) -> Habits:
        """What the model's endpoint has turned out to take, for the record."""
        return self._line(model).habits

    async def models(self, model: Model) -> tuple[ModelEntry, ...]:
        """The models the endpoint of this one lists; none when it does not say."""
        key = (model.base_url, model.key)
        async with self._listing.setdefault(key, asyncio.Lock()):
            if not self._listed.get(key):
                self._listed[key] = entries((await self._look(model, "/models")).text)
        return self._listed[key]

    async def credit(self, model: Model) -> Credit | None:
        """What the model's key may still spend (OpenRouter's GET /key), None when the endpoint does not say."""
        return credit((await self._look(model, "/key")).text)

    async def inspect(self, model: Model) -> Inspection:
        """What can be found out about a model without asking it anything: nothing is charged, nothing is raised."""
        listed, key = await self._look(model, "/models"), await self._look(model, "/key")
        found = entries(listed.text)
        return Inspection(
            is_reachable=listed.status is not None,
            why=listed.why,
            entry=find(found, model.name),
            listed=len(found),
            accepts_key=False if 401 in (listed.status, key.status) else (True if key.status == 200 else None),
            credit=credit(key.text),
        )

    async def _look(self, model: Model, path: str) -> Look:
        """A GET; it only informs, so that its failure is no failure."""
        line = self._line(model)
        from runner.llm.wire.exceptions import looked

        return await looked(line.endpoint.look(path, model.headers), model.secrets)

    def _line(self, model: Model) -> Line:
        name = (model.base_url, model.key, model.name)
        if name not in self._lines:
            self._lines[name] = self._new_line(model)
        return self._lines[name]

    def _new_line(self, model: Model) -> Line:
        from runner.llm.endpoint import Endpoint

        _check_sendable(model)
        key = (model.base_url, model.key)
        if key not in self._endpoints:
            self._endpoints[key] = Endpoint(model, self._offline)
        turns = self._turns_of(Way(model.base_url, model.key, model.name, model.most_in_flight))
        return Line(self._endpoints[key], turns)


def _check_sendable(model: Model) -> None:
    """Raises AccountProblem for a key or header no HTTP request can carry, without showing it."""
    if not all(value.isascii() and value.isprintable() for value in (model.key, *model.headers.values())):
        source = model.key_variable or "the configuration"
        raise AccountProblem(
            f"the key or a header from {source} holds line breaks or letters that cannot be sent", "key_unusable", "key"
        )


def _informed(habits: Habits, model: Model, entry: ModelEntry | None) -> Habits:
    """The habits with what the endpoint's list says beforehand: parameters it does not take, its bound on replies."""
    if entry is None:
        return habits
    if entry.max_reply_tokens is not None and entry.max_reply_tokens < model.max_tokens:
        habits = replace(habits, max_tokens=entry.max_reply_tokens)
    if entry.supported is None or not model.is_openrouter:
        return habits
    sampling = {name for name in model.parameters if name in _SAMPLING and name not in entry.supported}
    return replace(habits, left_out=habits.left_out | sampling)


_SAMPLING = frozenset(
    {"temperature", "top_p", "top_k", "top_a", "min_p", "seed", "stop", "logit_bias", "reasoning", "verbosity"}
) | {
    "frequency_penalty",
    "presence_penalty",
    "repetition_penalty",
}
"""Parameters an OpenRouter model lists when it takes them."""
