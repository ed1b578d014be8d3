"""`tabletop agents`: the players that `.env` and `agents.toml` define."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.errors import Exit
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.agents.environment import Settings

app = new_app()

_MOST_SEATS = 8
_SHOWN_APART = ("agent", "has_key")
_LONGEST = 4000


@app.command()
def agents(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List the agents of agents.toml and of installed packages, the players of free seats, and the defaults of `play`.

    Keys are never shown.

    Exit status 5 when agents.toml or a model variable is wrong.

    Example: tabletop agents
    """
    from runner.agents.filled_seats import fill_seats
    from runner.cli.config_files import load_settings, seat_faults
    from runner.llm.address import without_password

    settings = load_settings()
    free = [without_password(spec.named_text) for spec in fill_seats([], _MOST_SEATS, settings).specs]
    named, wrong = _named(settings), [*settings.faults.values(), *seat_faults(settings)]
    defaults = settings.defaults.to_json() if settings.defaults else {}
    if as_json:
        say_json({"agents": named, "installed": _installed(), "free_seats": free, "defaults": defaults, "wrong": wrong})
    else:
        _print(named, free, defaults, wrong)
    if wrong:
        raise typer.Exit(Exit.ACCOUNT)


def _named(settings: Settings) -> list[dict[str, object]]:
    """The agents of agents.toml, each with its settings that are not the default."""
    from runner.agents.resolve import has_key

    return [
        {
            "agent": name,
            "has_key": has_key(name, settings),
            **entry.shown,
        }
        for name, entry in settings.agents.items()
    ] + [{"agent": name, "has_key": True, **entry.shown} for name, entry in settings.programs.items()]


def _installed() -> dict[str, str]:
    """The functions that installed packages offer, as `MODULE:NAME`."""
    from runner.agents.function_loader import installed_functions

    return {name: f"{found.module}:{found.name}" for name, found in installed_functions().items()}


def _print(named: list[dict[str, object]], free: list[str], defaults: dict[str, object], wrong: list[str]) -> None:
    for agent in named:
        facts = ", ".join(f"{name} {_shown(value)}" for name, value in agent.items() if name not in _SHOWN_APART)
        missing = "" if agent["has_key"] else "; its key is not set"
        say(clean(f"{agent['agent']}: {facts}{missing}", _LONGEST))
    for name, function in _installed().items():
        say(clean(f"{name}: installed function {function}", _LONGEST))
    if not named:
        say("No agents: agents.toml is missing or empty." if not wrong else "No agents.")
    for spec in dict.fromkeys(free):
        seats = ", ".join(f"P-{seat}" for seat, filler in enumerate(free) if filler == spec)
        say(clean(f"free seats {seats}: {spec}", _LONGEST))
    if defaults:
        say(clean(f"defaults of play: {', '.join(f'{name} {_shown(value)}' for name, value in defaults.items())}", _LONGEST))
    for fault in wrong:
        say(clean(f"WRONG {fault}", _LONGEST))


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
