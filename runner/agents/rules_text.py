"""Rules text: the RULES.md of a game's package."""

from __future__ import annotations

from importlib.resources import files

from games.core import Game


def rules_text(game: Game) -> str:
    """The rules of a game, in Markdown."""
    return files(game.state_type.__module__.rpartition(".")[0]).joinpath("RULES.md").read_text(encoding="utf-8")
