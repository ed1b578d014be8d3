"""Pictures of the real screen: `python -m tools.pictures` writes docs/pictures/<game>.svg and .cast for every game."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

import games
from games.core import Game
from runner.agents.bot_seats import BotAgent
from runner.agents.spec import Seat, parse_spec
from runner.api import play
from runner.export.match_pictures import console_picture, picture_console
from runner.export.transcripts import to_cast
from runner.film.perspective import Perspective
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.match.match_state import MatchEvent
from runner.record.reader import read_log
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
WIDTH, HEIGHT = 120, 32
SEED = 1
MOMENTS = {"cat_in_the_box": 30, "coup": 72, "dixiquote": 39, "oriflamme": 40}
"""The decision after which a game is worth looking at."""
_USUAL_MOMENT = 20
RECORDED = {"coup": 2, "oriflamme": 2}
"""The seeds of matches that are worth watching."""
SHORT: dict[str, Any] = {"dixiquote": {"max_rounds": 3}}
"""Options that make them short."""
_ASKED, _THINKING = 100.0, 4.0


class Photographer:
    """Sink that draws the live screen after a number of decisions."""

    def __init__(self, moment: int, camera: Console) -> None:
        self._moment = moment
        self._camera = camera
        self._now = _ASKED
        blind = Console(file=io.StringIO(), width=WIDTH, height=HEIGHT, force_terminal=True, color_system=None)
        self._screen = LiveScreen(blind, Narrator(Perspective(sees_all=True)), clock=lambda: self._now)
        self._decisions = 0

    async def emit(self, event: MatchEvent) -> None:
        """Follow the match, and draw it at the moment."""
        await self._screen.emit(event)
        self._screen.hide()  # a slow machine would draw in between, and each drawing keeps its room
        self._decisions += event.record["kind"] == "decision"
        if event.record["kind"] == "decision" and self._decisions == self._moment:
            self._now += _THINKING
            self._screen.draw()
            self._camera.print(self._screen.page(), height=HEIGHT)


def draw(game: Game, camera: Console) -> None:
    """Draw the screen of a match between steady bots on a console, at the game's moment."""
    setup = game.set_up(None, SEED, None, {})
    seats = tuple(Seat(parse_spec("bot:steady"), "bot:steady", "bot", {}) for _ in range(setup.players))
    photographer = Photographer(MOMENTS.get(game.name, _USUAL_MOMENT), camera)
    match = Match(MatchConfig(game, setup, seats, {}), [BotAgent(game.bots["steady"]) for _ in seats], [photographer])
    asyncio.run(match.run())


def picture(game: Game) -> str:
    """The screen as an SVG document, the same in every run."""
    console = picture_console(WIDTH, HEIGHT)
    draw(game, console)
    return console_picture(console, f"tabletop play {game.name}", game.name)


def recording(game: Game) -> str:
    """A short match of three as an asciicast without its time, the same in every run."""
    seats = dict.fromkeys(("Ann", "Ben", "Cleo"), "bot:steady")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        play(game.name, seats, log=path, seed=RECORDED.get(game.name, SEED), **SHORT.get(game.name, {}))
        log = read_log(path)
        head, *events = to_cast(log, Narrator(Perspective()).of(log.header["seats"]), 1.0).splitlines(keepends=True)
    facts = {name: value for name, value in json.loads(head).items() if name != "timestamp"}
    return json.dumps(facts) + "\n" + "".join(events)


def main() -> None:
    """Write a picture and a recording for every game."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in games.names():
        (FOLDER / f"{name}.svg").write_text(picture(games.load(name)) + "\n", encoding="utf-8")
        (FOLDER / f"{name}.cast").write_text(recording(games.load(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
