"""`tabletop offline-server`: serves the offline model on a loopback port."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.cli.output import say
from runner.errors import UsageError
from runner.llm.fault_injection import FAULTS

app = new_app()


@app.command()
def offline_server(
    host: Annotated[str, typer.Option("--host", help="Loopback address.", metavar="HOST")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port; 0 chooses a free one.", metavar="PORT", min=0, max=65535)] = 8765,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the answers.", metavar="N")] = 0,
    mistakes: Annotated[float, typer.Option("--mistakes", help="Rate of invalid answers.", metavar="RATE", min=0, max=1)] = 0,
    faults: Annotated[
        float, typer.Option("--faults", help="Rate of transport faults, from 0 to 1.", metavar="RATE", min=0, max=1)
    ] = 0,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--fault-kind",
            help=f"Kind of fault to inject, once per kind: {', '.join(FAULTS)}. [default: all]",
            metavar="KIND",
        ),
    ] = None,
    retry_after: Annotated[
        float, typer.Option("--retry-after", help="Retry-After of a 429, in seconds.", metavar="SECONDS", min=0)
    ] = 1,
    slowness: Annotated[float, typer.Option("--slowness", help="Duration of a slow answer.", metavar="SECONDS", min=0)] = 30,
) -> None:
    """Serve the offline model to other programs. It isn't a language model: it samples the schema of each request.

    A seat uses it as offline@http://127.0.0.1:PORT/v1.

    Example: tabletop offline-server --port 8765 --faults 0.1
    """
    from runner.llm.fault_injection import Faults
    from runner.llm.offline_server import serve

    if not _is_loopback(host):
        raise UsageError(f"--host {host}: only loopback addresses such as 127.0.0.1 are allowed.")
    for name in kind or []:
        if name not in FAULTS:
            raise UsageError(f"--fault-kind {name}: unknown fault; choose one of {', '.join(FAULTS)}.")
    injected = Faults(rate=faults, kinds=tuple(kind or FAULTS), retry_after=retry_after, slowness=slowness)
    try:
        asyncio.run(serve(host, port, seed=seed, mistake_rate=mistakes, faults=injected, on_ready=_announce))
    except OSError as error:
        raise UsageError(f"Cannot listen on port {port} of {host}: {error.strerror or error}.") from error


def _announce(base_url: str) -> None:
    say(f"Offline model (not a language model) listening at {base_url}")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
