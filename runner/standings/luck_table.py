"""Luck table: the adjusted win shares as a table of text."""

from __future__ import annotations

from runner.standings.document_types import AdjustedData, AgentData, GameData
from runner.standings.number_format import share_text
from runner.standings.text_table import TextTable


def adjusted_table(game: GameData) -> TextTable:
    """The win share of each agent as it is, and without what is known to be luck."""
    rows = tuple(_row(agent, agent.get("adjusted")) for agent in game["agents"])
    return TextTable("Win shares adjusted for luck", ("Agent", "Wins", "Adjusted", "Variance saved"), rows)


def _row(agent: AgentData, found: AdjustedData | None) -> tuple[str, ...]:
    plain = share_text(agent["win_share"])
    if found is None:
        return agent["agent"], plain, "-", "-"
    saved = "-" if found["saved"] is None else f"{found['saved']:.0%}"
    return agent["agent"], plain, share_text(found["win_share"]), saved
