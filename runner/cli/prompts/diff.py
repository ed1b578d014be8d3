"""`tabletop prompts diff PACK`: what a pack changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.cli.output import say
from runner.cli.prompts.common import new_app, print_diff
from runner.prompting.pack import PromptPack
from runner.workshop.new_pack import diff as difference

app = new_app()


@app.command()
def diff(pack: Annotated[Path, typer.Argument(help="A prompt pack.", metavar="PACK")]) -> None:
    """Show how the templates of a pack differ from the built-in ones.

    Example: tabletop prompts diff my-prompts
    """
    lines = list(difference(PromptPack(pack)))
    if lines:
        print_diff(lines)
    else:
        say("The pack changes nothing.")
