"""`tabletop prompts variables GAME ROLE`: the variables that templates can use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

import typer

import games
from games.core import counted
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.prompts.common import GameName, JsonFlag, RoleName
from runner.workshop.corpus import corpus
from runner.workshop.new_pack import check_role
from runner.workshop.variables import described, reaches

app = new_app()


@app.command()
def variables(
    game: GameName,
    role: RoleName,
    matches: Annotated[int, typer.Option("--matches", help="Matches to search.", metavar="N", min=1)] = 30,
    as_json: JsonFlag = False,
) -> None:
    """Show every variable that the templates of a role can use, with its type and an example, found by play.

    Example: tabletop prompts variables GAME ROLE
    """
    found = games.load(game)
    check_role(found, role)
    reach = reaches(found, corpus(found, matches))[role]
    rows = [variable.to_json(reach.cases) for variable in reach.in_order() if variable.path[0] != "own"]
    for row in rows:
        row["about"] = described(found, role, row["name"])
    if as_json:
        say_json({"game": game, "role": role, "decisions": reach.cases, "variables": rows})
        return
    wide = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        say(_line(row, wide))
    found_in = f"{counted(reach.cases, 'decision')} of {counted(matches, 'match')}"
    say(f"own is view.own. Found in {found_in}; * marks variables that not every decision has.")


def _line(row: Mapping[str, object], wide: int) -> str:
    example = "" if row["example"] is None else f"  e.g. {json.dumps(row['example'], ensure_ascii=False)}"
    about = f"  {row['about']}" if row["about"] else ""
    return f"{'  ' if row['always'] else '* '}{row['name']:<{wide}}  {row['kind']}{about}{example}"
