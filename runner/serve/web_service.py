"""Web service: one run of the web server, from its start until a signal comes."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from starlette.types import ASGIApp

from runner.agents.environment import Environment
from runner.child_processes import available_cpus
from runner.errors import UsageError
from runner.interrupts import STOP, on_signals
from runner.serve.http_server import serve_http
from runner.serve.match_host import HostLimits
from runner.serve.web_app import web_app
from runner.serve.web_host import WebHost
from runner.worker_processes import ProcessPool

_EVERYWHERE = ("0.0.0.0", "::")


async def serve_web(
    environment: Environment,
    limits: HostLimits,
    address: ServerAddress,
    on_ready: Callable[[list[str], list[str]], None],
    *,
    adopts: bool = False,
) -> list[Path]:
    """Serve the tables of a folder; the logs of the matches that are paused at the end. `on_ready` gets the lobby's addresses,
    and a sentence for each match that cannot be resumed. `adopts` as in WebHost. UsageError for an address that is not free."""
    signalled, paused = asyncio.Event(), list[Path]()
    on_signals(signalled.set, *STOP, signal.SIGHUP)
    with closing(ProcessPool(available_cpus())) as processes:
        tables = WebHost(environment, limits, processes, adopts=adopts)

        async def stop() -> None:
            await signalled.wait()
            paused.extend(await tables.close())

        def app(port: int) -> ASGIApp:
            return web_app(tables, *address.names(port))

        def ready(port: int) -> None:
            on_ready([f"{shown}/h/{tables.own_link}" for shown in address.shown(port)], [*tables.troubles.values()])

        try:
            await tables.go_on_with_all()
            await serve_http(app, address.host, address.port, stop, ready, is_proxied=address.is_proxied)
        finally:
            paused += await tables.close()
    return paused


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server listens. `url` is how browsers reach it, where that is another address; `is_proxied`: a proxy of this
    machine says where requests come from."""

    host: str
    port: int
    url: str = ""
    is_proxied: bool = False

    @classmethod
    def of(cls, host: str, port: int, url: str | None, is_proxied: bool) -> ServerAddress:
        """The address of a command line. UsageError for a URL that is none of a whole server."""
        found = urlsplit(url or "")
        if url and (found.scheme not in ("http", "https") or not found.netloc or found.path.strip("/") or found.query):
            raise UsageError(f"--url {url}: give the address of the server alone, as https://tabletop.example.org.")
        return cls(host, port, f"{found.scheme}://{found.netloc}" if url else "", is_proxied)

    def shown(self, port: int) -> list[str]:
        """The addresses by which browsers reach the server: of this machine, or of its network if it listens there."""
        if self.url:
            return [self.url]
        is_six = ":" in self.host
        hosts = [socket.gethostname(), network_address(is_six)] if self.host in _EVERYWHERE else [self.host]
        return [f"http://{f'[{name}]' if ':' in name else name}:{port}" for name in hosts if name]

    def names(self, port: int) -> tuple[frozenset[str], bool]:
        """The names and ports by which the server may be called, and whether any IP address is one."""
        is_everywhere = self.host in _EVERYWHERE
        names = {"127.0.0.1", "localhost", "[::1]", f"[{self.host}]" if ":" in self.host else self.host}
        names |= {socket.gethostname(), f"{socket.gethostname()}.local"} if is_everywhere else set()
        own = frozenset(f"{name}:{port}" for name in names)
        return own | {urlsplit(self.url).netloc} if self.url else own, is_everywhere


def network_address(is_six: bool) -> str:
    """The IP address of this machine in its network, empty without one: that of a socket to elsewhere, which sends nothing."""
    family, elsewhere = (socket.AF_INET6, "2001:db8::1") if is_six else (socket.AF_INET, "192.0.2.1")
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((elsewhere, 9))
        return str(probe.getsockname()[0])
    return ""
