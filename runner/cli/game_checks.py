"""Game checks: whether every game can be loaded, has its prompts, and has a screen and a page that draw."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING

import games
from games.core import Game
from games.registry import OWN
from runner.cli.finding import Finding

if TYPE_CHECKING:
    from runner.screen.perspective import VisibleState


def game_findings() -> Iterator[Finding]:
    """A finding for each game, and one with a traceback for each that does not work."""
    for broken in games.registered().broken:
        yield Finding("games", "wrong", f"{broken}{_trace(broken.__cause__)}")
    for game in games.registered().games:
        fault = _missing_prompts(game) or _broken_screen(game) or _broken_page(game)
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

    try:
        draw = installed_screen(game.name)
        if draw is not None:
            Console(file=StringIO(), width=80).print(draw(_first_state(game)))
    except Exception as error:
        return f"its screen does not work: {type(error).__name__}: {error}{_trace(error)}"
    return ""


def _broken_page(game: Game) -> str:
    """What the web page of another package raises on the first state of a match."""
    if game.name in OWN:
        return ""
    from runner.export.page.game_tables import installed_page

    try:
        page = installed_page(game.name)
        if page is not None:
            seen = _first_state(game)
            page.table(seen)
            if page.chart is not None:
                page.chart(seen.view)
    except Exception as error:
        return f"its page does not work: {type(error).__name__}: {error}{_trace(error)}"
    return ""


def _first_state(game: Game) -> VisibleState:
    from runner.screen.perspective import EVERYTHING, Perspective

    state = game.begin()
    names = tuple(f"player {seat}" for seat in range(state.setup.players))
    return Perspective.of(EVERYTHING, len(names)).visible(state, names)


def _trace(error: BaseException | None) -> str:
    """The lines of code at which something failed, from a new line on; empty if nothing was raised."""
    return "" if error is None else "\n" + "".join(traceback.format_exception(error)).rstrip()
