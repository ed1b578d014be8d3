"""HTTP server: an application on one port, whose connections are bounded, until it is stopped."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from runner.errors import refused

HOST = "127.0.0.1"

WHOLE_WITHIN = 10.0
"""Seconds after which a request has to be whole; the next look closes a connection on which it still is not."""

_NOT_WHOLE = (h11.IDLE, h11.SEND_BODY)
"""What a client has still to send: the head of a request, its body."""

_GRACE = 2
"""Seconds that requests under way have when the server stops."""


async def serve_http(
    app: Callable[[int], ASGIApp],
    host: str,
    port: int,
    stop: Callable[[], Coroutine[None, None, None]],
    on_ready: Callable[[int], None],
    most: int | None = None,
) -> None:
    """Serve the application of a port until `stop` returns. Port 0 takes a free one; `on_ready` gets it. `most` connections are
    served at once. UsageError for an address that cannot be listened on."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else "there is no such address"
        raise refused(f"Cannot listen on port {port} of {host}: {why}.", error) from error
    with listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            app(port),
            http=BoundedProtocol,
            log_config=None,
            access_log=False,
            limit_concurrency=most,
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
            lifespan="on",
        )
        http = uvicorn.Server(config)
        http.capture_signals = nullcontext  # type: ignore[method-assign, assignment] # the command handles signals itself
        serving = asyncio.create_task(http.serve(sockets=[listening]))
        on_ready(port)
        stopped = asyncio.create_task(stop())
        await asyncio.wait([serving, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        http.should_exit = True
        await serving


class BoundedProtocol(H11Protocol):
    """HTTP on one connection. Calls under way may take as long as they like."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in H11Protocol
        """Look after the connection until it is closed."""
        super().connection_made(transport)
        self._look_again()

    def _look_again(self) -> None:
        self.loop.call_later(WHOLE_WITHIN, self._look, self.cycle, self.conn.their_state)

    def _look(self, request: Any, state: Any) -> None:
        """Close the connection if it waits for the same request as before."""
        if self.transport.is_closing():
            return
        if self.cycle is request and self.conn.their_state is state and state in _NOT_WHOLE:
            self.transport.abort()
        else:
            self._look_again()
