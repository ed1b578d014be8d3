"""Data standings: the standings of a folder as Python programs and notebooks read them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import cast

from runner.api.notebook_html import standings_html
from runner.export.attempt_sums import Row
from runner.standings.document import standings
from runner.standings.document_types import AgentData, FigureData, StandingsData
from runner.standings.rating_types import Anchor

_FIGURES = ("rating", "win_share", "mean_score")


class Standings:
    """Ratings of the players in a folder of logs. `data` is the document that `tabletop standings --json` prints."""

    def __init__(self, folder: Path | str, may_pool: Collection[str] = (), anchor: Anchor | None = None) -> None:
        """Read the logs. UsageError when they may not be pooled or no match has ended, AllDamagedError when all are damaged."""
        self.data: StandingsData = standings(Path(folder), may_pool, anchor)

    def table(self) -> list[Row]:
        """A row for each player of each game, with intervals as `NAME_low` and `NAME_high`."""
        return [{"game": game["game"], **_flat(agent)} for game in self.data["games"] for agent in game["agents"]]

    def __repr__(self) -> str:
        games = ", ".join(f"{game['game']}: {game['matches']} matches" for game in self.data["games"])
        return f"<Standings of {self.data['folder']}; {games}>"

    def _repr_html_(self) -> str:
        return standings_html(self.data)


def _flat(agent: AgentData) -> Row:
    row: Row = {name: value for name, value in agent.items() if not isinstance(value, dict | list) and value is not None}
    figures = cast("Mapping[str, FigureData]", agent)
    for name in _FIGURES:
        figure = figures[name]
        row |= {name: figure["value"], f"{name}_low": figure["low"], f"{name}_high": figure["high"]}
    return row | {measure: found["value"] for measure, found in agent["measures"].items()}
