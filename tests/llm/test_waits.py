"""Waits that endpoints ask for: in headers, in fields and in words. None of them takes the back-off away."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from runner.llm.budget import Budget
from runner.llm.outcome import Delivered, Outage
from runner.llm.rate_limiter import RateLimiter, reset_time
from runner.llm.wire.error_object import parse_error, retry_after
from tests.llm.odd_server import OddServer, Play, error, reply
from tests.llm.support import SkippingClock, ask, model
from tests.llm.test_retry import POLICY

NOW = 1_800_000_000.0
PAST, SOON, LATER = (formatdate(NOW + seconds, usegmt=True) for seconds in (-60, 30, 90))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": PAST}, 0.0),
        ({"retry-after": SOON}, 30.0),
        ({"retry-after": "1, 3"}, 3.0),
        ({"retry-after": "3,1"}, 3.0),
        ({"retry-after": "soon, 4"}, 4.0),
        ({"retry-after": f"{SOON}, {LATER}"}, 90.0),
        ({"retry-after": f"120, {LATER}"}, 120.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "0", "retry-after": "2"}, 2.0),
        ({"retry-after-ms": "2500", "retry-after": "2"}, 2.5),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
    ],
    ids=str,
)
def test_the_longest_wait_of_all_headers_counts(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Resource exhausted. Please retry in 2.1s.", 2.1),
        ("Please retry in 39.367634s", 39.367634),
        ("Rate limit reached: Limit 3, Used 3. Please try again in 20s. Visit the page", 20.0),
        ("Please try again in 120ms.", 0.12),
        ("Please try again in 6m0s.", 360.0),
        ("Please try again in 1h2m3.5s.", 3723.5),
        ("Please retry after 10 seconds.", 10.0),
        ("Please wait 1 minute, 5 seconds before you ask again", 65.0),
        ("Try again in 2 days", 172_800.0),
        ("You made 20 requests in 1 minute, which is more than 15 retries", None),
        ("Please retry later. Limit: 5 requests in 1 minute", None),
        ("Please try again in 5 attempts", None),
    ],
)
def test_a_wait_in_words_counts(words: str, seconds: float | None) -> None:
    assert parse_error({"error": {"message": words}}, 429, {}, NOW).wait == (seconds and pytest.approx(seconds))


def test_the_longest_wait_of_headers_fields_and_words_counts() -> None:
    document = error(429, "Please retry in 7s", availability={"retry_after": 5})
    assert parse_error(document, 429, {"retry-after": "0"}, NOW).wait == 7.0
    assert parse_error(document, 429, {"retry-after": "9"}, NOW).wait == 9.0


@pytest.mark.parametrize("failures", [2, 5, 40])
@pytest.mark.parametrize("jitter", [0.0, 0.5, 0.999])
@pytest.mark.parametrize("told", [0.0, 0.1, 3.0, 40.0])
def test_a_told_wait_never_shortens_the_back_off_from_the_second_failure_on(failures: int, jitter: float, told: float) -> None:
    assert POLICY.wait(failures, told, jitter) >= max(told, POLICY.wait(failures, None, jitter))


def test_a_first_failure_is_repeated_when_its_endpoint_says() -> None:
    assert POLICY.wait(1, 0.0, 0.999) < 0.5


def throttled(**headers: str) -> Play:
    return reply(error(429), 429, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    "play",
    [
        throttled(retry_after="0"),
        throttled(retry_after=formatdate(0, usegmt=True)),
        throttled(retry_after_ms="0"),
        throttled(retry_after_ms="0", retry_after="0"),
        throttled(x_ratelimit_remaining="0", x_ratelimit_reset="0"),
    ],
    ids=["0", "a date in the past", "0 ms", "both 0", "a quota that has reset"],
)
async def test_forty_attempts_take_minutes_whatever_the_endpoint_says(play: Play) -> None:
    time = SkippingClock()
    async with OddServer(after=play) as server:
        asked = await ask(model(server.base_url), time=time)
    assert isinstance(asked.end, Outage)
    assert len(asked.attempts) == POLICY.throttled_attempts
    assert time.offset > 600.0
    assert "in 0 s" not in str(asked.end)
    assert str(asked.end).endswith("It does not say how long to wait: try again in some minutes.")


async def test_a_limit_in_words_alone_is_waited_for() -> None:
    """The quota of a minute at Gemini, as a proxy passes it on: nothing but its sentence, which mentions plan and billing."""
    words = "You exceeded your current quota, please check your plan and billing details. Please retry in 21.5s."
    time = SkippingClock()
    async with OddServer([reply(error(429, words), 429)]) as server:
        asked = await ask(model(server.base_url), time=time, budget=Budget())
    assert asked.kinds == ["throttled", "delivered"]
    assert isinstance(asked.end, Delivered)
    assert time.offset > 21.0


async def test_a_wait_of_nothing_still_holds_the_other_calls_for_a_moment() -> None:
    time = SkippingClock()
    limits = RateLimiter(4, 100.0, time.clock())
    limits.throttle(0.0, time.now())
    await limits.acquire()
    assert time.offset == pytest.approx(0.5, abs=0.1)


def test_no_sentence_says_that_something_ends_in_0_s() -> None:
    assert reset_time(NOW + 0.2, NOW).endswith(", in 1 s")
    assert reset_time(NOW + 2.2, NOW).endswith(", in 2 s")
