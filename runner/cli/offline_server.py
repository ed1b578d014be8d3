"""`tabletop offline-server`: the offline model on a loopback port."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Annotated

import typer

from runner.cli.lazy_groups import HELP_NAMES
from runner.cli.output import say
from runner.errors import UsageError
from runner.llm.fault_injection import FAULTS

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


@app.command()
def offline_server(
    host: Annotated[str, typer.Option("--host", help="A loopback address.", metavar="HOST")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", help="The port; 0 takes any free one.", metavar="PORT", min=0, max=65535)
    ] = 8765,
    seed: Annotated[int, typer.Option("--seed", help="The seed of its answers.", metavar="N")] = 0,
    mistakes: Annotated[float, typer.Option("--mistakes", help="How often it errs.", metavar="RATE", min=0, max=1)] = 0,
    faults: Annotated[
        float, typer.Option("--faults", help="How often a request meets a fault of transport.", metavar="RATE", min=0, max=1)
    ] = 0,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--fault-kind",
            help=f"A kind of fault to draw from, once a kind: {', '.join(FAULTS)}. [default: all]",
            metavar="KIND",
        ),
    ] = None,
    retry_after: Annotated[
        float, typer.Option("--retry-after", help="Seconds a 429 asks to wait.", metavar="SECONDS", min=0)
    ] = 1,
    slowness: Annotated[float, typer.Option("--slowness", help="Seconds a slow answer takes.", metavar="SECONDS", min=0)] = 30,
) -> None:
    """Serve the offline model for other programs. It is no language model: it samples the schema it is sent.

    Seats offline@http://127.0.0.1:PORT/v1 play through it.

    Example: tabletop offline-server --port 8765 --faults 0.1
    """
    from runner.llm.fault_injection import Faults
    from runner.llm.offline_server import serve

    if not _is_loopback(host):
        raise UsageError(f"--host {host}: the offline model is served on loopback addresses only, such as 127.0.0.1.")
    for name in kind or []:
        if name not in FAULTS:
            raise UsageError(f"--fault-kind {name}: there is no such fault; there is {', '.join(FAULTS)}.")
    ordered = Faults(rate=faults, kinds=tuple(kind or FAULTS), retry_after=retry_after, slowness=slowness)
    try:
        asyncio.run(serve(host, port, seed=seed, mistake_rate=mistakes, faults=ordered, on_ready=_announce))
    except OSError as error:
        raise UsageError(f"Port {port} on {host} cannot be had: {error.strerror or error}.") from error


def _announce(base_url: str) -> None:
    say(f"The offline model (no language model) answers at {base_url}")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
