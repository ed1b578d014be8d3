"""Lazy command groups: a command is imported only when it runs, so that `--help` starts at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperGroup

from runner.errors import UsageError

Command = Any
"""A command of click, which recent versions of Typer bundle and do not export."""
HELP_NAMES = {"help_option_names": ["-h", "--help"]}


class LazyGroup(TyperGroup):
    """A group that lists its commands without importing them. `noun` names a command in error messages."""

    noun = "command"

    @abstractmethod
    def lines(self) -> Mapping[str, str]:
        """The commands by name, each with its line in `--help`."""

    @abstractmethod
    def load(self, name: str) -> Command:
        """Import a command."""

    def line(self, name: str) -> str | None:
        """The line of a command in `--help`; None for an unknown name."""
        return self.lines().get(name)

    def list_commands(self, ctx: object) -> list[str]:
        """The names, in the order of `lines`."""
        return list(self.lines())

    def get_command(self, ctx: object, cmd_name: str) -> Command:
        """A stub with the name and the help line of a command; None for an unknown name."""
        line = self.line(cmd_name)
        return None if line is None else _stub(cmd_name, line)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Command, list[str]]:
        """The command of these arguments. UsageError for an unknown name."""
        if args and not args[0].startswith("-") and self.line(args[0]) is None:
            raise self.refusal(args[0])
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else self.load(name), rest

    def refusal(self, name: str) -> Exception:
        """The error for a name that is not in `lines`."""
        return UsageError(f"There is no {self.noun} {name!r}: choose one of {', '.join(self.lines())}.")


def _stub(name: str, line: str) -> Command:
    app = typer.Typer(rich_markup_mode=None, add_completion=False)

    @app.command(name, help=line)
    def stub() -> None: ...

    return command_of(app, name)


def new_app() -> typer.Typer:
    """The Typer app of one verb."""
    return typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


def command_of(app: typer.Typer, name: str) -> Command:
    """The command of a Typer app, under a name."""
    command = typer.main.get_command(app)
    command.name = name
    return command
