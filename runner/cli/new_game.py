"""`tabletop new-game NAME`: the skeleton of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.cli.output import say

app = new_app()


@app.command()
def new_game(
    name: Annotated[str, typer.Argument(help="Name of the game: lower-case letters, digits and _.", metavar="NAME")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the package. [default: NAME]", metavar="DIR")] = None,
) -> None:
    """Write a package with a small game, to be changed into one of your own: rules, bots, prompts, screen, tests.

    Example: tabletop new-game high_card
    """
    from runner.workshop.new_game import start_game

    folder = Path(name) if out is None else out
    for written in start_game(folder, name):
        say(str(folder / written))
    say("")
    say(f"Next: `pip install --editable {folder}`, then `tabletop play {name} --seat bot:steady`.")
