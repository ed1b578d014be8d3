"""One call: attempt after attempt, each logged and charged before its outcome is used."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from runner.errors import TabletopError
from runner.llm import negotiation, wire
from runner.llm.address import host_of
from runner.llm.attempt import Attempt, OnAttempt
from runner.llm.body_forms import logged_body
from runner.llm.budget import Budget, Reservation
from runner.llm.call_errors import AccountProblem, InputRefused, LimitReached, Outage, PromptTooLong
from runner.llm.clock import Clock
from runner.llm.endpoint_state import EndpointState
from runner.llm.local_servers import servers
from runner.llm.model_list import ModelEntry, nearest_in_words
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, Outcome
from runner.llm.prices import WorstCase, most_prompt_tokens, worst_case
from runner.llm.rate_limiter import Priority
from runner.llm.request import Body, Capabilities, Request
from runner.llm.reset_time import reset_time
from runner.llm.retry import Retries, TryAgain, is_throttled

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
class Call:
    """One call in progress."""

    request: Request
    state: EndpointState
    budget: Budget
    retries: Retries
    clock: Clock
    on_attempt: OnAttempt
    listed: Callable[[], Awaitable[tuple[ModelEntry, ...]]]
    number: int = 0
    priority: Priority = Priority.NEW

    async def attempt(self) -> Delivered | ModelMistake:
        """Make one attempt. Raises TryAgain when it is to be repeated, TabletopError when the call ends without an answer."""
        if self.request.model.local is not None:
            servers.access(self.request.model.base_url)
        capabilities = self.state.capabilities
        body = self.request.body(capabilities)
        worst = self._worst_case(body, capabilities) if self.budget.reserves else WorstCase(0, 0.0)
        reservation = await self.budget.reserve(worst, self.request.model.name)
        try:
            made = await self._made(body, capabilities, reservation)
        finally:
            self.budget.settle(reservation, 0.0, 0, is_answer=False)
        return await self._result(made.outcome, capabilities)

    async def _made(self, body: Body, capabilities: Capabilities, reservation: Reservation) -> Attempt:
        await self.state.acquire(self.priority)
        if self.state.capabilities is not capabilities:
            self.state.limits.release()
            raise TryAgain(None)
        self.number += 1
        began = self.clock.now()
        self.retries.begin()
        try:
            outcome = self._judged(await self._sent(body, began), capabilities)
            self.state.note(outcome, began)
        except asyncio.CancelledError:
            await self._record(_CANCELLED, body, capabilities, began, reservation)
            raise
        finally:
            self.state.limits.release()
        return await self._record(outcome, body, capabilities, began, reservation)

    async def _sent(self, body: Body, began: float) -> Outcome:
        model = self.request.model
        try:
            response = await self.state.endpoint.send(body, model.headers, model.time_limit)
        except Exception as error:
            from runner.llm.wire.exceptions import of_exception

            return of_exception(error, self._exchange(body, began))
        return wire.classify(response.status_code, response.headers, response.text, self._exchange(body, began))

    def _judged(self, outcome: Outcome, used: Capabilities) -> Outcome:
        """The outcome in the light of what is known of the endpoint, unless another call changed that meanwhile."""
        if self.state.capabilities is not used:
            return outcome
        judged = negotiation.judged(outcome, used, self.request, self.state.has_answered)
        if isinstance(judged, (Delivered, ModelMistake)):
            self.state.capabilities = negotiation.after_reply(used, self.request, judged)
        return judged

    def _exchange(self, body: Body, began: float) -> wire.Exchange:
        model, now = self.request.model, self.clock.today()
        letters = sum(len(str(message["content"])) for message in body["messages"])
        latency, prices = self.clock.now() - began, self.state.prices(model)
        return wire.Exchange(model, body, letters, latency, now, prices, canonical_name=self.state.canonical_name)

    async def _record(
        self, outcome: Outcome, body: Body, capabilities: Capabilities, began: float, reservation: Reservation
    ) -> Attempt:
        """Charge the budget and have the attempt logged."""
        ended = self.clock.now()
        usd, tokens, estimated = self._charge(outcome, reservation, body, capabilities)
        form = self.request.form_under(capabilities)
        logged = logged_body(body, self.request.model.parameters)
        attempt = Attempt(self.number, logged, form, capabilities, outcome, ended - began, began, ended, usd, tokens, estimated)
        await _uncancelled(self.on_attempt(attempt))
        return attempt

    def _charge(
        self, outcome: Outcome, reservation: Reservation, body: Body, capabilities: Capabilities
    ) -> tuple[float | None, int, bool]:
        """Settle the reservation: USD, tokens, and whether they are an estimate."""
        reply = outcome.reply
        if isinstance(outcome, (Delivered, ModelMistake)) or (reply is not None and (reply.cost or reply.usage.total)):
            used = reply.usage if reply else None
            usd, tokens = (reply.cost if reply else None), (used.total if used else 0)
            self.budget.settle(reservation, usd, tokens)
            return usd, tokens, bool(used and used.estimated)
        if isinstance(outcome, Infrastructure) and outcome.billed:
            if not self.budget.reserves:  # nothing was reserved, but a later session may have a limit
                worst = self._worst_case(body, capabilities)
                self.budget.settle(reservation, worst.usd, worst.tokens, is_answer=False)
                return worst.usd or 0.0, worst.tokens, True
            return *self.budget.settle_unknown(reservation), True
        self.budget.settle(reservation, 0.0, 0, is_answer=False)
        return 0.0, 0, False

    def _worst_case(self, body: Body, capabilities: Capabilities) -> WorstCase:
        model = self.request.model
        schema_bytes = len(json.dumps(self.request.schema).encode())
        prompt = most_prompt_tokens(body["messages"], schema_bytes)
        return worst_case(prompt, self.request.reply_limit(capabilities), self.state.prices(model))

    async def _result(self, outcome: Outcome, used: Capabilities) -> Delivered | ModelMistake:
        match outcome:
            case Delivered() | ModelMistake():
                return outcome
            case Infrastructure():
                if self.retries.fail(outcome):
                    raise self._outage(outcome)
                self.priority = Priority.THROTTLED if is_throttled(outcome.kind) else Priority.FAILED
                raise TryAgain(outcome)
            case Configuration():
                if self._adapts(outcome, used):
                    raise TryAgain(None)
                raise await self._problem(outcome)

    def _adapts(self, refusal: Configuration, used: Capabilities) -> bool:
        """Whether a changed request may be accepted after this refusal."""
        if (refused := refusal.refused) is None:
            return False
        if self.state.capabilities is not used:
            return True
        if self.request.model.rated and self.state.has_answered and not negotiation.is_of_this_prompt(refused):
            return False
        capabilities = negotiation.adapted(used, self.request, refused, self.state.has_answered)
        return capabilities is not None and self.state.learn(capabilities)

    def _outage(self, failure: Infrastructure) -> TabletopError:
        times = f"{self.number} attempts" if self.number > 1 else "one attempt"
        why = f"{self._who()} gave no answer in {times}; the last: {failure.why}."
        if failure.kind in ("input_moderated", "input_guardrail"):
            return InputRefused(why, failure.kind)
        if failure.kind == "other_model":
            return AccountProblem(f"{self._who()}: {failure.why}", failure.kind, "model")
        return Outage(why + self._advice(failure), failure.kind)

    def _advice(self, failure: Infrastructure) -> str:
        """When to resume after a rate limit."""
        now = self.clock.today()
        if failure.retry_after is not None:
            return f" It takes calls again at {reset_time(now + failure.retry_after, now)}."
        return " It does not say how long to wait: try again in some minutes." if is_throttled(failure.kind) else ""

    async def _problem(self, refusal: Configuration) -> AccountProblem:
        sentence = _SENTENCES.get(refusal.kind, "the request was refused")
        model = self.request.model
        if not model.key and (refusal.kind == "key_refused" or (refusal.kind == "forbidden" and model.withheld)):
            sentence = model.why_no_key
        words = sentence.replace("{variable}", model.key_variable or "the configuration")
        why = f"{self._who()}: {words} ({refusal.why})"
        if refusal.kind == "no_such_model":
            why += nearest_in_words(await self.listed(), model.name)
        if refusal.kind in _TOO_LONG:
            return PromptTooLong(why, refusal.kind, refusal.stops)
        problem = AccountProblem(why, refusal.kind, refusal.stops, refusal.until)
        now = self.clock.today()
        if refusal.until is not None and refusal.until > now:
            why += f"; the limit ends at {reset_time(refusal.until, now)}."
            problem = LimitReached(why, refusal.kind, refusal.stops, refusal.until)
        self.state.limits.block(problem)
        return problem

    def _who(self) -> str:
        model = self.request.model
        return model.name if model.local else f"{model.name} at {host_of(model.base_url)}"


async def _uncancelled(logging: Awaitable[None]) -> None:
    """Await it to its end, even when the call is cancelled meanwhile: a reply that was paid for is logged first."""
    task = asyncio.ensure_future(logging)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


_CANCELLED = Infrastructure("cancelled", "the match was stopped before the answer came", billed=True)
"""The outcome of a cancelled call: the endpoint may continue and bill it."""
