"""Scenes of what perspectives see, and scripts of games: those of other packages may be broken."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import cast

from games.core import Game, GameFault, scene
from games.core.definition import Definition
from games.core.drama import Script
from games.registry import OWN
from runner.film.perspective import VisibleState


def scene_of(game: Game, seen: VisibleState) -> scene.Scene:
    """The scene of what a perspective sees. A table of another package that cannot be drawn becomes a plain one with a note."""
    if game.name in OWN:
        return scene.table_of(game.table)(seen.view, seen.owns, seen.names)
    try:
        return scene.checked(scene.table_of(game.table)(seen.view, seen.owns, seen.names))
    except Exception as error:
        fault = GameFault.of(game.name, "table", error)
        note = f"The game's own table does not work: {fault}. `tabletop doctor` shows where."
        bare = scene.plain_table(seen.view, seen.owns, seen.names)
        return replace(bare, parts=(*bare.parts, scene.Steps((("", (scene.Word(note, scene.BAD),)),))))


def script_of(game: Game | Definition) -> Script:
    """How a game's events are told; plainly for a table of another package that does not work."""
    return _script(cast(Game, game).table, game.name in OWN)


@cache
def _script(module: str, is_own: bool) -> Script:
    try:
        return Script.of(module)
    except Exception:
        if is_own:
            raise
        return Script()


def shown_by_table(game: Game) -> frozenset[str]:
    """The kinds of events that a game's table shows, so that a story beside it need not tell them."""
    return script_of(game).shown
