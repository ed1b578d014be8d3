"""Leaving out what other players wrote, where a filter refuses a prompt for it."""

from __future__ import annotations

from typing import Any

import games
from games.core import View

LEFT_OUT = "(these words are left out: a filter refused them)"


def elided(view: View) -> View:
    """A view without the words of players: whatever text stands under the name of a field in which they write freely."""
    found = _without(view, games.load(view["game"]).free_text)
    assert isinstance(found, dict)
    return found


def _without(data: Any, names: tuple[str, ...]) -> Any:
    if isinstance(data, dict):
        return {
            name: LEFT_OUT if name in names and isinstance(value, str) and value else _without(value, names)
            for name, value in data.items()
        }
    return [_without(item, names) for item in data] if isinstance(data, list) else data
