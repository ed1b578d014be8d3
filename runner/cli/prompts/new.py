"""`tabletop prompts new DIR`: a pack with copies of the templates to change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import games
from runner.cli.completion import complete_games
from runner.cli.lazy_groups import new_app
from runner.cli.output import say
from runner.prompting.manifest import FILE
from runner.workshop.new_pack import start_pack

app = new_app()


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Folder to create, or a pack to add to.", metavar="DIR")],
    game: Annotated[
        str | None,
        typer.Option("--game", help="Copy templates of this game.", metavar="GAME", autocompletion=complete_games),
    ] = None,
    role: Annotated[list[str] | None, typer.Option("--role", help="Copy only this role, repeatable.", metavar="ROLE")] = None,
    part: Annotated[
        list[str] | None, typer.Option("--part", help="Copy this template, such as shared/answer.j2.", metavar="NAME")
    ] = None,
) -> None:
    """Start a prompt pack with copies of the built-in templates that you want to change, or add copies to a pack.

    Examples: tabletop prompts new my-prompts --game GAME --role ROLE · tabletop prompts new my-prompts --part GAME/advice.j2
    """
    found = start_pack(folder, games.load(game) if game else None, role or [], part or [])
    for name in found.written:
        say(f"{folder}/{name}")
    for name in found.kept:
        typer.echo(f"{folder}/{name} exists already and stays as it is.", err=True)
    if found.written == [FILE]:
        say("No templates copied: choose them with --game, --role and --part; `tabletop prompts list` lists them.")
