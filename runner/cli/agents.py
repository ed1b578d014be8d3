"""`tabletop agents`: who can be seated, as `.env` and `agents.toml` have it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from runner.cli.lazy_groups import HELP_NAMES
from runner.cli.output import say, say_json
from runner.screen.safe_text import clean

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


@app.command()
def agents(as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False) -> None:
    """List the agents of agents.toml, and who fills the seats that nobody names. No key is ever shown.

    Example: tabletop agents
    """
    from runner.agents.factory import fill_seats
    from runner.agents.resolve import has_key
    from runner.cli.environment import load_settings

    settings = load_settings()
    free = [spec.text for spec in fill_seats([], _MOST_SEATS, settings).specs]
    named: list[dict[str, Any]] = [
        {
            "agent": name,
            "has_key": has_key(name, settings),
            **entry.model_dump(
                mode="json", exclude={"headers", *(["base_url"] if entry.is_offline else [])}, exclude_defaults=True
            ),
        }
        for name, entry in settings.agents.items()
    ]
    if as_json:
        say_json({"agents": named, "free_seats": free})
        return
    for agent in named:
        facts = ", ".join(f"{name} {_shown(value)}" for name, value in agent.items() if name not in _SAID_APART)
        missing = "" if agent["has_key"] else "; the key it needs is not set"
        say(clean(f"{agent['agent']}: {facts}{missing}", _LONGEST))
    if not named:
        say("There is no agents.toml here, or it names nobody.")
    for spec in dict.fromkeys(free):
        seats = ", ".join(f"P-{seat}" for seat, filler in enumerate(free) if filler == spec)
        say(clean(f"free seats {seats}: {spec}", _LONGEST))


_MOST_SEATS = 8
_SAID_APART = ("agent", "has_key")
_LONGEST = 4000


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
