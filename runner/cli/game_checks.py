"""Game checks: whether every game can be loaded, has its prompts, and has a screen that draws."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from io import StringIO

import games
from games.core import Game
from games.registry import OWN
from runner.cli.finding import Finding


def game_findings() -> Iterator[Finding]:
    """A finding for each game, and one with a traceback for each that does not work."""
    for broken in games.registered().broken:
        yield Finding("games", "wrong", f"{broken}{_trace(broken.__cause__)}")
    for game in games.registered().games:
        fault = _missing_prompts(game) or _broken_screen(game)
        what = fault or f"rules version {game.rules_version}, {len(game.roles)} prompts"
        yield Finding(game.title, "wrong" if fault else "ok", what)


def _missing_prompts(game: Game) -> str:
    from runner.prompting.pack import PromptPack

    missing = [role for role in game.roles if f"{game.name}/{role}.j2" not in PromptPack().digests(game.name)]
    return f"missing prompts: {', '.join(missing)}" if missing else ""


def _broken_screen(game: Game) -> str:
    """What the screen of another package raises on the first state of a match."""
    if game.name in OWN:
        return ""
    from rich.console import Console

    from runner.screen.game_screens import installed_screen
    from runner.screen.perspective import EVERYTHING, Perspective

    try:
        draw, state = installed_screen(game.name), game.begin()
        names = tuple(f"player {seat}" for seat in range(state.setup.players))
        if draw is not None:
            Console(file=StringIO(), width=80).print(draw(Perspective.of(EVERYTHING, len(names)).visible(state, names)))
    except Exception as error:
        return f"its screen does not work: {type(error).__name__}: {error}{_trace(error)}"
    return ""


def _trace(error: BaseException | None) -> str:
    """The lines of code at which something failed, from a new line on; empty if nothing was raised."""
    return "" if error is None else "\n" + "".join(traceback.format_exception(error)).rstrip()
