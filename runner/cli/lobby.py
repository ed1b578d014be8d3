"""Lobby: what `tabletop` alone shows on a terminal: the games, who sits where, and the last matches."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.table import Table
from rich.text import Text

import games
from games.core import Game, seat_name
from runner.agents.environment import Environment
from runner.record.log_paths import LOGS, has_logs
from runner.record.log_summary import LogState, LogSummary, summarise
from runner.screen.palette import QUIET, TITLE, seat_style
from runner.screen.safe_text import clean, plain

_BOTS = ("human", "bot:search", "bot:steady", "offline")
_SEATS, _LAST, _USUAL = "abcdefgh", 12, 4
"""The keys of seats, the newest logs that are looked at, and the seats at first."""
_KEYS = "1-9 game · + - seats · a-{last} change a seat · Enter play · q quit"


@dataclass(slots=True)
class Lobby:
    """The choice of a match. `words` are those of the command that it comes to: none before it is made, and to leave."""

    games: tuple[Game, ...]
    players: tuple[str, ...]
    last: tuple[tuple[Path, LogSummary], ...] = ()
    chosen: int = 0
    seats: list[str] = field(default_factory=list)
    words: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        self._seat(len(self.seats) or _USUAL)

    @property
    def game(self) -> Game:
        return self.games[self.chosen]

    def press(self, key: str) -> None:
        if key in ("q", "escape", "eof", "gone"):
            self.words = ()
        elif key == "enter":
            self.words = ("play", self.game.name, *(word for seat in self.seats for word in ("--seat", seat)))
        elif key in ("w", "k") and (log := self._newest(key == "w")) is not None:
            self.words = ("replay" if key == "w" else "resume", str(log[0]))
        elif key in ("+", "=", "-"):
            self._seat(len(self.seats) + (-1 if key == "-" else 1))
        elif key in _SEATS[: len(self.seats)]:
            place = _SEATS.index(key)
            self.seats[place] = self.players[(self.players.index(self.seats[place]) + 1) % len(self.players)]
        elif key.isdecimal() and 0 < int(key) <= len(self.games):
            self.chosen = int(key) - 1
            self._seat(len(self.seats))

    def _seat(self, count: int) -> None:
        """Take this many seats, or the nearest number that the game allows: a person, a bot that thinks, and quick ones."""
        count = min(max(count, self.game.players[0]), self.game.players[-1])
        self.seats = [*self.seats, *[*_BOTS[:2], *[_BOTS[2]] * count][len(self.seats) :]][:count]

    def _newest(self, has_ended: bool) -> tuple[Path, LogSummary] | None:
        wanted = LogState.FINISHED if has_ended else LogState.RESUMABLE
        return next((log for log in self.last if log[1].state == wanted), None)

    def page(self) -> RenderableType:
        table = Table.grid(padding=(0, 2, 0, 0))
        for number, game in enumerate(self.games, 1):
            style, sign = (TITLE, "▶") if game is self.game else ("", " ")
            room = f"{game.players[0]}-{game.players[-1]}"
            table.add_row(Text(f"{sign} {number}"), Text(game.title, style), plain(game.summary), Text(room, QUIET))
        return Group(
            Text("tabletop", TITLE),
            Text(),
            table,
            Text(),
            *self._seats(),
            Text(),
            *self._matches(),
            Text(_KEYS.format(last=_SEATS[len(self.seats) - 1]), QUIET),
        )

    def _seats(self) -> Iterator[Text]:
        for place, player in enumerate(self.seats):
            who = "you" if player == "human" else clean(player, 60)
            yield Text.assemble(f"  {_SEATS[place]} ", (seat_name(place), seat_style(place)), f"  {who}")
        if len(self.players) == len(_BOTS):
            yield Text("  No models are set up: `tabletop doctor` says how. offline answers at random.", QUIET)

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
    names = (*environment.agents, *environment.programs)
    return Lobby(games.registered().games, (*_BOTS, *names), last)


def chosen_words() -> tuple[str, ...]:
    """The words of the command that a person chooses in the lobby; none to leave."""
    from runner.cli.command_environment import load_environment
    from runner.screen.consoles import narration
    from runner.screen.full_screen import FullScreen
    from runner.screen.keys import Keyboard

    found, screen = lobby(load_environment()), FullScreen(narration())
    try:
        with Keyboard() as keyboard:
            while found.words is None:
                screen.show(Layout(found.page()))
                if (key := keyboard.read(1.0)) is not None:
                    found.press(key)
    finally:
        screen.hide()
    return found.words
