"""Connections are bounded where they are accepted: strangers cannot take the place of those who play."""

from __future__ import annotations

import asyncio
import errno
import io
import resource
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

from runner.serve import http_server
from runner.serve.http_server import HOST, AddressRate, Connections, most_connections, one_client
from tests.patience import PATIENCE
from tests.serve.webs import Web, web


@dataclass(eq=False)
class Fake:
    """A connection."""

    address: str
    is_whole: bool = False
    is_open: bool = True
    descriptor: int = field(default_factory=count().__next__)

    def drop(self) -> None:
        self.is_open = False


def entered(limits: Connections, *new: Fake) -> list[bool]:
    found = list[bool]()
    for one in new:
        found.append(limits.admit(one.address, one.descriptor))
        if found[-1]:
            limits.enter(one)
    return found


def unhurried() -> AddressRate:
    return AddressRate(0.0, 1e6)


def test_an_address_beyond_its_limit_loses_its_oldest_connection_without_a_request() -> None:
    limits = Connections(10, 3, unhurried())
    mine, busy, idle, idler = Fake("b"), Fake("a", is_whole=True), Fake("a"), Fake("a")
    assert entered(limits, mine, busy, idle, idler) == [True] * 4
    assert entered(limits, Fake("a")) == [True]
    assert [one.is_open for one in (mine, busy, idle, idler)] == [True, True, False, True]


def test_a_connection_that_is_being_answered_is_never_dropped_for_another() -> None:
    limits = Connections(3, 2, unhurried())
    busy = [Fake(address, is_whole=True) for address in ("a", "a", "b")]
    assert entered(limits, *busy, Fake("a"), Fake("c")) == [True] * 3 + [False] * 2
    limits.leave(busy[0])
    assert entered(limits, Fake("c"), Fake("d")) == [True, True], "an idle one makes room for the next"
    assert all(one.is_open for one in busy)


def test_a_connection_that_was_closed_before_it_was_entered_keeps_no_place() -> None:
    limits = Connections(2, 2, unhurried())
    assert [limits.admit(address, 7) for address in "abcdef"] == [True] * 6, "the system gives the same descriptor again"
    assert limits.admit("g", 8)
    assert not limits.admit("g", 9)


def test_addresses_have_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(http_server, "monotonic", lambda: now)
    rate = AddressRate(2.0, 3.0)
    assert [rate.has_room("a") for _ in range(5)] == [True] * 3 + [False] * 2
    assert rate.has_room("b")
    now += 1.0
    assert [rate.has_room("a") for _ in range(3)] == [True, True, False]
    for number in range(2000):
        rate.has_room(str(number))
    assert len(rate._seen) <= 1000


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unix", "unix"),
    ],
)
def test_a_network_of_ipv6_is_one_client(address: str, client: str) -> None:
    assert one_client(address) == client


@pytest.mark.parametrize(
    ("limits", "most", "raised"),
    [
        ((256, 256), 56, None),
        ((1024, 4096), 500, None),
        ((256, 4096), 500, 700),
        ((300, 500), 300, 500),
        ((100, 100), 16, None),
    ],
)
def test_matches_keep_descriptors_of_their_own(
    limits: tuple[int, int], most: int, raised: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to = list[tuple[int, int]]()
    monkeypatch.setattr(resource, "getrlimit", lambda what: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda what, given: set_to.append(given))
    assert most_connections() == most
    assert [soft for soft, _ in set_to] == ([] if raised is None else [raised])


async def idle(server: Web, count: int, stack: AsyncExitStack, address: str) -> None:
    for _ in range(count):
        _, writer = await asyncio.open_connection(HOST, server.port, local_addr=(address, 0))
        stack.callback(writer.close)


@pytest.mark.parametrize("stranger", ["127.0.0.9", "127.0.0.1"])
async def test_idle_connections_of_a_stranger_keep_nobody_out(
    stranger: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "MOST_OF_ONE", 8)
    monkeypatch.setattr(http_server, "HEAD_WITHIN", 600.0)
    async with web(tmp_path) as server, AsyncExitStack() as stack:
        begun = await server.begin("coup", "ann=human", "bot:steady")
        ann = server.viewer(begun["seats"]["0"])
        picture = await ann.until(lambda seen: seen["turn"])
        await idle(server, 40, stack, stranger)
        async with asyncio.timeout(PATIENCE):
            assert (await ann.answer(picture, choice=0))["status"] == "ok"
            assert (await ann.until(lambda seen: seen["turn"]))["paused"] is None


async def test_a_head_that_does_not_come_closes_the_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "HEAD_WITHIN", 0.05)
    async with web(tmp_path) as server:
        for sent in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"):
            reader, writer = await asyncio.open_connection(HOST, server.port)
            writer.write(sent)
            async with asyncio.timeout(PATIENCE):
                assert await reader.read() == b""
            writer.close()


def test_a_limit_of_the_system_is_told_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    now, told = 100.0, http_server._Troubles()
    monkeypatch.setattr(http_server.sys, "stderr", said)
    monkeypatch.setattr(http_server, "monotonic", lambda: now)
    loop = asyncio.new_event_loop()
    for _ in range(1000):
        told.tell(loop, {"exception": OSError(errno.EMFILE, "Too many open files")})
    now += 61.0
    told.tell(loop, {"exception": OSError(errno.EMFILE, "Too many open files")})
    loop.close()
    assert said.getvalue() == "The server cannot accept connections: Too many open files. It tries again.\n" * 2
