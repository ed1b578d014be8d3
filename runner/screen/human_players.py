"""Human players: decisions at a terminal that several players may share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from games.core import Game, seat_name
from games.core.eye import VisibleState
from games.core.sentence import YOU
from games.menu import is_written
from games.scenes import scene_of, script_of
from runner.agents.protocol import Decided, DecisionRequest
from runner.errors import PausedError
from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent
from runner.screen.dialog import Dialog
from runner.screen.line_input import LineInput
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET, TITLE, seat_style
from runner.screen.scene_rich import SceneTable
from runner.screen.seat_labels import labels_of
from runner.screen.shared_terminal import SharedTerminal

if TYPE_CHECKING:
    from runner.match.header import MatchConfig
    from runner.screen.live import LiveScreen

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Cursor to the top left, erase the screen, erase the scrollback."""


class HumanPlayers:
    """Asks the human players at `seats`, one at a time. Also a sink of the match's events.

    With several players every decision is private: the keyboard is handed over first, and the screen is cleared at the end.
    `has_narration`: the terminal already shows all that the only player may know, except what was in the log of a resumed
    match (`is_resumed`).
    """

    def __init__(
        self,
        terminal: SharedTerminal,
        config: MatchConfig,
        seats: Sequence[int],
        console: Console,
        lines: LineInput,
        has_narration: bool,
        is_resumed: bool,
    ) -> None:
        self._terminal, self._config, self._console, self._lines = terminal, config, console, lines
        self._has_narration, self._is_resumed = has_narration, is_resumed
        self._is_shared = len(seats) > 1 and lines.is_interactive
        self._called = labels_of(config.seats)
        self._keyboard = asyncio.Lock()
        self._has_left = False
        self._passing: set[int] = set()
        self._events: dict[int, list[Text]] = {seat: [] for seat in seats}

    async def decide(self, ask: DecisionRequest) -> Decided:
        """The decision of the player at the seat. PausedError when a player leaves."""
        async with self._keyboard:
            if self._has_left:
                raise PausedError("a player has left the table.")
            if ask.question.passing is None:  # it is their turn, or they are the target
                self._passing.discard(ask.seat)
            elif ask.seat in self._passing:
                return Decided(ask.question.passing)
            await self._terminal.settle()
            self._lines.page = live = self._terminal.lend(ask.seat, self._lines.is_interactive)
            try:
                return await self._decided(ask, live)
            except EOFError:
                self._has_left = True
                raise PausedError(f"{self._called[ask.seat]} has left the table.") from None
            finally:
                if self._is_shared:
                    self._clear(live)
                await self._terminal.take_back()

    async def _decided(self, ask: DecisionRequest, live: LiveScreen | None) -> Decided:
        self._lines.forget()
        if self._is_shared:
            await self._hand_over(ask.seat, live)
        events = self._events[ask.seat]
        shows_events, self._is_resumed = self._is_resumed or not self._has_narration, False
        table, script = partial(self._table, ask), script_of(self._config.game)
        letters = None if live is None else script.letters
        dialog = Dialog(self._console, self._lines, ask, table, events, self._called, live, letters, script.by_text)
        answer = await dialog.answer(shows_events)
        if dialog.passes_on:
            self._passing.add(ask.seat)
        self._lines.forget()
        events.clear()
        return Decided(answer, dialog.said)

    async def _hand_over(self, seat: int, live: LiveScreen | None) -> None:
        """Show nothing until the player at the seat confirms."""
        self._clear(live)
        who = self._called[seat]
        self._console.print(Text.assemble("Pass the keyboard to ", (who, f"bold {seat_style(seat)}"), "."))
        self._console.print(f"The next screen is for {who} only. Everyone else, please look away.")
        await self._lines.read(f"{who}, press Enter> ")
        self._clear(None)

    def _clear(self, live: LiveScreen | None) -> None:
        if live is not None:
            live.blank()
        if self._console.is_dumb_terminal:
            self._console.print("\n" * self._console.height)
        else:
            self._console.file.write(_CLEAR)
            self._console.file.flush()

    def _table(self, ask: DecisionRequest, room: int) -> RenderableType:
        seats = self._config.seats
        who = self._called[ask.seat] if self._is_shared else YOU
        return question_table(self._config.game, ask, who, labels_of(seats, ask.seat), room)

    async def emit(self, event: MatchEvent) -> None:
        """Remember what each player may know of an event, for their next decision."""
        for seat, events in self._events.items():
            narrator = Narrator(Perspective(seat)).of(event.match.config.seats, is_played=True)
            said = [line for record in event.said if record["kind"] == "talk" for line in narrator.told(record, 0)]
            events += [*said, *narrator.events(event.events)]


def question_table(game: Game, ask: DecisionRequest, who: str, names: tuple[str, ...], room: int) -> RenderableType:
    """The table of a question to `who` in at most `room` lines, with the names of the players."""
    view = ask.view
    phase = script_of(game).titles.get(view["phase"]["id"], view["phase"]["name"])
    title = Text(who, f"bold {seat_style(ask.seat)}") + Text(f" · {game.title} · {phase}", style=TITLE)
    seen = VisibleState(view, {ask.seat: view["own"]}, names)
    table = SceneTable(scene_of(game, seen), has_menu=not is_written(ask.question), height=room)
    return Group(Rule(title, align="left", style=QUIET), table)


class LonePerson:
    """Asks the person called `name` at the terminal for decisions of several matches, in turn; `place`: which of how many."""

    def __init__(self, game: Game, console: Console, lines: LineInput, name: str) -> None:
        self._game, self._console, self._lines, self._name = game, console, lines, name
        self.place: Callable[[], str] = str
        self._keyboard = asyncio.Lock()

    async def decide(self, ask: DecisionRequest) -> Decided:
        """The decision of the person. PausedError when they leave."""
        async with self._keyboard:
            self._lines.forget()
            names = tuple(YOU if seat == ask.seat else seat_name(seat) for seat in range(ask.setup.players))
            table = partial(question_table, self._game, ask, f"{self._name} · {self.place()}", names)
            alone = replace(ask, question=ask.question._replace(passing=None))  # no further question of the match follows
            dialog = Dialog(self._console, self._lines, alone, table, (), names)
            try:
                return Decided(await dialog.answer(shows_events=False))
            except EOFError:
                raise PausedError("the person at the terminal has left.") from None
