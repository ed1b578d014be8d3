"""What the tests of the model layer share: a model at a server, a clock that does not wait, a call that keeps its attempts."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

from runner.llm.budget import Budget
from runner.llm.call import Attempt, RetryPolicy
from runner.llm.client import Client
from runner.llm.outcome import Outcome
from runner.llm.rate_limiter import Clock
from runner.llm.request import AnswerForm, Model, Request

KEY = "canary-8f31c2d9e7-do-not-show"

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"card": {"type": "string", "enum": ["owl", "key", "tide"], "description": "a card of your hand"}},
    "required": ["card"],
    "additionalProperties": False,
}

MESSAGES = ({"role": "system", "content": "You play a game."}, {"role": "user", "content": "Choose a card."})


@dataclass
class SkippingClock:
    """Time that passes at once when one sleeps; `slept` remembers for how long."""

    offset: float = 0.0
    slept: list[float] = field(default_factory=list)

    def clock(self) -> Clock:
        return Clock(now=self.now, today=lambda: time.time() + self.offset, sleep=self.sleep)

    def now(self) -> float:
        return time.monotonic() + self.offset

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.offset += seconds
        await asyncio.sleep(0)


def model(base_url: str, **changes: Any) -> Model:
    settings = {"name": "vendor/model", "key": KEY, "key_variable": "TEST_KEY", "time_limit": 5.0, **changes}
    return Model(base_url=base_url, **settings)


def request(of: Model, form: AnswerForm = AnswerForm.STRICT_SCHEMA) -> Request:
    return Request(of, MESSAGES, SCHEMA, form)


@dataclass
class Asked:
    """A call that has ended: its attempts, and its outcome or the error that stopped it."""

    attempts: list[Attempt]
    end: Outcome | Exception

    @property
    def kinds(self) -> list[str]:
        return [attempt.outcome.kind for attempt in self.attempts]


async def ask(
    of: Model,
    form: AnswerForm = AnswerForm.STRICT_SCHEMA,
    *,
    policy: RetryPolicy | None = None,
    time: SkippingClock | None = None,
    budget: Budget | None = None,
) -> Asked:
    """One call with a client of its own, and time that does not wait."""
    clock = (time or SkippingClock()).clock()
    async with Client(budget=budget, policy=policy, clock=clock, chance=random.Random(1)) as client:
        return await ask_with(client, request(of, form))


async def ask_with(client: Client, question: Request) -> Asked:
    attempts: list[Attempt] = []

    async def keep(attempt: Attempt) -> None:
        attempts.append(attempt)

    try:
        end: Outcome | Exception = await client.complete(question, on_attempt=keep)
    except Exception as stopped:
        end = stopped
    return Asked(attempts, end)
