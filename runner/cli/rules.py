"""`tabletop rules GAME`: rules, options and phase graph of a game."""

from __future__ import annotations

from typing import Annotated

import typer

import games
from games.core import Game
from runner.agents.rules_text import rules_text
from runner.cli.completion import complete_games
from runner.cli.lazy_groups import new_app
from runner.cli.output import say
from runner.errors import UsageError
from runner.screen.consoles import results

app = new_app()


@app.command()
def rules(
    game: Annotated[
        str, typer.Argument(help="Name of a game; `tabletop games` lists them.", metavar="GAME", autocompletion=complete_games)
    ],
    phases: Annotated[bool, typer.Option("--phases", help="Show the phase graph: ids, names, who decides, edges.")] = False,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Show the phase graph as a Mermaid flowchart.")] = False,
    options: Annotated[bool, typer.Option("--options", help="Show the options with their defaults, and the presets.")] = False,
) -> None:
    """Show the rules of a game.

    Examples: tabletop rules dixiquote · tabletop rules dixiquote --phases --mermaid
    """
    found = games.load(game)
    if mermaid:
        say(found.phases.to_mermaid(), end="")
    elif phases:
        _print_phases(found)
    elif options:
        _print_options(found)
    else:
        _print_rules(found)


def _print_rules(game: Game) -> None:
    words = rules_text(game)
    if not words:
        raise UsageError(f"The package of {game.title} has no RULES.md: see --phases and --options.")
    console = results()
    if console.is_terminal:
        from rich.markdown import Markdown

        console.print(Markdown(words))
    else:
        say(words, end="")


def _print_phases(game: Game) -> None:
    for phase in game.phases:
        say(f"{phase.id:>3}  {phase.name}: {phase.description}")
        if phase.decides:
            say(f"     decides: {phase.decides}")
        for edge in phase.edges:
            ruling = f"  [ruling {edge.ruling}]" if edge.ruling else ""
            say(f"     -> {edge.to:>2}  {game.phases.by_id(edge.to).name}{': ' if edge.when else ''}{edge.when}{ruling}")


def _print_options(game: Game) -> None:
    for name, option in game.options.items():
        default = "built in" if option.convert else str(option.default).lower()
        say(f"{name} = {default}")
        say(f"    {option.help}" + (f"; takes {option.takes}" if not option.convert else ""))
    for preset, values in game.presets.items():
        changed = ", ".join(f"{name}={str(value).lower()}" for name, value in values.items()) or "the defaults"
        say(f"preset {preset}: {changed}")
