"""Game folders: where the package of a game has its rules page, prompts and decks."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from games.registry import package_of


@cache
def folder_of(game: str) -> Path | None:
    """The folder of the package that brings a game; None for a game that is a single module."""
    package = package_of(game)
    found = None if package is None else find_spec(package)
    return None if found is None or found.origin is None else Path(found.origin).parent
