"""Decks as data: one JSON file a deck, in the package that brings the game; our own in `decks/` in a checkout."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any


@cache
def load(name: str, package: str | None = None) -> Any:
    """The parsed content of `<name>.json`, which callers must not change. FileNotFoundError when there is none.

    It is one of the built-in decks, or in the folder `decks` of another package.
    """
    folder = _built_in() if package is None else files(package).joinpath("decks")
    return json.loads(folder.joinpath(f"{name}.json").read_text(encoding="utf-8"))


def built_in() -> bytes:
    """The text of all built-in decks, for digests of what decides play."""
    return b"\0".join(file.read_bytes() for file in sorted(_built_in().iterdir(), key=lambda file: file.name) if file.is_file())


def _built_in() -> Traversable:
    package = files("games")
    packaged = package.joinpath("_data", "decks")
    return packaged if packaged.is_dir() else package.joinpath("..", "decks")
