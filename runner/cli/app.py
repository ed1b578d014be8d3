"""Verbs of the command: one module each, imported only when it runs, so that `--help` starts at once."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import typer

from runner.cli.lazy_groups import HELP_NAMES, Command, LazyGroup, command_of

VERBS = {
    "play": "Play a match: live table, log, result.",
    "watch": "Follow a match that another process plays.",
    "replay": "Step through a logged match, or verify it.",
    "resume": "Continue a match that stopped.",
    "fork": "Play on from any decision of a match, with changes.",
    "review": "Grade the decisions of a logged match by search.",
    "export": "Write a logged match as HTML, asciicast, Markdown or CSV.",
    "logs": "List the logged matches of a folder.",
    "prompts": "List, edit, check, try and compare prompts.",
    "games": "List the games.",
    "new-game": "Write the skeleton of a game of your own.",
    "rules": "Show a game's rules, options or phase graph.",
    "tournament": "Play many matches, with seats rotated over the same deals.",
    "bench": "Place a model among fixed references on fixed deals.",
    "standings": "Rate players from the logs of many matches.",
    "pack": "Pack finished logs into one compressed file.",
    "gallery": "Write a static site of replays and standings.",
    "check-bot": "Check that a program or a function plays by the rules.",
    "models": "List the models of an endpoint, with prices.",
    "agents": "List the agents, and the players of free seats.",
    "doctor": "Check that the set-up works.",
    "mcp": "Let MCP clients such as coding agents take seats.",
    "offline-server": "Serve the offline model on a loopback port.",
}


class Verbs(LazyGroup):
    """The verbs. Each is the `app` of `runner.cli.<verb>`."""

    def lines(self) -> Mapping[str, str]:
        """The verbs, in the order of `--help`."""
        return VERBS

    def load(self, name: str) -> Command:
        """Import a verb."""
        return command_of(import_module(f"runner.cli.{name.replace('-', '_')}").app, name)


app = typer.Typer(
    rich_markup_mode=None, cls=Verbs, no_args_is_help=True, pretty_exceptions_enable=False, context_settings=HELP_NAMES
)


@app.callback()
def tabletop() -> None:
    """Tabletop games between language models, in a terminal."""
