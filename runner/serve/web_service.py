"""Web service: one run of the web server, from its start until a signal comes."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from starlette.types import ASGIApp

from runner.agents.environment import Environment
from runner.child_processes import available_cpus
from runner.interrupts import STOP, on_signals
from runner.serve.http_server import serve_http
from runner.serve.match_host import HostLimits
from runner.serve.web_app import web_app
from runner.serve.web_host import WebHost
from runner.worker_processes import ProcessPool

MOST_CONNECTIONS = 1000
_EVERYWHERE = ("0.0.0.0", "::")


async def serve_web(
    environment: Environment, limits: HostLimits, host: str, port: int, on_ready: Callable[[str, list[str]], None]
) -> list[Path]:
    """Serve the tables of a folder; the logs of the matches that are paused at the end. `on_ready` gets the address of the
    lobby, and a sentence for each match that cannot go on. UsageError for an address that cannot be listened on."""
    signalled, paused = asyncio.Event(), list[Path]()
    on_signals(signalled.set, *STOP, signal.SIGHUP)
    with closing(ProcessPool(available_cpus())) as processes:
        tables = WebHost(environment, limits, processes)

        async def stop() -> None:
            await signalled.wait()
            paused.extend(await tables.close())

        def app(port: int) -> ASGIApp:
            return web_app(tables, *names_of(host, port))

        def ready(port: int) -> None:
            told = [f"{name}: {why}" for name, why in tables.troubles.items()]
            on_ready(f"{address_of(host, port)}/h/{tables.own_link}", told)

        try:
            await tables.go_on_with_all()
            await serve_http(app, host, port, stop, ready, MOST_CONNECTIONS)
        finally:
            paused += await tables.close()
    return paused


def address_of(host: str, port: int) -> str:
    """The address by which a browser of this machine reaches a server, or one of its network if it listens there."""
    shown = socket.gethostname() if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def names_of(host: str, port: int) -> tuple[frozenset[str], bool]:
    """The names and ports by which a server on an address may be called, and whether any IP address is one."""
    is_everywhere = host in _EVERYWHERE
    names = {"127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host}
    names |= {socket.gethostname(), f"{socket.gethostname()}.local"} if is_everywhere else set()
    return frozenset(f"{name}:{port}" for name in names), is_everywhere
