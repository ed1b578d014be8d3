"""The course of one call: attempt after attempt, each logged and charged before it is acted on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from runner.errors import TabletopError
from runner.llm import negotiation, wire
from runner.llm.attempt import Attempt, OnAttempt
from runner.llm.budget import Budget, Reservation
from runner.llm.call_errors import AccountProblem, InputRefused, Outage, PromptTooLong
from runner.llm.clock import Clock
from runner.llm.endpoint_state import Line
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, Outcome
from runner.llm.prices import Worst, most_prompt_tokens, worst_case
from runner.llm.rate_limiter import Rank
from runner.llm.request import Body, Habits, Request, token_bound
from runner.llm.retry import Again, Patience, is_throttled

_SENTENCES = {
    "key_refused": "the key in {variable} was refused",
    "no_credit": "the account of the key in {variable} has no credit left",
    "key_limit": "the spending limit of the key in {variable} is reached",
    "daily_quota": "the daily quota is used up",
    "no_such_model": "the endpoint does not have this model",
    "context_length": "the prompt is longer than the model's context",
}
_TOO_LONG = {"context_length", "prompt_truncated"}


@dataclass(slots=True)
class Course:
    """One call under way."""

    request: Request
    line: Line
    budget: Budget
    patience: Patience
    clock: Clock
    on_attempt: OnAttempt
    number: int = 0
    rank: Rank = Rank.NEW

    async def attempt(self) -> Delivered | ModelMistake:
        """Makes one attempt. Raises Again when it is to be repeated, TabletopError when the call is over without an answer."""
        habits = self.line.habits
        body = self.request.body(habits)
        self.number += 1
        worst = self._worst_case(body, habits) if self.budget.is_limited else Worst(0, 0.0)
        reservation = await self.budget.reserve(worst, self.request.model.name)
        try:
            made = await self._made(body, habits, reservation)
        finally:
            self.budget.settle(reservation, 0.0, 0, is_answer=False)
        return self._acted_on(made.outcome, habits)

    async def _made(self, body: Body, habits: Habits, reservation: Reservation) -> Attempt:
        await self.line.turns.enter(self.rank)
        began = self.clock.now()
        self.patience.begin()
        try:
            outcome = await self._sent(body, began)
            self.line.note(outcome, began)
        except asyncio.CancelledError:
            await self._record(_cancelled(), body, habits, began, reservation)
            raise
        finally:
            self.line.turns.leave()
        return await self._record(outcome, body, habits, began, reservation)

    async def _sent(self, body: Body, began: float) -> Outcome:
        model = self.request.model
        try:
            response = await self.line.endpoint.send(body, model.headers, model.time_limit)
        except Exception as error:
            from runner.llm.wire.exceptions import of_exception

            return of_exception(error, self._call(body, began))
        return wire.judged(response.status_code, response.headers, response.text, self._call(body, began))

    def _call(self, body: Body, began: float) -> wire.Call:
        letters = sum(len(message["content"]) for message in self.request.messages)
        model = self.request.model
        return wire.Call(model, body, letters, self.clock.now() - began, self.clock.today(), self.line.prices(model))

    async def _record(self, outcome: Outcome, body: Body, habits: Habits, began: float, reservation: Reservation) -> Attempt:
        """Charges the budget and has the attempt logged."""
        ended = self.clock.now()
        usd, tokens, estimated = self._charged(outcome, reservation, body, habits)
        form = habits.form or self.request.form
        attempt = Attempt(self.number, body, form, habits, outcome, ended - began, began, ended, usd, tokens, estimated)
        await _to_the_end(self.on_attempt(attempt))
        return attempt

    def _charged(
        self, outcome: Outcome, reservation: Reservation, body: Body, habits: Habits
    ) -> tuple[float | None, int, bool]:
        reply = outcome.reply
        if isinstance(outcome, (Delivered, ModelMistake)) or (reply is not None and reply.cost):
            used = reply.usage if reply else None
            usd, tokens = (reply.cost if reply else None), (used.total if used else 0)
            self.budget.settle(reservation, usd, tokens)
            return usd, tokens, bool(used and used.estimated)
        if isinstance(outcome, Infrastructure) and outcome.billed:
            if not self.budget.is_limited:  # nothing was set aside, but a later sitting may have a limit
                worst = self._worst_case(body, habits)
                self.budget.settle(reservation, worst.usd, worst.tokens, is_answer=False)
                return worst.usd or 0.0, worst.tokens, True
            return *self.budget.settle_unknown(reservation), True
        self.budget.settle(reservation, 0.0, 0, is_answer=False)
        return 0.0, 0, False

    def _worst_case(self, body: Body, habits: Habits) -> Worst:
        model = self.request.model
        schema_bytes = len(json.dumps(self.request.schema).encode())
        prompt = most_prompt_tokens(body["messages"], schema_bytes)
        return worst_case(prompt, token_bound(model, habits), self.line.prices(model))

    def _acted_on(self, outcome: Outcome, used: Habits) -> Delivered | ModelMistake:
        match outcome:
            case Delivered() | ModelMistake():
                return outcome
            case Infrastructure():
                if self.patience.fail(outcome):
                    raise self._outage(outcome)
                self.rank = Rank.THROTTLED if is_throttled(outcome.kind) else Rank.FAILED
                raise Again(outcome)
            case Configuration():
                if self._adapts(outcome, used):
                    raise Again(None)
                raise self._problem(outcome)

    def _adapts(self, refusal: Configuration, used: Habits) -> bool:
        """Whether the endpoint's refusal taught a habit with which to ask again."""
        if refusal.kind not in negotiation.LEARNABLE:
            return False
        habits = negotiation.adapted(used, self.request, refusal)
        is_settled = self.request.model.rated and self.line.has_answered
        return habits is not None and self.line.learn(habits, used, may_change=not is_settled)

    def _outage(self, failure: Infrastructure) -> TabletopError:
        times = f"{self.number} attempts" if self.number > 1 else "one attempt"
        why = f"{self._who()} gave no answer in {times}; the last: {failure.why}."
        if failure.kind in ("input_moderated", "input_guardrail"):
            return InputRefused(why, failure.kind)
        if failure.kind == "other_model":
            return AccountProblem(f"{self._who()}: {failure.why}", failure.kind, "model")
        return Outage(why, failure.kind)

    def _problem(self, refusal: Configuration) -> AccountProblem:
        sentence = _SENTENCES.get(refusal.kind, "the request was refused")
        model = self.request.model
        if refusal.kind == "key_refused" and not model.key:
            sentence = "it needs a key; {variable} is not set"
        words = sentence.format(variable=model.key_variable or "the configuration")
        why = f"{self._who()}: {words} ({refusal.why})"
        if refusal.kind in _TOO_LONG:
            return PromptTooLong(why, refusal.kind, refusal.stops)
        problem = AccountProblem(why, refusal.kind, refusal.stops, refusal.until)
        self.line.turns.refuse(problem)
        return problem

    def _who(self) -> str:
        model = self.request.model
        return f"{model.name} at {urlsplit(model.base_url).netloc.rpartition('@')[2]}"


async def _to_the_end(telling: Coroutine[Any, Any, None]) -> None:
    """Awaits it even when the call is cancelled meanwhile: a reply that was paid for is logged first."""
    task = asyncio.ensure_future(telling)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


def _cancelled() -> Infrastructure:
    """Catalogue row 50: the endpoint may go on and charge for it."""
    return Infrastructure("cancelled", "the match was stopped before the answer came", billed=True)
