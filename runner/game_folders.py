"""Game folders: where the package of a game has its rules page, prompts and decks."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from games.core import Game
from games.registry import package_of
from runner.files import read_regular_text


@cache
def folder_of(game: str) -> Path | None:
    """The folder of the package that brings a game; None for a game that is a single module."""
    package = package_of(game)
    found = None if package is None else find_spec(package)
    return None if found is None or found.origin is None else Path(found.origin).parent


def rules_text(game: Game) -> str:
    """The rules of a game, in Markdown; empty for a game without a rules page."""
    folder = folder_of(game.name)
    if folder is None or not (page := folder / "RULES.md").is_file():
        return ""
    return read_regular_text(page, "The rules")
