"""Rules text: the rules page of a game."""

from __future__ import annotations

from games.core import Game
from runner.game_folders import folder_of
from runner.regular_files import read_regular_text


def rules_text(game: Game) -> str:
    """The rules of a game, in Markdown; empty for a game without a rules page."""
    folder = folder_of(game.name)
    if folder is None or not (page := folder / "RULES.md").is_file():
        return ""
    return read_regular_text(page, "The rules")
