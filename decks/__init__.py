"""Decks as data: one JSON file a deck, read as package data so that a wheel and a checkout find the same ones."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load(name: str) -> Any:
    """The parsed content of `decks/<name>.json`, which callers must not change. FileNotFoundError when there is none."""
    return json.loads(files("decks").joinpath(f"{name}.json").read_text(encoding="utf-8"))
