"""HTTP server: an application on one port, whose connections are bounded, until it is stopped."""

import asyncio
import errno
import os
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from functools import partial
from time import monotonic
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from runner.errors import refused
from runner.serve.connection_limits import (
    MOST_OF_ONE,
    AddressRate,
    BoundedSocket,
    Connections,
    most_connections,
)

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
