"""Pictures of the real screen, as SVG: `python -m tools.pictures` writes docs/pictures/<game>.svg for every game."""

from __future__ import annotations

import asyncio
import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console, Group, RenderableType
from rich.terminal_theme import MONOKAI

import games
from games.core import Event, Game, State
from runner.agents.bot_agent import BotAgent
from runner.agents.seat import Seat
from runner.agents.spec import parse_spec
from runner.match.config import MatchConfig
from runner.match.events import MatchEvent
from runner.match.loop import Match
from runner.screen.game_screens import screen_of
from runner.screen.narrator import event_line
from runner.screen.perspective import Perspective
from runner.screen.seat_states import SeatState, SeatStates
from runner.screen.table_header import Header, spent

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
WIDTH, HEIGHT = 100, 60
SEED = 1
MOMENTS = {"cat_in_the_box": 30, "coup": 37, "dixiquote": 32, "oriflamme": 40}
"""The decision at which a game is worth looking at; of others, the one in the middle of the match."""

LINES_OF_STORY = 2
_ASKED, _THINKING = 100.0, 4.0
SVG = re.sub(r"@font-face \{\{.*?\n    \}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code, ", "ui-monospace, "
)
"""Rich's page without the fonts that it loads from elsewhere."""


class Album:
    """Sink that keeps every state of a match, with what had been told by then."""

    def __init__(self) -> None:
        self.pages: list[tuple[State, tuple[Event, ...]]] = []
        self._told: tuple[Event, ...] = ()

    async def emit(self, event: MatchEvent) -> None:
        """Keep a state."""
        if event.record["kind"] in ("header", "decision"):
            self._told = (*self._told, *Perspective(sees_all=True).visible_events(event.events))[-LINES_OF_STORY:]
            self.pages.append((event.match.state, self._told))


def screen(game: Game) -> RenderableType:
    """The screen of a match between steady bots, at the game's moment."""
    setup = game.set_up(None, SEED, None, {})
    seats = tuple(Seat(parse_spec("bot:steady"), "bot:steady", "bot", {}) for _ in range(setup.players))
    album = Album()
    match = Match(MatchConfig(game, setup, seats, {}), [BotAgent(game.bots["steady"]) for _ in seats], [album])
    asyncio.run(match.run())
    state, told = album.pages[MOMENTS.get(game.name, len(album.pages) // 2)]
    table = screen_of(game)(Perspective(sees_all=True).visible(state, tuple(seat.name for seat in seats)))
    header = Header(state, spent(match.tallies))
    return Group(*(event_line(event) for event in told), header, table, _states(state))


def _states(state: State) -> SeatStates:
    """Those who are asked think."""
    seats = [SeatState(_ASKED if seat in state.pending else None) for seat in range(state.setup.players)]
    alive = state.view(None).get("alive") or [True] * len(seats)
    return SeatStates(seats, _ASKED + _THINKING, state.setup.options.strikes, [not is_in for is_in in alive])


def picture(game: Game) -> str:
    """The screen as an SVG document, the same in every run."""
    console = Console(
        width=WIDTH,
        height=HEIGHT,
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        emoji=False,
    )
    console.print(screen(game))
    return console.export_svg(title=f"tabletop play {game.name}", theme=MONOKAI, code_format=SVG, unique_id=game.name)


def main() -> None:
    """Write a picture for every game."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in games.names():
        (FOLDER / f"{name}.svg").write_text(picture(games.load(name)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
