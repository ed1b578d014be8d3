"""HTTP server: an application on one port, until it is stopped. Connections are bounded in all, by address and in rate."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import resource
import socket
import sys
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from functools import partial
from time import monotonic
from typing import Any, Protocol

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from runner.errors import refused

HOST = "127.0.0.1"

HEAD_WITHIN = 3.0
"""Seconds that a client has for the head of a request."""

WHOLE_WITHIN = 10.0
"""Seconds after which a request has to be whole; the next look closes a connection on which it still is not."""

PER_SECOND, AT_ONCE = 40.0, 300.0
"""Connections, and requests, of an address: per second in the long run, and at once."""

_BACKLOG = 64
"""Connections that are accepted in one go: they have descriptors before the limits are asked."""

_QUEUE = 4096
"""Connections that the system keeps for the server. A client beyond it tries again only after seconds."""

_NOT_WHOLE = (h11.IDLE, h11.SEND_BODY)
"""What a client has still to send: the head of a request, its body."""

_GRACE = 2
"""Seconds that requests under way have when the server stops."""

_TOLD_EVERY = 60.0
"""Seconds between two lines on standard error that say the same."""


async def serve_http(
    app: Callable[[int], ASGIApp],
    host: str,
    port: int,
    stop: Callable[[], Coroutine[None, None, None]],
    on_ready: Callable[[int], None],
    *,
    is_proxied: bool = False,
) -> None:
    """Serve the application of a port until `stop` returns. Port 0 takes a free one; `on_ready` gets it. `is_proxied`: a proxy
    of this machine says where requests come from. UsageError for an address that cannot be listened on."""
    with _listening(host, port) as listening:
        port = listening.getsockname()[1]
        most = most_connections()
        rate = AddressRate(1e6 if is_proxied else PER_SECOND, AT_ONCE)
        listening.limits = Connections(most, most if is_proxied else min(most, MOST_OF_ONE), rate)
        config = uvicorn.Config(
            app(port),
            http=partial(BoundedProtocol, listening.limits),  # type: ignore[arg-type] # it is called as the class is
            log_config=None,
            log_level="error",  # that a stranger sends nonsense is worth no line
            access_log=False,
            backlog=_BACKLOG,
            proxy_headers=is_proxied,
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
            lifespan="on",
        )
        http = _Http(config)
        asyncio.get_running_loop().set_exception_handler(_Troubles().tell)
        serving = asyncio.create_task(http.serve(sockets=[listening]))
        on_ready(port)
        stopped = asyncio.create_task(stop())
        await asyncio.wait([serving, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        http.should_exit = True
        await serving


def _listening(host: str, port: int) -> BoundedSocket:
    found = BoundedSocket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if found.family == socket.AF_INET6:
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        found.bind((host, port))
        found.listen()
    except OSError as error:
        found.close()
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else "there is no such address"
        raise refused(f"Cannot listen on port {port} of {host}: {why}.", error) from error
    return found


class _Http(uvicorn.Server):
    def capture_signals(self) -> nullcontext[None]:  # type: ignore[override] # a context manager of another kind, used as one
        """Nothing: the command handles signals itself."""
        return nullcontext()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, with a longer queue of connections than are accepted in one go."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_QUEUE)


class _Troubles:
    """Says that connections cannot be accepted once a minute, not a thousand times a second."""

    def __init__(self) -> None:
        self._told = float("-inf")

    def tell(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """The handler of an event loop's exceptions."""
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
            loop.default_exception_handler(context)
        elif monotonic() - self._told >= _TOLD_EVERY:
            self._told = monotonic()
            sys.stderr.write(f"The server cannot accept connections: {error.strerror}. It tries again.\n")


class BoundedProtocol(H11Protocol):
    """HTTP on one connection. Calls under way may take as long as they like."""

    def __init__(self, open_ones: Connections, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._open_ones = open_ones
        self.descriptor = -1

    @property
    def is_whole(self) -> bool:
        """Whether a whole request is being answered."""
        return self.cycle is not None and self.conn.their_state not in _NOT_WHOLE

    def drop(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in H11Protocol
        """Look after the connection until it is closed."""
        super().connection_made(transport)
        self.descriptor = transport.get_extra_info("socket").fileno()
        self._open_ones.enter(self)
        self.loop.call_later(HEAD_WITHIN, self._expect_head)
        self._look_again()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._open_ones.leave(self)
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        if self.cycle is None:
            self.drop()

    def _look_again(self) -> None:
        self.loop.call_later(WHOLE_WITHIN, self._look, self.cycle, self.conn.their_state)

    def _look(self, request: Any, state: Any) -> None:
        """Close the connection if it waits for the same request as before."""
        if self.transport.is_closing():
            return
        if self.cycle is request and self.conn.their_state is state and state in _NOT_WHOLE:
            self.drop()
        else:
            self._look_again()


MOST, MOST_OF_ONE = 500, 64
"""Connections at once: in all, and from one address."""

RESERVE = 200
"""File descriptors that matches keep for logs, models and programs."""

_LEAST = 16


class Connection(Protocol):
    """A connection of a client, by its file descriptor."""

    descriptor: int

    @property
    def is_whole(self) -> bool:
        """Whether the client has sent a whole request that the server now answers."""
        ...

    def drop(self) -> None:
        """Close it at once."""
        ...


class Connections:
    """The open connections. A new one beyond the limits takes the place of the oldest one without a whole request."""

    def __init__(self, most: int, most_of_one: int, rate: AddressRate) -> None:
        """`most_of_one`: the limit of each address."""
        self._most, self._most_of_one, self._rate = most, most_of_one, rate
        self._places: dict[int, str] = {}
        self._of = Counter[str]()
        self._open: dict[Connection, str] = {}

    def admit(self, address: str, descriptor: int) -> bool:
        """Whether an address may have one more connection, which then has a place by its descriptor."""
        self._free(descriptor)  # of one that was closed before it was entered
        if not self._rate.has_room(address):
            return False
        is_full = len(self._places) >= self._most
        if is_full or self._of[address] >= self._most_of_one:
            idle = (one for one, of in self._open.items() if not one.is_whole and (is_full or of == address))
            if (oldest := next(idle, None)) is None:
                return False
            self.leave(oldest)
            oldest.drop()
        self._places[descriptor] = address
        self._of[address] += 1
        return True

    def enter(self, one: Connection) -> None:
        """Take the place that an admitted connection has."""
        self._open[one] = self._places[one.descriptor]

    def leave(self, one: Connection) -> None:
        """Free the place of a connection, once."""
        if self._open.pop(one, None) is not None:
            self._free(one.descriptor)

    def _free(self, descriptor: int) -> None:
        if (address := self._places.pop(descriptor, None)) is not None:
            self._of[address] -= 1
            self._of += Counter()


class BoundedSocket(socket.socket):
    """A listening socket that closes connections beyond the limits before anything is made for them."""

    limits: Connections

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection within the limits. OSError as of a socket."""
        while True:
            connection, address = super().accept()
            if self.limits.admit(one_client(address[0]), connection.fileno()):
                return connection, address
            connection.close()


class AddressRate:
    """What an address may do: `per_second` times in the long run, `at_once` times in a moment (token bucket)."""

    _MOST_KNOWN = 1000

    def __init__(self, per_second: float, at_once: float) -> None:
        self.per_second, self.at_once = per_second, at_once
        self._seen: dict[str, tuple[float, float]] = {}

    def has_room(self, address: str) -> bool:
        """Whether an address may act once more."""
        now = monotonic()
        left, at = self._seen.pop(address, (self.at_once, now))
        left = min(self.at_once, left + (now - at) * self.per_second)
        if len(self._seen) >= self._MOST_KNOWN:
            self._seen.pop(next(iter(self._seen)))
        self._seen[address] = max(0.0, left - 1), now
        return left >= 1


def one_client(address: str) -> str:
    """What limits count as one address: an IPv6 network of 64 bits belongs to one subscriber (RFC 6177)."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4:
        return address
    mapped = found.ipv4_mapped
    return str(ipaddress.ip_network((found, 64), strict=False)) if mapped is None else str(mapped)


def most_connections() -> int:
    """How many connections the descriptors of this process allow, of which matches keep a reserve. Raises the soft limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + RESERVE if hard == resource.RLIM_INFINITY else min(MOST + RESERVE, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST if soft == resource.RLIM_INFINITY else max(_LEAST, min(MOST, soft - RESERVE))
