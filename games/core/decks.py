"""Decks as data: one JSON file a deck, in the package when it is installed and in `decks/` in a checkout."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load(name: str) -> Any:
    """The parsed content of `<name>.json`, which callers must not change. FileNotFoundError when there is none."""
    package = files("games")
    packaged = package.joinpath("_data", "decks")
    folder = packaged if packaged.is_dir() else package.joinpath("..", "decks")
    return json.loads(folder.joinpath(f"{name}.json").read_text(encoding="utf-8"))
