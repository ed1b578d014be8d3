"""MCP over HTTP on the loopback address, for several clients, with a bearer token."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

from runner.errors import UsageError

HOST = "127.0.0.1"
PATH = "/mcp"
LONGEST_BODY = 256 * 1024
"""Bytes of a request's body."""

_GRACE = 2
"""Seconds that calls under way have when the server stops."""


async def serve_http(
    server: Server[Any], port: int, token: str, stop: Callable[[], Coroutine[None, None, None]], on_ready: Callable[[str], None]
) -> None:
    """Serve until `stop` returns. Port 0 takes a free one; `on_ready` gets the URL. UsageError for one that is taken."""
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            _app(server, port, token), log_config=None, access_log=False, timeout_graceful_shutdown=_GRACE, lifespan="on"
        )
        http = uvicorn.Server(config)
        http.capture_signals = nullcontext  # the command handles signals itself
        serving = asyncio.create_task(http.serve(sockets=[listening]))
        on_ready(f"http://{HOST}:{port}{PATH}")
        stopped = asyncio.create_task(stop())
        await asyncio.wait([serving, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        http.should_exit = True
        await serving


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        raise UsageError(f"Cannot listen on port {port} of {HOST}: {os.strerror(error.errno or 0)}.") from error


def _app(server: Server[Any], port: int, token: str) -> Starlette:
    """The application: no token, no entry; no other Host, and no page of another Origin. No CORS headers."""
    names = [f"{name}:{port}" for name in (HOST, "localhost")]
    return server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LONGEST_BODY,
        transport_security=TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]),
        auth=AuthSettings(issuer_url=AnyHttpUrl(f"http://{names[0]}"), resource_server_url=None),
        token_verifier=OneToken(token),
    )


class OneToken:
    """Knows one token."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token's holder; None for any other token."""
        if not secrets.compare_digest(token.encode(), self._token.encode()):
            return None
        return AccessToken(token=token, client_id="client", scopes=[])
