"""Options and output that the verbs for prompts share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.cli.completion import complete_games

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
PackOption = Annotated[
    Path | None, typer.Option("--pack", "--prompts", help="Folder of a prompt pack. [default: built-in]", metavar="DIR")
]
GameName = Annotated[
    str, typer.Argument(help="Name of a game; `tabletop games` lists them.", metavar="GAME", autocompletion=complete_games)
]
RoleName = Annotated[str, typer.Argument(help="Role of the game; `tabletop prompts list` lists them.", metavar="ROLE")]


def print_diff(lines: list[str]) -> None:
    """Print a diff, in colour on a terminal."""
    from rich.text import Text

    from runner.screen.consoles import results
    from runner.screen.safe_text import clean

    console = results()
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in lines:
        console.print(Text(clean(line, len(line) + 1), style=colours.get(line[:1], "")), soft_wrap=True)
