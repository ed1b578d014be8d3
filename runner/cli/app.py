"""Verbs of the command: functions of the modules of this package."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from runner.cli.lazy_groups import PANELS_OF, ClickCommand, LazyGroup, new_group

PANELS = PANELS_OF["verbs"]
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
