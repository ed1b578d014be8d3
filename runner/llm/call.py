"""One call: attempt after attempt, each logged and charged before its outcome is used, until the retry policy ends it."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from runner.errors import TabletopError
from runner.llm import negotiation
from runner.llm.address import host_of, without_password
from runner.llm.budget import Budget, Reservation, WorstCase
from runner.llm.model_list import ModelEntry, nearest_in_words
from runner.llm.outcome import (
    AccountProblem,
    Configuration,
    Delivered,
    Infrastructure,
    InputRefused,
    LimitReached,
    ModelMistake,
    NoLogprobs,
    Outage,
    Outcome,
    PromptTooLong,
    Refused,
)
from runner.llm.rate_limiter import LONGEST_WAIT, Clock, Priority, SharedEndpoint, reset_time
from runner.llm.request import AnswerForm, Body, Capabilities, Request, logged_body
from runner.llm.wire.exchange import Exchange, most_tokens_of_prompt
from runner.llm.wire.refusals import SENTENCES
from runner.llm.wire.replies import classify

if TYPE_CHECKING:
    from runner.llm.endpoint import EndpointClient
    from runner.llm.offline import OfflineModel

T = TypeVar("T")

_GROWTH = 1.5
"""Growth of the back-off over the time between the last two attempts, where the rate limiter made that long."""

_THROTTLED = {"throttled", "in_flight_budget"}
"""Rate limits, which say nothing about the endpoint's health."""

_KINDS = {
    **dict.fromkeys(("timeout", "blank_body", "unread_envelope"), "slow_attempts"),
    **dict.fromkeys(("input_moderated", "input_guardrail"), "filtered_attempts"),
    **dict.fromkeys(("other_model", "bad_request"), "pinned_attempts"),
    **dict.fromkeys(_THROTTLED, "throttled_attempts"),
    "no_connection": "connection_attempts",
}
"""The field of the policy that bounds failures of a kind; `attempts` for all others."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Attempts by kind of failure, and waits in seconds; a longer Retry-After than `longest_wait` is not waited for.

    `slow_attempts` bounds failures that take a whole time limit and may be billed, `filtered_attempts` those a content filter
    causes, `pinned_attempts` replies by another model and requests refused without a reason.
    """

    attempts: int = 8
    slow_attempts: int = 3
    filtered_attempts: int = 2
    pinned_attempts: int = 2
    throttled_attempts: int = 40
    connection_attempts: int = 5
    first_backoff: float = 0.5
    longest_backoff: float = 30.0
    longest_wait: float = LONGEST_WAIT

    def within(self, attempts: int) -> RetryPolicy:
        """The policy for calls with a bound on attempts, rate limits included."""
        return replace(self, attempts=attempts, throttled_attempts=attempts)

    def gives_up(self, failures: Counter[str], last: Infrastructure) -> bool:
        """Whether a call ends after these failures, counted by kind."""
        most: int = getattr(self, _KINDS.get(last.kind, "attempts"))
        others = sum(count for kind, count in failures.items() if kind not in _THROTTLED)
        return failures[last.kind] >= most or others >= self.attempts or (last.retry_after or 0.0) > self.longest_wait

    def wait(self, failures: int, retry_after: float | None, jitter: float) -> float:
        """Seconds until the next attempt: exponential with `jitter` in [0, 1), but at least Retry-After; first that alone."""
        backoff = min(self.longest_backoff, self.first_backoff * 2.0 ** min(failures - 1, 16)) * (0.5 + jitter / 2)
        if retry_after is None:
            return backoff
        return max(retry_after + min(backoff, self.first_backoff) * jitter, backoff if failures > 1 else 0.0)


class TryAgain(Exception):
    """Raised by an attempt that is to be repeated; `failure` is None when only the request had to change."""

    def __init__(self, failure: Infrastructure | None) -> None:
        super().__init__(failure.kind if failure else "adapted")
        self.failure = failure


@dataclass(slots=True)
class Retries:
    """The retries of one call under a policy."""

    policy: RetryPolicy
    clock: Clock
    random: random.Random
    failures: Counter[str] = field(default_factory=Counter)
    _backing_off_since: float | None = None
    _last_gap: float = 0.0

    async def run(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Repeat the attempt while it raises TryAgain. Any other error it raises ends the call."""
        again = retry_if_exception_type(TryAgain)
        return await AsyncRetrying(retry=again, wait=self._wait, sleep=self.clock.sleep, reraise=True)(attempt)

    def fail(self, failure: Infrastructure) -> bool:
        """Count a failure; True when the call ends."""
        self.failures[failure.kind] += 1
        return self.policy.gives_up(self.failures, failure)

    def begin(self) -> None:
        """Note that an attempt starts now: the real time since the last failure, including the rate limiter's wait."""
        if self._backing_off_since is not None:
            self._last_gap = self.clock.now() - self._backing_off_since
            self._backing_off_since = None

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        failure = error.failure if isinstance(error, TryAgain) else None
        if failure is None:
            return 0.0
        wait = self.policy.wait(self.failures.total(), failure.retry_after, self.random.random())
        if failure.retry_after:
            return wait
        self._backing_off_since = self.clock.now()
        return max(wait, min(self._last_gap * _GROWTH, self.policy.longest_backoff))


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request that was sent, and its outcome. `number` counts from 1 within the call. `body` is as sent, without
    secrets and in the game's own words.

    `latency` is in seconds; `began` and `ended` are monotonic times. What the budget was charged are the reply's own figures
    (None: an unknown cost), or the worst case where an unanswered call may have been billed (`charge_estimated`).
    """

    number: int
    body: Body
    form: AnswerForm
    capabilities: Capabilities
    outcome: Outcome
    latency: float
    began: float
    ended: float
    charged_usd: float | None = None
    charged_tokens: int = 0
    charge_estimated: bool = False


OnAttempt = Callable[[Attempt], Awaitable[None]]

_TOO_LONG = {"context_length", "prompt_truncated"}
_LIMITS = {"key_limit", "daily_quota"}
_BY_PROMPT = {"input_moderated", "input_guardrail", "bad_request"}
"""Failures that the prompt may have caused."""

_CANCELLED = Infrastructure("cancelled", "the match was stopped before the answer came", billed=True)
"""The outcome of a cancelled call: the endpoint may continue and bill it."""


@dataclass(slots=True)
class Call:
    """One call in progress. `known` is what was known of the endpoint before it."""

    request: Request
    endpoint: EndpointClient | OfflineModel
    line: SharedEndpoint
    budget: Budget
    retries: Retries
    clock: Clock
    on_attempt: OnAttempt
    listed: Callable[[], Awaitable[tuple[ModelEntry, ...]]]
    number: int = 0
    priority: Priority = Priority.NEW
    known: Capabilities | None = None

    async def attempt(self) -> Delivered | ModelMistake:
        """Make one attempt. Raises TryAgain when it is to be repeated, TabletopError when the call ends without an answer."""
        model, used = self.request.model, self.line.capabilities
        if model.connector is not None:
            model.connector.address()
        if self.request.is_label and not used.logprobs:
            raise NoLogprobs(f"{self._who()} gives no log-probabilities.")
        self.known = self.known or used
        body = self.request.body(used)
        prompt = most_tokens_of_prompt(body)
        limit, prices = self.request.reply_limit(used), self.line.prices(model)
        worst = WorstCase(prompt + limit, None if prices is None else prices.cost(prompt, limit))
        reservation = await self.budget.reserve(worst, model.name)
        try:
            outcome = await self._made(body, used, reservation)
        finally:
            self.budget.settle(reservation, 0.0, 0, is_answer=False)
        match outcome:
            case Delivered() | ModelMistake():
                return outcome
            case Infrastructure():
                if self.retries.fail(outcome):
                    raise self._outage(outcome)
                self.priority = Priority.THROTTLED if outcome.kind in _THROTTLED else Priority.FAILED
                raise TryAgain(outcome)
            case Configuration() if self.request.is_label and (outcome.refused is not None or outcome.kind == "forbidden"):
                self._learn_no_logprobs(outcome.refused)
                raise NoLogprobs(outcome.why)
            case Configuration():
                if self._adapts(outcome, used):
                    raise TryAgain(None)
                raise await self._problem(outcome)

    async def _made(self, body: Body, used: Capabilities, reservation: Reservation) -> Outcome:
        await self.line.acquire(self.priority)
        if self.line.capabilities is not used:
            self.line.release()
            raise TryAgain(None)
        self.number += 1
        began = self.clock.now()
        self.retries.begin()
        try:
            outcome = self._judged(await self._sent(body, began), used)
            self.line.note(outcome, began, self.request.is_label)
        except asyncio.CancelledError:
            await self._record(_CANCELLED, body, used, began, reservation)
            raise
        finally:
            self.line.release()
        await self._record(outcome, body, used, began, reservation)
        return outcome

    async def _sent(self, body: Body, began: float) -> Outcome:
        model, line = self.request.model, self.line
        characters = sum(len(str(message["content"])) for message in body["messages"])
        canonical = line.entry.canonical_name if line.entry else None

        def exchange() -> Exchange:
            latency = self.clock.now() - began
            return Exchange(model, body, characters, latency, self.clock.today(), line.prices(model), canonical_name=canonical)

        try:
            status, headers, text = await self.endpoint.send(body, self.request.headers, model.time_limit)
        except Exception as error:
            from runner.llm.endpoint import of_exception

            return of_exception(error, exchange())
        return self.request.skin.outcome(classify(status, headers, text, exchange()))

    def _judged(self, outcome: Outcome, used: Capabilities) -> Outcome:
        """The outcome in the light of what is known of the endpoint, unless another call changed that meanwhile."""
        if self.line.capabilities is not used:
            return outcome
        if self.request.is_label:
            if isinstance(outcome, (Delivered, ModelMistake)) and outcome.reply.tokens is None:
                self.line.learn(replace(used, logprobs=False))
            return outcome
        judged = negotiation.judged(outcome, used, self.request, self.line.has_answered)
        if isinstance(judged, (Delivered, ModelMistake)):
            self.line.capabilities = negotiation.after_reply(used, self.request, judged)
        return judged

    async def _record(self, outcome: Outcome, body: Body, used: Capabilities, began: float, reservation: Reservation) -> None:
        """Charge the budget and log the attempt, also when the call is cancelled meanwhile: a paid reply is logged."""
        ended = self.clock.now()
        said = self.request.skin.body(body)
        logged, form = logged_body(said, self.request.model.parameters), self.request.form_under(used)
        charge = self._charge(outcome, reservation)
        attempt = Attempt(self.number, logged, form, used, outcome, ended - began, began, ended, *charge)
        task = asyncio.ensure_future(self.on_attempt(attempt))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await task
            raise

    def _charge(self, outcome: Outcome, reservation: Reservation) -> tuple[float | None, int, bool]:
        """Settle the reservation: USD, tokens, and whether they are an estimate."""
        reply, is_answer = outcome.reply, isinstance(outcome, (Delivered, ModelMistake))
        if reply is not None and (is_answer or reply.cost or reply.usage.total):
            self.budget.settle(reservation, reply.cost, reply.usage.total)
            return reply.cost, reply.usage.total, reply.usage.estimated
        if isinstance(outcome, Infrastructure) and outcome.billed:
            return *self.budget.settle_unknown(reservation), True
        self.budget.settle(reservation, 0.0, 0, is_answer=False)
        return 0.0, 0, False

    def _learn_no_logprobs(self, refused: Refused | None) -> None:
        """Learn that log-probabilities are refused. Before the first answer anything else may be to blame."""
        if self.line.has_answered or (refused is not None and refused.parameters & {"logprobs", "top_logprobs"}):
            self.line.learn(replace(self.line.capabilities, logprobs=False))

    def _adapts(self, refusal: Configuration, used: Capabilities) -> bool:
        if (refused := refusal.refused) is None:
            return False
        if self.line.capabilities is not used:
            return True
        is_of_this_prompt = refused.room is not None and refused.room.context is not None  # and not of the endpoint
        if self.request.model.rated and self.line.has_answered and not is_of_this_prompt:
            return False
        keeps = self.line.has_answered or self.request.keeps_form
        capabilities = negotiation.adapted(used, self.request, refused, keeps)
        return capabilities is not None and self.line.learn(capabilities)

    def _outage(self, failure: Infrastructure) -> TabletopError:
        times = f"{self.number} attempts" if self.number > 1 else "one attempt"
        why = f"{self._who()} gave no answer in {times}; the last: {failure.why}."
        if failure.kind in _BY_PROMPT:
            return InputRefused(why, failure.kind)
        if failure.kind == "other_model":
            return AccountProblem(f"{self._who()}: {failure.why}", failure.kind, "model")
        now = self.clock.today()
        if failure.retry_after and (at := reset_time(now + failure.retry_after, now)):
            why += f" It takes calls again at {at}."
        elif failure.kind in _THROTTLED:
            why += " It does not say how long to wait: try again in some minutes."
        return Outage(why, failure.kind)

    async def _problem(self, refusal: Configuration) -> TabletopError:
        """What ends the call, and blocks all others that it concerns."""
        of_form = refusal.refused is not None
        if (of_form and self.request.keeps_form) or (self.request.quotes_others and (of_form or refusal.kind == "forbidden")):
            is_guess = not (self.request.keeps_form or self.line.has_answered)
            if is_guess and self.known is not None:  # it may be what others wrote: nothing was learnt
                self.line.learn(self.known)
            return InputRefused(f"{self._who()}: {refusal.why}", refusal.kind, of_form)
        sentence = SENTENCES.get(refusal.kind, "the request was refused")
        model = self.request.model
        if not model.key and (refusal.kind == "key_refused" or (refusal.kind == "forbidden" and model.withheld)):
            sentence = model.why_no_key
        words = sentence.replace("{variable}", model.key_variable or "the configuration")
        words = words.replace("{address}", without_password(model.base_url))
        why = f"{self._who()}: {words} ({refusal.why})"
        if refusal.kind == "no_such_model":
            why += nearest_in_words(await self.listed(), model.name)
        if refusal.kind in _TOO_LONG:
            return PromptTooLong(why, refusal.kind, refusal.stops)
        if refusal.kind in _LIMITS and refusal.until is None:
            why += "; it does not say when this ends."
        problem = AccountProblem(why, refusal.kind, refusal.stops, refusal.until)
        now = self.clock.today()
        if refusal.until is not None and refusal.until > now:
            why += f"; the limit ends at {reset_time(refusal.until, now)}."
            problem = LimitReached(why, refusal.kind, refusal.stops, refusal.until)
        self.line.block(problem)
        return problem

    def _who(self) -> str:
        model = self.request.model
        return model.name if model.connector else f"{model.name} at {host_of(model.base_url)}"
