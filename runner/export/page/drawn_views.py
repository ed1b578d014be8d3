"""Drawn views: the table of a match in each view of a page, drawn again only where the view has changed."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import State
from runner.export.page.element import ElementStore
from runner.export.page.game_tables import Draw
from runner.screen.perspective import Perspective, VisibleState, visible_to


class DrawnViews:
    """Draws the positions of a match in order for the same perspectives, into a store of elements."""

    def __init__(self, perspectives: Sequence[Perspective], names: tuple[str, ...], draw: Draw, store: ElementStore) -> None:
        self._perspectives, self._names, self._draw, self._store = perspectives, names, draw, store
        self._last: list[tuple[VisibleState, int] | None] = [None] * len(perspectives)

    def add(self, state: State) -> list[tuple[VisibleState, int]]:
        """What each perspective sees of a state, with the number of its table."""
        seen = visible_to(self._perspectives, state, self._names)
        drawn = [self._drawn(one, last) for one, last in zip(seen, self._last, strict=True)]
        self._last = [*drawn]
        return drawn

    def _drawn(self, seen: VisibleState, last: tuple[VisibleState, int] | None) -> tuple[VisibleState, int]:
        return last if last is not None and last[0] == seen else (seen, self._store.number(self._draw(seen)))
