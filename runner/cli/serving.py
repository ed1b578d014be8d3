"""`tabletop serve`, `mcp` and `offline-server`: tables for browsers, seats for MCP clients, the offline model for programs."""

import asyncio
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from games.core import quoted
from runner.agents.config_files import seat_fault
from runner.agents.environment import Environment
from runner.agents.seat_kind import PACK
from runner.cli.options import UsdBudget
from runner.cli.output import say
from runner.errors import PausedError, UsageError
from runner.llm.address import Address
from runner.llm.offline import FAULTS
from runner.record.log_paths import LOGS
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean


def serve(
    log_dir: Path = LOGS,
    host: str = "127.0.0.1",
    port: int = 8420,
    matches: int = 100,
    allow_seat: list[str] | None = None,
    budget: UsdBudget = None,
    url: str | None = None,
    trust_proxy: bool = False,
    adopt: bool = False,
) -> None:
    """Play at a table in a browser: with models, bots, and people who get a link to their seat."""
    from runner.agents.spec import Human
    from runner.cli.command_environment import load_environment
    from runner.serve.match_host import HostLimits, SeatPolicy

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise UsageError("`tabletop serve` needs the extra web: pip install 'tabletop-runner[web]'.")
    from runner.serve.web_service import ServerAddress, serve_web

    environment = load_environment()
    policy = SeatPolicy.of(_seats(allow_seat, environment), budget is not None, environment, Human)

    def announce(lobbies: list[str], troubles: list[str]) -> None:
        say("\n".join(f"Lobby: {lobby}" for lobby in lobbies))
        print_note("Keep this link to yourself. Ctrl-C stops the server; the next start resumes its tables.")
        for trouble in troubles:
            print_note(clean(trouble, 2000))

    limits = HostLimits(log_dir, None, matches, policy, budget)
    address = ServerAddress.of(host, port, url, trust_proxy)
    paused = asyncio.run(serve_web(environment, limits, address, announce, adopts=adopt))
    _check_paused(paused, "The same command resumes them.")


def mcp(
    http: int | None = None,
    log_dir: Path = LOGS,
    turn_seconds: float = 1800,
    matches: int = 8,
    allow_seat: list[str] | None = None,
    budget: UsdBudget = None,
) -> None:
    """Let MCP clients such as coding agents take seats."""
    from runner.cli.command_environment import load_environment
    from runner.serve.match_host import HostLimits, SeatPolicy

    if find_spec("mcp") is None:
        raise UsageError("`tabletop mcp` needs the extra mcp: pip install 'tabletop-runner[mcp]'.")

    environment = load_environment()
    policy = SeatPolicy.of(_seats(allow_seat, environment), budget is not None, environment)
    if http is None and sys.stdin.isatty():
        print_note("This is an MCP server: an MCP client starts it and speaks to it on standard input. Ctrl-C ends it.")
    from runner.serve.mcp_service import serve  # takes a second, and needs the extra

    limits = HostLimits(log_dir, turn_seconds, matches, policy, budget)
    note = "MCP server at {}. Clients need the header\nAuthorization: Bearer {}\nCtrl-C ends it."
    paused = asyncio.run(serve(environment, limits, http, lambda url, token: print_note(note.format(url, token))))
    _check_paused(paused, "A server of the same folder resumes each with the tool new_match, resume=NAME.")


def _seats(allowed: Sequence[str] | None, environment: Environment) -> Sequence[str]:
    """The SPECs that may be seated. UsageError for one that no game takes."""
    for text in allowed or ():
        if not text.startswith(PACK) and (fault := seat_fault(text, environment)) is not None:
            raise UsageError(f"--allow-seat {quoted(text)}: {fault}")
    return allowed or ()


def _check_paused(paused: Sequence[Path], remedy: str) -> None:
    if paused:
        raise PausedError(f"Paused: {', '.join(path.name for path in paused)}.", remedy=remedy)


def offline_server(
    host: str = "127.0.0.1",
    port: int = 8765,
    seed: int = 0,
    mistakes: float = 0,
    faults: float = 0,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--fault-kind", metavar="KIND", help=f"Kind of fault to inject, once per kind: {', '.join(FAULTS)}. [default: all]"
        ),
    ] = None,
    retry_after: float = 1,
    slowness: float = 30,
) -> None:
    """Serve the offline model to other programs. It isn't a language model: it samples the schema of each request."""
    from runner.llm.offline import Faults
    from runner.llm.offline_server import serve

    if not Address("http", host, port, "", "").is_loopback:
        raise UsageError(f"--host {host}: only loopback addresses such as 127.0.0.1 are allowed.")
    for name in kind or []:
        if name not in FAULTS:
            raise UsageError(f"--fault-kind {name}: unknown fault; choose one of {', '.join(FAULTS)}.")
    injected = Faults(rate=faults, kinds=tuple(kind or FAULTS), retry_after=retry_after, slowness=slowness)

    def announce(base_url: str) -> None:
        say(f"Offline model (not a language model) listening at {base_url}")

    asyncio.run(serve(host, port, seed=seed, mistake_rate=mistakes, faults=injected, on_ready=announce))
