"""`tabletop prompts`: see, tweak, check, try and compare prompts. Each verb is a module of `runner.cli.workshop`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer

from runner.cli.lazy_groups import HELP_NAMES, LazyGroup, made

VERBS = {
    "list": "List the templates and the packs.",
    "show": "Show the templates of a role, and which file each part comes from.",
    "variables": "Show what the templates of a role may use.",
    "new": "Start a pack of your own.",
    "diff": "Show how a pack differs from the built-in one.",
    "lint": "Check prompts against play.",
    "render": "Show the messages of a logged decision under any pack.",
    "ask": "Put a logged decision to a model again.",
    "compare": "Play two packs against each other, with statistics.",
}


class Workshop(LazyGroup):
    """The verbs for prompts, each an `app` in `runner.cli.workshop.<verb>`."""

    noun = "verb for prompts"

    def lines(self) -> Mapping[str, str]:
        """All verbs, in the order in which one meets them."""
        return VERBS

    def load(self, name: str) -> Any:
        """The command of a verb."""
        return made(import_module(f"runner.cli.prompts.{name}").app, name)


app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    cls=Workshop,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=HELP_NAMES,
)


@app.callback()
def prompts() -> None:
    """See, tweak, check, try and compare prompts.

    Example: tabletop prompts new my-prompts --game GAME --role ROLE
    """
