"""Given-up table: what agents give up by review as a table of text, a second scoreboard beside the ratings."""

from __future__ import annotations

from runner.standings.document_types import GameData, GivenUpData
from runner.standings.number_format import bounds_text, points_text, times_text
from runner.standings.text_table import TextTable


def given_up_table(game: GameData) -> TextTable:
    """The agent that gives up the smallest part of what its best answers are worth is first."""
    found = [(agent["agent"], agent.get("given_up")) for agent in game["agents"]]
    graded = sorted(((name, one) for name, one in found if one), key=lambda entry: entry[1]["relative"]["value"])
    rows = [_row(name, one) for name, one in graded]
    rows += [(name, "-", "-", "0", "-", "-", "-") for name, one in found if not one]
    headers = ("Agent", "Given up", "95 %", "Decisions", "Narrower", "Relative", "95 %")
    title = "Win share given up a decision by review, the smallest relative part first"
    return TextTable(title, headers, tuple(rows))


def _row(agent: str, found: GivenUpData) -> tuple[str, ...]:
    mean = points_text(found), bounds_text(found), str(found["decisions"]), times_text(found["narrower"])
    return agent, *mean, points_text(found["relative"]), bounds_text(found["relative"])
