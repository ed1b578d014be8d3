"""MCP service: one run of the server, from its start until its client leaves or a signal comes."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable
from pathlib import Path

from runner.agents.environment import Settings
from runner.interrupts import STOP, on_signals
from runner.serve.match_host import HostLimits, MatchHost
from runner.serve.match_tools import MatchTools
from runner.serve.mcp_http import serve_http
from runner.serve.mcp_server import mcp_server
from runner.serve.mcp_stdio import serve_stdio


async def serve(settings: Settings, limits: HostLimits, port: int | None, on_ready: Callable[[str, str], None]) -> list[Path]:
    """Serve over HTTP on a port, or with None over standard input and output; the logs of the matches that are paused then.

    `on_ready` gets the URL and the token of a server over HTTP. UsageError for a port that is taken.
    """
    signalled = asyncio.Event()
    on_signals(signalled.set, *STOP, signal.SIGHUP)
    host, paused = MatchHost(settings, limits), list[Path]()
    server, token = mcp_server(MatchTools(host)), secrets.token_urlsafe(32)

    async def stop() -> None:
        """Wait for a signal, and pause the matches: calls that wait for a turn are answered."""
        await signalled.wait()
        paused.extend(await host.close())

    try:
        if port is None:
            await serve_stdio(server, stop)
        else:
            await serve_http(server, port, token, stop, lambda url: on_ready(url, token))
    finally:
        paused += await host.close()
    return paused
