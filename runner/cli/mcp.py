"""`tabletop mcp`: an MCP server whose clients take seats."""

from __future__ import annotations

import asyncio
import secrets
import signal
import sys
from collections.abc import Coroutine
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.cli.lazy_groups import new_app
from runner.errors import PausedError, UsageError

if TYPE_CHECKING:
    from mcp.server import Server

    from runner.agents.environment import Settings
    from runner.serve.match_host import HostLimits

app = new_app()


@app.command()
def mcp(
    http: Annotated[
        int | None,
        typer.Option(
            "--http",
            help="Serve several clients on this port of 127.0.0.1 with a bearer token; 0 chooses a free port. [default: one"
            " client on standard input and output]",
            metavar="PORT",
            min=0,
            max=65535,
        ),
    ] = None,
    log_dir: Annotated[
        Path, typer.Option("--log-dir", help="Folder of the logs; only its logs can be resumed.", metavar="DIR")
    ] = Path("logs"),
    turn_seconds: Annotated[
        float,
        typer.Option(
            "--turn-seconds", help="Seconds that a client has for an answer; then the match pauses.", metavar="SECONDS", min=1
        ),
    ] = 1800,
    matches: Annotated[int, typer.Option("--matches", help="Most matches at once.", metavar="N", min=1, max=1000)] = 8,
    allow_seat: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-seat",
            help="A SPEC that clients may name beside bots, offline and mcp, once per SPEC: an address, a program, a function.",
            metavar="SPEC",
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            help="Lets clients name models of OpenRouter and agents of agents.toml, which cost at most this much in all.",
            metavar="USD",
        ),
    ] = None,
) -> None:
    """Let MCP clients such as coding agents take seats.

    A client begins a match with the tool new_match, in which "mcp" names its own seats.

    Examples: tabletop mcp · tabletop mcp --http 8765
    """
    from runner.cli.config_files import load_settings
    from runner.serve.match_host import HostLimits
    from runner.serve.seat_policy import SeatPolicy

    if budget is not None and not 0 < budget < float("inf"):
        raise UsageError(f"--budget {budget}: expected more than 0 USD.")
    if find_spec("mcp") is None:
        raise UsageError("`tabletop mcp` needs the extra mcp: pip install 'tabletop-runner[mcp]'.")
    settings = load_settings()
    policy = SeatPolicy.of(allow_seat or (), budget is not None, settings)
    paused = asyncio.run(_serve(settings, HostLimits(log_dir, turn_seconds, matches, policy, budget), http))
    if paused:
        logs = ", ".join(path.name for path in paused)
        raise PausedError(
            f"Paused: {logs}.", remedy="A server of the same --log-dir resumes each with the tool new_match, resume=NAME."
        )


async def _serve(settings: Settings, limits: HostLimits, port: int | None) -> list[Path]:
    """Serve until the client leaves or a signal comes; the logs of the matches that are paused then."""
    from runner.interrupts import STOP, on_signals
    from runner.serve.match_host import MatchHost
    from runner.serve.match_tools import MatchTools
    from runner.serve.mcp_server import mcp_server
    from runner.serve.mcp_stdio import serve_stdio

    signalled, host, paused = asyncio.Event(), MatchHost(settings, limits), list[Path]()
    on_signals(signalled.set, *STOP, signal.SIGHUP)

    async def stopped() -> None:
        """A signal has come, and the matches are paused: calls that wait for a turn are answered."""
        await signalled.wait()
        paused.extend(await host.close())

    try:
        if port is None:
            _say_what_stdio_is()
            await serve_stdio(mcp_server(MatchTools(host)), stopped())
        else:
            await _serve_http(mcp_server(MatchTools(host)), port, stopped())
    finally:
        paused += await host.close()
    return paused


def _say_what_stdio_is() -> None:
    """On a terminal, say that a client is expected there."""
    from runner.screen.consoles import print_note

    if sys.stdin.isatty():
        print_note("This is an MCP server: an MCP client starts it and speaks to it on standard input. Ctrl-C ends it.")


async def _serve_http(server: Server[Any], port: int, stopped: Coroutine[None, None, None]) -> None:
    from runner.screen.consoles import print_note
    from runner.serve.mcp_http import HOST, serve_http

    token = secrets.token_urlsafe(32)

    def announce(url: str) -> None:
        print_note(f"MCP server at {url}. Clients need the header\nAuthorization: Bearer {token}\nCtrl-C ends it.")

    try:
        await serve_http(server, port, token, stopped, announce)
    except OSError as error:
        raise UsageError(f"Cannot listen on port {port} of {HOST}: {error.strerror or error}.") from error
