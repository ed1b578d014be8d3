"""`tabletop mcp`: an MCP server whose clients take seats."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.errors import PausedError, UsageError

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
    from runner.screen.consoles import print_note
    from runner.serve.match_host import HostLimits
    from runner.serve.seat_policy import SeatPolicy

    if budget is not None and not 0 < budget < float("inf"):
        raise UsageError(f"--budget {budget}: expected more than 0 USD.")
    if find_spec("mcp") is None:
        raise UsageError("`tabletop mcp` needs the extra mcp: pip install 'tabletop-runner[mcp]'.")

    settings = load_settings()
    policy = SeatPolicy.of(allow_seat or (), budget is not None, settings)
    if http is None and sys.stdin.isatty():
        print_note("This is an MCP server: an MCP client starts it and speaks to it on standard input. Ctrl-C ends it.")
    from runner.serve.mcp_service import serve  # takes a second, and needs the extra

    limits = HostLimits(log_dir, turn_seconds, matches, policy, budget)
    paused = asyncio.run(serve(settings, limits, http, _announce))
    if paused:
        logs = ", ".join(path.name for path in paused)
        raise PausedError(
            f"Paused: {logs}.", remedy="A server of the same --log-dir resumes each with the tool new_match, resume=NAME."
        )


def _announce(url: str, token: str) -> None:
    from runner.screen.consoles import print_note

    print_note(f"MCP server at {url}. Clients need the header\nAuthorization: Bearer {token}\nCtrl-C ends it.")
