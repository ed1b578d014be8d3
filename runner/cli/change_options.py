"""Change options: what `resume` and `fork` can change in a match that continues from a log."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from runner.cli.completion import complete_seats
from runner.cli.reason_option import CHANGED_REASON_OPTION, ReasonChoice


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """Other players, another prompt pack, other rules for reasons and hopeless seats. None: as in the log."""

    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="Another player from this point: P-2=SPEC, P-2=NAME=SPEC, or one SPEC per seat in order.",
            metavar="SPEC",
            autocompletion=complete_seats,
        ),
    ] = None
    prompts: Annotated[Path | None, typer.Option("--prompts", help="Prompt pack from this point: a folder, or built-in.")] = (
        None
    )
    reason: Annotated[ReasonChoice | None, CHANGED_REASON_OPTION] = None
    hopeless: Annotated[
        int | None,
        typer.Option(
            "--hopeless",
            help="Strike-outs of one seat in a row after which the match pauses; 0: never. [default: as before]",
            metavar="N",
            min=0,
        ),
    ] = None
