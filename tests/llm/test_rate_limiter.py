"""The rate limiter: order, pauses, adapting to quotas, blocking. Time passes in the tests' clock only."""

from __future__ import annotations

import asyncio

import pytest

from runner.llm.outcome import AccountProblem, Outage
from runner.llm.rate_limiter import Priority, RateLimiter
from tests.llm.support import SkippingClock


def limiter(most: int = 4, longest_wait: float = 100.0) -> tuple[RateLimiter, SkippingClock]:
    time = SkippingClock()
    return RateLimiter(most, longest_wait, time.clock()), time


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_lets_in_as_many_as_it_may_in_the_order_they_came() -> None:
    limits, _ = limiter(2)
    entered: list[int] = []

    async def caller(number: int) -> None:
        await limits.acquire()
        entered.append(number)

    tasks = [asyncio.create_task(caller(number)) for number in range(5)]
    await settle()
    assert entered == [0, 1]
    limits.release()
    await settle()
    assert entered == [0, 1, 2]
    limits.release()
    limits.release()
    await asyncio.gather(*tasks)
    assert entered == [0, 1, 2, 3, 4]


async def test_those_who_come_again_go_before_newcomers() -> None:
    limits, _ = limiter(1)
    await limits.acquire()
    entered: list[str] = []

    async def caller(name: str) -> None:
        await limits.acquire(Priority[name.split()[0]])
        entered.append(name)
        limits.release()

    tasks = [asyncio.create_task(caller(name)) for name in ("NEW 1", "NEW 2", "THROTTLED 1", "FAILED 1", "THROTTLED 2")]
    await settle()
    limits.release()
    await asyncio.gather(*tasks)
    assert entered == ["FAILED 1", "THROTTLED 1", "THROTTLED 2", "NEW 1", "NEW 2"]


async def test_a_pause_holds_everybody_as_long_as_told() -> None:
    limits, time = limiter()
    limits.throttle(30.0, time.now())
    await limits.acquire()
    assert sum(time.slept) == pytest.approx(30.0, abs=0.1)


async def test_a_longer_pause_told_meanwhile_counts() -> None:
    limits, time = limiter()
    limits.throttle(5.0, time.now())
    limits.throttle(60.0, time.now())
    limits.throttle(1.0, time.now())
    await limits.acquire()
    assert sum(time.slept) == pytest.approx(60.0, abs=0.1)


async def test_a_pause_beyond_patience_is_an_outage_and_holds_no_place() -> None:
    limits, time = limiter(1)
    limits.throttle(500.0, time.now())
    with pytest.raises(Outage):
        await limits.acquire()
    assert limits.in_flight == 0


async def test_narrows_once_for_the_calls_under_way_and_widens_with_success() -> None:
    limits, time = limiter(64)
    began = time.now()
    for _ in range(16):
        await limits.acquire()
    for _ in range(16):
        limits.throttle(0.0, began)
    assert limits.limit == 8
    for _ in range(16):
        limits.release()
        limits.raise_limit()
    assert limits.limit == 12
    for _ in range(300):
        limits.raise_limit()
    assert limits.limit == 64


async def test_never_narrows_to_nothing() -> None:
    limits, time = limiter(4)
    await limits.acquire()
    for _ in range(20):
        time.offset += 1
        limits.throttle(0.0, time.now())
    assert limits.limit == 1


async def test_refused_for_good_stops_those_who_come_and_those_who_wait() -> None:
    limits, _ = limiter(1)
    await limits.acquire()
    waiting = [asyncio.create_task(limits.acquire()) for _ in range(3)]
    await settle()
    limits.problem = AccountProblem("no such key", "key_refused", "key")
    limits.release()
    ends = await asyncio.gather(*waiting, limits.acquire(), return_exceptions=True)
    assert all(isinstance(end, AccountProblem) for end in ends)
    assert limits.in_flight == 0


async def test_a_refusal_with_an_end_ends() -> None:
    limits, time = limiter()
    limits.problem = AccountProblem("quota", "daily_quota", "model", until=time.clock().today() + 50)
    with pytest.raises(AccountProblem):
        await limits.acquire()
    time.offset += 60
    await limits.acquire()


async def test_cancelled_waiters_leave_no_gap() -> None:
    limits, _ = limiter(1)
    await limits.acquire()
    first, second = (asyncio.create_task(limits.acquire()) for _ in range(2))
    await settle()
    first.cancel()
    limits.release()
    await settle()
    assert second.done()
    assert limits.in_flight == 1


async def test_a_waiter_cancelled_just_as_its_turn_came_passes_it_on() -> None:
    limits, _ = limiter(1)
    await limits.acquire()
    first, second = (asyncio.create_task(limits.acquire()) for _ in range(2))
    await settle()
    limits.release()
    first.cancel()
    await settle()
    assert first.cancelled()
    assert second.done()
    assert limits.in_flight == 1
