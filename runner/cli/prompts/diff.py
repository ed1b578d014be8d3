"""`tabletop prompts diff PACK`: differences between a pack and the built-in one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.cli.output import say
from runner.cli.prompts.common import print_diff
from runner.prompting.pack import PromptPack
from runner.workshop.new_pack import diff as difference

app = new_app()


@app.command()
def diff(pack: Annotated[Path, typer.Argument(help="Folder of a prompt pack.", metavar="PACK")]) -> None:
    """Show how the templates of a pack differ from the built-in ones.

    Example: tabletop prompts diff my-prompts
    """
    lines = list(difference(PromptPack(pack)))
    if lines:
        print_diff(lines)
    else:
        say("The pack changes nothing.")
