"""The retry policy: how often, how long, and that it always ends."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from runner.llm.call import Retries, RetryPolicy, TryAgain
from runner.llm.outcome import Delivered, Infrastructure, Outage
from tests.llm.odd_server import OddServer, completion, error, reply
from tests.llm.support import SkippingClock, ask, model

POLICY = RetryPolicy()


def test_waits_grow_with_jitter_up_to_a_limit() -> None:
    assert [POLICY.wait(failures, None, 0.999) for failures in (1, 2, 3)] == pytest.approx([0.5, 1.0, 2.0], rel=0.01)
    assert POLICY.wait(1, None, 0.0) == 0.25
    assert POLICY.wait(500, None, 0.999) == pytest.approx(30.0, rel=0.01)


@pytest.mark.parametrize("failures", [1, 5, 40])
@pytest.mark.parametrize("jitter", [0.0, 0.5, 0.999])
def test_never_waits_less_than_told_and_little_longer(failures: int, jitter: float) -> None:
    assert 40.0 <= POLICY.wait(failures, 40.0, jitter) <= 40.5


@pytest.mark.parametrize(
    ("kind", "most"), [("server_error", 8), ("timeout", 3), ("input_moderated", 2), ("other_model", 2), ("throttled", 40)]
)
async def test_gives_up_after_so_many(kind: str, most: int) -> None:
    failures: Counter[str] = Counter()
    failure = Infrastructure(kind, "why")
    for count in range(1, most + 1):
        failures[kind] += 1
        assert POLICY.gives_up(failures, failure) == (count == most)


async def test_different_failures_add_up_but_being_throttled_does_not() -> None:
    failures = Counter({"throttled": 30, "server_error": 4, "bad_gateway": 3})
    assert not POLICY.gives_up(failures, Infrastructure("bad_gateway", ""))
    assert POLICY.gives_up(failures + Counter(["web_page"]), Infrastructure("web_page", ""))


async def test_a_wait_in_the_course_of_a_call_is_backoff_not_a_busy_loop() -> None:
    time = SkippingClock()
    async with OddServer([reply(error(500), 500)] * 5) as server:
        asked = await ask(model(server.base_url), time=time)
    assert isinstance(asked.end, Delivered)
    assert len(time.slept) == 5
    assert all(later > earlier for earlier, later in pairwise(time.slept))


async def test_back_off_grows_from_what_the_last_one_really_took() -> None:
    time = SkippingClock()
    retries = Retries(RetryPolicy(first_backoff=0.1), time.clock(), Random(1))
    gaps: list[float] = []
    failed_at: float | None = None

    async def attempt() -> None:
        nonlocal failed_at
        time.offset += 5.0 if len(gaps) == 1 else 0.0
        retries.begin()
        if failed_at is not None:
            gaps.append(time.now() - failed_at)
        failed_at = time.now()
        failure = Infrastructure("server_error", "")
        if retries.fail(failure):
            raise Outage("enough", "server_error")
        raise TryAgain(failure)

    with pytest.raises(Outage):
        await retries.run(attempt)
    assert gaps[1] > 5.0
    longest = RetryPolicy().longest_backoff
    assert all(later >= min(earlier * 1.4, longest) for earlier, later in pairwise(gaps[1:]))


async def test_says_what_was_wrong_and_how_often_it_tried() -> None:
    async with OddServer(after=reply(error(503, "no capacity", provider_name="Acme"), 503)) as server:
        asked = await ask(model(server.base_url))
    assert isinstance(asked.end, Outage)
    assert "8 attempts" in str(asked.end)
    assert "no capacity" in str(asked.end)
    assert "Acme" in str(asked.end)


async def test_attempts_are_told_before_the_next_one_is_made() -> None:
    async with OddServer([reply(error(500), 500)]) as server:
        asked = await ask(model(server.base_url))
    assert [attempt.number for attempt in asked.attempts] == [1, 2]
    assert asked.attempts[0].ended <= asked.attempts[1].began
    assert asked.attempts[0].body == asked.attempts[1].body == server.bodies[0]


async def test_a_model_that_answers_is_not_asked_again() -> None:
    async with OddServer(after=reply(completion("no JSON at all"))) as server:
        asked = await ask(model(server.base_url))
    assert isinstance(asked.end, Delivered)
    assert len(server.bodies) == 1
