"""Lobby: what `tabletop` alone shows on a terminal: the games, who sits where, and the last matches."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.table import Table
from rich.text import Text

import games
from games.core import Game, seat_name
from runner.agents.environment import Environment
from runner.film.pacing import NATURAL, next_speed
from runner.record.log_paths import LOGS, has_logs
from runner.record.log_summary import LogState, LogSummary, summarise
from runner.screen.line_breaks import on_a_line
from runner.screen.palette import QUIET, TITLE, seat_style
from runner.screen.safe_text import clean, plain

_BOTS = {
    "human": "you",
    "bot:search": "bot:search · thinks ahead",
    "bot:steady": "bot:steady · quick, by rules of thumb",
    "offline": "offline · answers at random",
}
"""The players that are always there, in words."""
_SEATS, _LAST, _USUAL, _LONGEST_NAME = "abcdefgh", 12, 4, 30
"""The keys of seats, the newest logs that are looked at, the seats at first, the letters of a name."""
_KEYS = "↑↓ choose · ←→ change · Enter play · q quit"
_MORE_KEYS = "1-9 game · + - seats · a-{last} seat · n name · t talk · s speed"


@dataclass(slots=True)
class Lobby:
    """The choice of a match. `words` are those of the command that it comes to: none before it is made, and to leave.
    `row`: the line that arrows change: a game, a seat, the name, talk or speed."""

    games: tuple[Game, ...]
    players: tuple[str, ...]
    last: tuple[tuple[Path, LogSummary], ...] = ()
    chosen: int = 0
    seats: list[str] = field(default_factory=list)
    words: tuple[str, ...] | None = None
    row: int = 0
    name: str = ""
    is_naming: bool = False
    has_talk: bool = False
    speed: float = NATURAL

    def __post_init__(self) -> None:
        self._seat(len(self.seats) or _USUAL)

    @property
    def game(self) -> Game:
        return self.games[self.chosen]

    def press(self, key: str) -> None:
        if self.is_naming:
            self._type(key)
        elif key in ("q", "escape", "eof", "gone"):
            self.words = ()
        elif key == "enter":
            self.words = self._command
        elif key in ("w", "k") and (log := self._newest(key == "w")) is not None:
            self.words = ("replay" if key == "w" else "resume", str(log[0]))
        elif key in ("up", "down"):
            self._go(self.row + (1 if key == "down" else -1))
        elif key in ("left", "right"):
            self._change(self.row, 1 if key == "right" else -1)
        elif key in ("+", "=", "-"):
            self._seat(len(self.seats) + (-1 if key == "-" else 1))
        elif (place := f"{_SEATS[: len(self.seats)]}nts".find(key)) >= 0:
            self._change(len(self.games) + place, 1)
        elif key.isdecimal() and 0 < int(key) <= len(self.games):
            self._go(int(key) - 1)

    @property
    def _command(self) -> tuple[str, ...]:
        """The words of the match; the first person has the name."""
        you = self.seats.index("human") if self.name and "human" in self.seats else -1
        seats = [f"{self.name}={seat}" if place == you else seat for place, seat in enumerate(self.seats)]
        more = ["--talk"] * self.has_talk + ["--speed", f"{self.speed:g}"] * (self.speed != NATURAL)
        return "play", self.game.name, *(word for seat in seats for word in ("--seat", seat)), *more

    def _go(self, row: int) -> None:
        self.row = row % (len(self.games) + len(self.seats) + 3)
        if self.row < len(self.games):
            self.chosen = self.row
            self._seat(len(self.seats))

    def _change(self, row: int, step: int) -> None:
        """Change what a line says: the seats of a game, the player of a seat, the name, talk, speed."""
        place = row - len(self.games)
        if place < 0:
            self._seat(len(self.seats) + step)
        elif place < len(self.seats):
            self.seats[place] = self.players[(self.players.index(self.seats[place]) + step) % len(self.players)]
        elif (what := place - len(self.seats)) == 0:
            self.is_naming = True
        elif what == 1:
            self.has_talk = not self.has_talk
        else:
            self.speed = next_speed(self.speed, step)

    def _type(self, key: str) -> None:
        self.is_naming = key not in ("enter", "escape", "eof", "gone")
        letter = key if len(key) == 1 and key.isprintable() and key != "=" else ""
        self.name = self.name[:-1] if key == "backspace" else f"{self.name}{letter}"[:_LONGEST_NAME]

    def _seat(self, count: int) -> None:
        """Take this many seats, or the nearest number that the game allows: a person, a bot that thinks, and quick ones."""
        count = min(max(count, self.game.players[0]), self.game.players[-1])
        self.seats = [*self.seats, *["human", "bot:search", *["bot:steady"] * count][len(self.seats) :]][:count]

    def _newest(self, has_ended: bool) -> tuple[Path, LogSummary] | None:
        wanted = LogState.FINISHED if has_ended else LogState.RESUMABLE
        return next((log for log in self.last if log[1].state == wanted), None)

    def page(self) -> RenderableType:
        table, head = Table.grid(padding=(0, 2, 0, 0)), Text.assemble(("tabletop  ", TITLE), (_KEYS, QUIET))
        for number, game in enumerate(self.games, 1):
            style, room = TITLE if game is self.game else "", f"{game.players[0]}-{game.players[-1]}"
            about = on_a_line(plain(game.summary))
            table.add_row(Text(f"{self._sign(number - 1)} {number}"), Text(game.title, style), Text(room, QUIET), about)
        more = Text(_MORE_KEYS.format(last=_SEATS[len(self.seats) - 1]), QUIET)
        return Group(head, Text(), table, Text(), *self._lines(), Text(), *self._matches(), more)

    def _sign(self, row: int) -> str:
        return "▶" if row == self.row else " "

    def _lines(self) -> Iterator[Text]:
        """The seats, and what else is chosen."""
        start = len(self.games)
        for place, player in enumerate(self.seats):
            who = on_a_line(Text.assemble((seat_name(place), seat_style(place)), f"  {_BOTS.get(player) or clean(player, 60)}"))
            yield Text(f"{self._sign(start + place)} {_SEATS[place]} ") + who
        name = f"{self.name}_ (Enter ends it)" if self.is_naming else self.name or "none: standings and players see `human`"
        talk, speed = (
            "on: players may speak" if self.has_talk else "off",
            f"{self.speed:g} s an event" if self.speed else "no pauses",
        )
        for place, line in enumerate((f"n your name: {name}", f"t talk: {talk}", f"s speed: {speed}"), start + len(self.seats)):
            yield Text(f"{self._sign(place)} {line}")
        if len(self.players) == len(_BOTS):
            yield Text("  No models are set up: `tabletop doctor` says how.", QUIET)

    def _matches(self) -> Iterator[Text]:
        for key, what, has_ended in (("w", "watch", True), ("k", "keep playing", False)):
            if (log := self._newest(has_ended)) is not None:
                won = ", ".join(log[1].names[seat] for seat in log[1].winners)
                title = next((game.title for game in self.games if game.name == log[1].game), clean(log[1].game, 60))
                facts = f"{title}, {clean(log[1].created)[:10]}" + (f", {clean(won, 60)} won" if won else "")
                yield Text(f"  {key} {what}: {facts}")


def lobby(environment: Environment) -> Lobby:
    """The lobby with the games, the agents of agents.toml and the newest logs that there are."""
    from runner.cli.options import newest_files
    from runner.errors import UsageError

    try:
        newest = newest_files(LOGS)[:_LAST] if has_logs(LOGS) else []
    except UsageError:
        newest = []
    last = tuple((path, summarise(path)) for path in newest)
    return Lobby(games.registered().games, (*_BOTS, *environment.agents, *environment.programs), last)


def chosen_commands() -> Iterator[tuple[str, ...]]:
    """The words of each command that a person chooses in the lobby, until they leave. Their choices stay."""
    from runner.cli.command_environment import load_environment
    from runner.screen.consoles import narration
    from runner.screen.full_screen import FullScreen
    from runner.screen.keys import Keyboard

    found, screen = lobby(load_environment()), FullScreen(narration())
    while found.words != ():
        try:
            with Keyboard() as keyboard:
                while found.words is None:
                    screen.show(Layout(found.page()))
                    if (key := keyboard.read(1.0)) is not None:
                        found.press(key)
        finally:
            screen.hide()
        if found.words:
            yield found.words
            now = lobby(load_environment())
            found = replace(found, last=now.last, players=now.players, words=None)
