"""The verbs of the command. Each is a module of its own, imported when it is called for, so that `--help` starts at once."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer

from runner.cli.lazy_groups import HELP_NAMES, LazyGroup, made

VERBS = {
    "play": "Play a match: live table, log, result.",
    "watch": "Follow a match that another process plays.",
    "replay": "Watch a logged match again, or verify it.",
    "resume": "Go on with a match that stopped.",
    "fork": "Branch off from any decision of a match.",
    "export": "Write a logged match as a page, a recording, an account or a table.",
    "logs": "List the logged matches of a folder.",
    "prompts": "See, tweak, check, try and compare prompts.",
    "games": "List the games.",
    "rules": "Show a game's rules, options or phase graph.",
    "tournament": "Play many matches, seats rotated over the same deals.",
    "standings": "Ratings with intervals, from the logs of many matches.",
    "models": "List the models of an endpoint: price, context, forms of answer.",
    "agents": "List the agents of agents.toml, and who fills free seats.",
    "doctor": "Check whether the set-up works.",
    "offline-server": "Serve the offline model on a loopback port.",
}


class Verbs(LazyGroup):
    """The verbs, each an `app` in `runner.cli.<verb>`."""

    def lines(self) -> Mapping[str, str]:
        """All verbs, in the order in which one meets them."""
        return VERBS

    def load(self, name: str) -> Any:
        """The command of a verb."""
        return made(import_module(f"runner.cli.{name.replace('-', '_')}").app, name)


app = typer.Typer(
    rich_markup_mode=None, cls=Verbs, no_args_is_help=True, pretty_exceptions_enable=False, context_settings=HELP_NAMES
)


@app.callback()
def tabletop() -> None:
    """Tabletop games between language models, in a terminal."""
