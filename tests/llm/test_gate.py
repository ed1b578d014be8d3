"""The gate: order, pauses, adapting to quotas, the breaker. Time does not pass but in the tests' clock."""

from __future__ import annotations

import asyncio

import pytest

from runner.llm.call_errors import AccountProblem, Outage
from runner.llm.rate_limiter import Gate, Rank
from tests.llm.support import SkippingClock


def gate(most: int = 4, longest_wait: float = 100.0) -> tuple[Gate, SkippingClock]:
    time = SkippingClock()
    return Gate(most, longest_wait, time.clock()), time


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_lets_in_as_many_as_it_may_in_the_order_they_came() -> None:
    door, _ = gate(2)
    entered: list[int] = []

    async def caller(number: int) -> None:
        await door.enter()
        entered.append(number)

    tasks = [asyncio.create_task(caller(number)) for number in range(5)]
    await settle()
    assert entered == [0, 1]
    door.leave()
    await settle()
    assert entered == [0, 1, 2]
    door.leave()
    door.leave()
    await asyncio.gather(*tasks)
    assert entered == [0, 1, 2, 3, 4]


async def test_those_who_come_again_go_before_newcomers() -> None:
    door, _ = gate(1)
    await door.enter()
    entered: list[str] = []

    async def caller(name: str) -> None:
        await door.enter(Rank[name.split()[0]])
        entered.append(name)
        door.leave()

    tasks = [asyncio.create_task(caller(name)) for name in ("NEW 1", "NEW 2", "THROTTLED 1", "FAILED 1", "THROTTLED 2")]
    await settle()
    door.leave()
    await asyncio.gather(*tasks)
    assert entered == ["FAILED 1", "THROTTLED 1", "THROTTLED 2", "NEW 1", "NEW 2"]


async def test_a_pause_holds_everybody_as_long_as_told() -> None:
    door, time = gate()
    door.hold(30.0, time.now())
    await door.enter()
    assert sum(time.slept) == pytest.approx(30.0, abs=0.1)


async def test_a_longer_pause_told_meanwhile_counts() -> None:
    door, time = gate()
    door.hold(5.0, time.now())
    door.hold(60.0, time.now())
    door.hold(1.0, time.now())
    await door.enter()
    assert sum(time.slept) == pytest.approx(60.0, abs=0.1)


async def test_a_pause_beyond_patience_is_an_outage_and_holds_no_place() -> None:
    door, time = gate(1)
    door.hold(500.0, time.now())
    with pytest.raises(Outage):
        await door.enter()
    assert door.in_flight == 0


async def test_narrows_once_for_the_calls_under_way_and_widens_with_success() -> None:
    door, time = gate(64)
    began = time.now()
    for _ in range(16):
        await door.enter()
    for _ in range(16):
        door.hold(0.0, began)
    assert door.limit == 8
    for _ in range(16):
        door.leave()
        door.widen()
    assert door.limit == 12
    for _ in range(300):
        door.widen()
    assert door.limit == 64


async def test_never_narrows_to_nothing() -> None:
    door, time = gate(4)
    await door.enter()
    for _ in range(20):
        time.offset += 1
        door.hold(0.0, time.now())
    assert door.limit == 1


async def test_refused_for_good_stops_those_who_come_and_those_who_wait() -> None:
    door, _ = gate(1)
    await door.enter()
    waiting = [asyncio.create_task(door.enter()) for _ in range(3)]
    await settle()
    door.refuse(AccountProblem("no such key", "key_refused", "key"))
    door.leave()
    ends = await asyncio.gather(*waiting, door.enter(), return_exceptions=True)
    assert all(isinstance(end, AccountProblem) for end in ends)
    assert door.in_flight == 0


async def test_a_refusal_with_an_end_ends() -> None:
    door, time = gate()
    door.refuse(AccountProblem("quota", "daily_quota", "model", until=time.clock().today() + 50))
    with pytest.raises(AccountProblem):
        await door.enter()
    time.offset += 60
    await door.enter()


async def test_cancelled_waiters_leave_no_gap() -> None:
    door, _ = gate(1)
    await door.enter()
    first, second = (asyncio.create_task(door.enter()) for _ in range(2))
    await settle()
    first.cancel()
    door.leave()
    await settle()
    assert second.done()
    assert door.in_flight == 1


async def test_a_waiter_cancelled_just_as_its_turn_came_passes_it_on() -> None:
    door, _ = gate(1)
    await door.enter()
    first, second = (asyncio.create_task(door.enter()) for _ in range(2))
    await settle()
    door.leave()
    first.cancel()
    await settle()
    assert first.cancelled()
    assert second.done()
    assert door.in_flight == 1
