"""Built commands: the command line of each verb, put together once in a process and in those it forks. Tests run thousands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.registry import OWN
from runner.cli import lazy_groups, play
from runner.cli.app import app


def keep() -> None:
    """Build a command once."""
    for module, name in ((lazy_groups, "command_of"), (play, "play_command")):
        setattr(module, name, _kept(getattr(module, name)))


def _kept(build: Callable[..., Any]) -> Callable[..., Any]:
    """Builds the command of a verb or a game once, and any that has groups of options of its own every time."""
    kept: dict[tuple[int, tuple[str, ...]], tuple[object, Any]] = {}

    def built(of: object, *names: str, **groups: type) -> Any:
        if groups:
            return build(of, *names, **groups)
        key = id(of), names
        if key not in kept:
            kept[key] = of, build(of, *names)
        return kept[key][1]

    return built


def build_all() -> None:
    """Build every command, and what reads the values of its options; of games that other packages bring nothing is loaded."""
    _build(lazy_groups.command_of(app, "tabletop"))


def _build(command: Any) -> None:
    for parameter in command.params:
        if hasattr(parameter, "get_runtime_param"):
            parameter.get_runtime_param()
    if isinstance(command, lazy_groups.LazyGroup):
        for name in OWN if isinstance(command, play.GameCommands) else command.lines():
            _build(command.load(name))
