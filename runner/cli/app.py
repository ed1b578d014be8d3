"""Verbs of the command: functions of the modules of this package."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from runner.cli.lazy_groups import ClickCommand, LazyGroup, new_group

PANELS = {
    "Play": {
        "play": "Play a match: live table, log, result.",
        "serve": "Play at a table in a browser, with models and other people.",
        "watch": "Follow a match that another process plays.",
        "replay": "Step through a logged match, or verify it.",
        "resume": "Continue a match that stopped.",
        "fork": "Play on from any decision of a match, with changes.",
    },
    "Study": {
        "logs": "List the logged matches of a folder.",
        "review": "Grade the decisions of a logged match by search.",
        "export": "Write a logged match as HTML, asciicast, Markdown or CSV.",
        "gallery": "Write a static site of replays and standings.",
    },
    "Compare": {
        "tournament": "Play many matches, with seats rotated over the same deals.",
        "season": "Commit to a plan, play it and publish it, or prove it again.",
        "standings": "Rate players from the logs of many matches.",
        "exam": "Put the same graded decisions to several players.",
        "bench": "Place a model among fixed references on fixed deals.",
        "prompts": "List, edit, check, try and compare prompts.",
    },
    "Set up": {
        "doctor": "Check that the set-up works.",
        "games": "List the games.",
        "rules": "Show a game's rules, options or phase graph.",
        "agents": "List the agents, and the players of free seats.",
        "models": "List the models of an endpoint, with prices.",
    },
    "Build and connect": {
        "mcp": "Let MCP clients such as coding agents take seats.",
        "check-bot": "Check that a program or a function plays by the rules.",
        "new-game": "Write the skeleton of a game of your own.",
        "report": "Measure a game for its designers: balance, luck, unused rules.",
        "pack": "Pack finished logs into one compressed file.",
        "offline-server": "Serve the offline model on a loopback port.",
    },
}
"""The verbs by heading, what few need last."""


class Verbs(LazyGroup):
    """Tabletop games between language models, in a terminal."""

    package = "runner.cli"
    panels = PANELS
    homes = {  # noqa: RUF012 -- a constant
        "fork": "resume",
        "gallery": "export",
        "models": "agents",
        "rules": "games",
        "new-game": "games",
        "pack": "logs",
        "season": "tournament",
        "mcp": "serving",
        "serve": "serving",
        "offline-server": "serving",
    }

    def names(self) -> Sequence[str]:
        import games

        return [*self.lines(), *games.names()]

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, ClickCommand, list[str]]:
        """The command of these arguments. A game's name alone plays it: `coup` is `play coup`."""
        if args and not args[0].startswith("-") and self.line(args[0]) is None:
            import games

            args = ["play"] * (args[0] in games.names()) + args
        return super().resolve_command(ctx, args)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        from runner.cli.output import say
        from runner.match.header import package_version

        say(f"tabletop {package_version()}")
        raise typer.Exit


_Version = Annotated[bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)]
app = new_group(Verbs)


@app.callback(help=Verbs.__doc__)
def _of_all(version: _Version = False) -> None: ...
