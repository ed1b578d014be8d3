"""Free text filter: removes the text of other players after a content filter refused the prompt."""

from __future__ import annotations

import games
from games.core import View

LEFT_OUT = "(these words are left out: a filter refused them)"


def filtered_view(view: View) -> View:
    """A view without players' free text: every text in a field in which they write freely is replaced."""
    found = _without(view, games.load(view["game"]).free_text)
    assert isinstance(found, dict)
    return found


def _without(data: object, names: tuple[str, ...]) -> object:
    if isinstance(data, dict):
        return {
            name: LEFT_OUT if name in names and isinstance(value, str) and value else _without(value, names)
            for name, value in data.items()
        }
    return [_without(item, names) for item in data] if isinstance(data, list) else data
