"""`tabletop prompts new DIR`: a pack with just the files one wants to change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import games
from runner.cli.completion import games_named
from runner.cli.output import say
from runner.cli.prompts.common import new_app
from runner.workshop.new_pack import start_pack

app = new_app()


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="The folder to make.", metavar="DIR")],
    game: Annotated[
        str | None, typer.Option("--game", help="Copy the templates of this game.", metavar="GAME", autocompletion=games_named)
    ] = None,
    role: Annotated[
        list[str] | None, typer.Option("--role", help="Of this role alone; again for more.", metavar="ROLE")
    ] = None,
    part: Annotated[
        list[str] | None, typer.Option("--part", help="Copy this template, such as shared/answer.j2.", metavar="NAME")
    ] = None,
) -> None:
    """Start a pack: a manifest, and copies of the built-in templates that you want to change.

    Examples: tabletop prompts new my-prompts --game GAME --role ROLE · tabletop prompts new my-prompts --part shared/answer.j2
    """
    names = start_pack(folder, games.load(game) if game else None, role or [], part or [])
    say(f"{folder}/pack.toml")
    for name in names:
        say(f"{folder}/{name}")
    if not names:
        say("No templates yet: `tabletop prompts list` names them; copy with --game, --role and --part.")
