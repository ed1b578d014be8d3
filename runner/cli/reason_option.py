"""Reason option: `--reason`, which verbs that play matches share."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from runner.agents.settings import Reason


class ReasonChoice(StrEnum):
    """Whether models write a reason before each answer."""

    auto = "auto"
    always = "always"
    never = "never"


_HELP = "Whether models write a reason before each answer; auto: those that do not reason by themselves. [default: {}]"
REASON_OPTION = typer.Option("--reason", help=_HELP.format("as agents.toml says, else auto"))
CHANGED_REASON_OPTION = typer.Option("--reason", help=_HELP.format("as before"))


def reason_of(choice: ReasonChoice | None) -> Reason | None:
    """The setting that a choice stands for; None for none."""
    return None if choice is None else choice.value
