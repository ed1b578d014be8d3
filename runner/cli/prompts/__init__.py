"""`tabletop prompts`: lists, edits, checks, tries and compares prompts. Each verb is a module of this package."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import typer

from runner.cli.lazy_groups import HELP_NAMES, Command, LazyGroup, command_of

VERBS = {
    "list": "List the templates and the packs.",
    "show": "Show the templates of a role, with the file of each part.",
    "variables": "Show the variables that templates of a role can use.",
    "new": "Start a prompt pack.",
    "diff": "Show the differences between a pack and the built-in one.",
    "lint": "Check prompts by rendering them for real decisions.",
    "render": "Show the messages of a logged decision with any pack.",
    "ask": "Ask a model to make a logged decision again.",
    "compare": "Compare two packs by play, with statistics.",
}


class PromptVerbs(LazyGroup):
    """The verbs for prompts. Each is the `app` of `runner.cli.prompts.<verb>`."""

    noun = "verb for prompts"

    def lines(self) -> Mapping[str, str]:
        """The verbs, in the order of `--help`."""
        return VERBS

    def load(self, name: str) -> Command:
        """Import a verb."""
        return command_of(import_module(f"runner.cli.prompts.{name}").app, name)


app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    cls=PromptVerbs,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=HELP_NAMES,
)


@app.callback()
def prompts() -> None:
    """List, edit, check, try and compare prompts.

    Example: tabletop prompts new my-prompts --game GAME --role ROLE
    """
