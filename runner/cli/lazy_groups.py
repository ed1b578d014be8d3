"""Groups of commands that are made only when they are called for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperGroup

from runner.errors import UsageError


class LazyGroup(TyperGroup):
    """A group that knows the line of help of each command, and loads a command when it is run.

    `noun` is what a command stands for, in words.
    """

    noun = "command"

    def lines(self) -> Mapping[str, str]:
        """The commands by name, with the line that `--help` shows of each."""
        raise NotImplementedError

    def load(self, name: str) -> Any:
        """The command of that name."""
        raise NotImplementedError

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of `lines`."""
        return list(self.lines())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command with its name and line alone, for lists; None when there is none."""
        line = self.lines().get(cmd_name)
        return None if line is None else _listed(cmd_name, line)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that the words call for. UsageError lists what there is when there is none of that name."""
        if args and not args[0].startswith("-") and args[0] not in self.lines():
            there_is = ", ".join(self.lines())
            raise UsageError(f"There is no {self.noun} {args[0]!r}: there is {there_is}.")
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else self.load(name), rest


def _listed(name: str, line: str) -> Any:
    stub = typer.Typer(rich_markup_mode=None, add_completion=False)

    @stub.command(name, help=line)
    def listed() -> None: ...

    return typer.main.get_command(stub)


HELP_NAMES = {"help_option_names": ["-h", "--help"]}


def made(app: typer.Typer, name: str) -> Any:
    """The command of a Typer app under a name."""
    command = typer.main.get_command(app)
    command.name = name
    return command
