"""`tabletop games`: the games that can be played."""

from __future__ import annotations

from typing import Annotated

import typer

import games as rules
from games.search.policy import bot_names
from runner.cli.lazy_groups import new_app
from runner.cli.output import say_json
from runner.screen.consoles import print_note, results
from runner.screen.safe_text import clean

app = new_app()


@app.command()
def games(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List the games: number of players, rules presets, bots.

    Example: tabletop games
    """
    found = rules.registered().games
    for error in rules.registered().broken:
        print_note(clean(str(error), 2000))
    if as_json:
        facts = [
            {
                "name": game.name,
                "title": game.title,
                "summary": game.summary,
                "players": [game.players[0], game.players[-1]],
                "presets": list(game.presets),
                "bots": list(bot_names(game)),
                "rules_version": game.rules_version,
            }
            for game in found
        ]
        say_json(facts)
        return
    from rich.table import Table

    rows = Table(box=None, pad_edge=False)
    for name in ("Game", "Players", "Rules", "Bots", "Summary"):
        rows.add_column(name, no_wrap=name in ("Game", "Players"))
    for game in found:
        span = f"{game.players[0]}-{game.players[-1]}"
        rows.add_row(game.name, span, ", ".join(game.presets), ", ".join(bot_names(game)), game.summary)
    results().print(rows)
