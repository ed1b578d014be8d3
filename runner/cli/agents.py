"""`tabletop agents`: the players that `.env` and `agents.toml` define."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.screen.safe_text import clean

app = new_app()


@app.command()
def agents(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List the agents of agents.toml, and the players of free seats. Keys are never shown.

    Example: tabletop agents
    """
    from runner.agents.factory import fill_seats
    from runner.agents.resolve import has_key
    from runner.cli.config_files import load_settings
    from runner.llm.address import without_password

    settings = load_settings()
    free = [without_password(spec.text) for spec in fill_seats([], _MOST_SEATS, settings).specs]
    named: list[dict[str, object]] = [
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
        facts = ", ".join(f"{name} {_shown(value)}" for name, value in agent.items() if name not in _SHOWN_APART)
        missing = "" if agent["has_key"] else "; its key is not set"
        say(clean(f"{agent['agent']}: {facts}{missing}", _LONGEST))
    if not named:
        say("No agents: agents.toml is missing or empty.")
    for spec in dict.fromkeys(free):
        seats = ", ".join(f"P-{seat}" for seat, filler in enumerate(free) if filler == spec)
        say(clean(f"free seats {seats}: {spec}", _LONGEST))


_MOST_SEATS = 8
_SHOWN_APART = ("agent", "has_key")
_LONGEST = 4000


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
