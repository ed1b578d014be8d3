"""What the verbs for prompts have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.cli.completion import games_named
from runner.cli.lazy_groups import HELP_NAMES

JsonFlag = Annotated[bool, typer.Option("--json", help="One JSON document.")]
PackOption = Annotated[
    Path | None, typer.Option("--pack", "--prompts", help="A prompt pack. [default: the built-in one]", metavar="DIR")
]
GameName = Annotated[
    str, typer.Argument(help="The game's name, as `tabletop games` lists it.", metavar="GAME", autocompletion=games_named)
]
RoleName = Annotated[str, typer.Argument(help="A role of it, as `tabletop prompts list` does.", metavar="ROLE")]


def new_app() -> typer.Typer:
    """The Typer app of one verb."""
    return typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


def print_diff(lines: list[str]) -> None:
    """A diff, coloured on a terminal."""
    from rich.text import Text

    from runner.screen.consoles import results
    from runner.screen.safe_text import clean

    console = results()
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in lines:
        console.print(Text(clean(line, len(line) + 1), style=colours.get(line[:1], "")), soft_wrap=True)
