"""Human players: decisions at a terminal that several players may share."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from games.core import PHASE, Answer, seat_name
from runner.agents.human_agent import Decided
from runner.agents.protocol import Ask
from runner.errors import PausedError
from runner.match.events import MatchEvent
from runner.screen.game_screens import screen_of
from runner.screen.narrator import Narrator, event_line
from runner.screen.palette import QUIET, TITLE, seat_text
from runner.screen.people.dialog import Dialog
from runner.screen.people.help_commands import PlayerContext, is_written, rules_of
from runner.screen.people.line_input import LineInput
from runner.screen.perspective import Perspective, VisibleState
from runner.screen.seat_labels import called, labels_of
from runner.screen.shared_terminal import SharedTerminal

if TYPE_CHECKING:
    from runner.match.config import MatchConfig

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
        self._terminal = terminal
        self._config = config
        self._console = console
        self._lines = lines
        self._has_narration = has_narration
        self._is_resumed = is_resumed
        self._is_shared = len(seats) > 1 and lines.is_interactive
        self._keyboard = asyncio.Lock()
        self._has_left = False
        self._passing: set[int] = set()
        self._events: dict[int, list[Text]] = {seat: [] for seat in seats}

    # -- deciding ----------------------------------------------------------------------------------------------------

    async def decide(self, ask: Ask) -> Decided:
        """The decision of the player at the seat. PausedError when a player leaves."""
        async with self._keyboard:
            if self._has_left:
                raise PausedError("a player has left the table.")
            if (passing := self._passing_answer(ask)) is not None:
                return Decided(passing)
            self._terminal.lend()
            try:
                return await self._decided(ask)
            except EOFError:
                self._has_left = True
                raise PausedError(f"{seat_name(ask.seat)} has left the table.") from None
            finally:
                await self._take_back()

    def _passing_answer(self, ask: Ask) -> Answer | None:
        """The answer of a player who passes until it is their turn or they are the target; None once that is so."""
        if ask.question.passing is None:
            self._passing.discard(ask.seat)
        return ask.question.passing if ask.seat in self._passing else None

    async def _decided(self, ask: Ask) -> Decided:
        self._lines.forget()
        if self._is_shared:
            await self._hand_over(ask.seat)
        events = self._events[ask.seat]
        context = PlayerContext(lambda: self._table(ask), events, lambda: rules_of(ask), self._called())
        shows_events, self._is_resumed = self._is_resumed or not self._has_narration, False
        dialog = Dialog(self._console, self._lines, ask, context)
        answer = await dialog.answer(shows_events)
        if dialog.passes_on:
            self._passing.add(ask.seat)
        self._lines.forget()
        events.clear()
        return Decided(answer, dialog.said)

    def _called(self) -> dict[str, str]:
        """The names that were given to players, by seat."""
        return {seat_name(seat): name for seat, name in enumerate(called(self._config.seats)) if name}

    async def _hand_over(self, seat: int) -> None:
        """Show nothing until the player at the seat confirms."""
        self._clear()
        self._console.print(Text("Pass the keyboard to ") + seat_text(seat) + Text("."))
        self._console.print(f"The next screen is for {seat_name(seat)} only. Everyone else, please look away.")
        await self._lines.read(f"{seat_name(seat)}, press Enter> ")
        self._clear()

    async def _take_back(self) -> None:
        if self._is_shared:
            self._clear()
        await self._terminal.take_back()

    def _clear(self) -> None:
        """Clear the terminal and its scrollback."""
        if self._console.is_dumb_terminal:
            self._console.print("\n" * self._console.height)
        else:
            self._console.file.write(_CLEAR)
            self._console.file.flush()

    def _table(self, ask: Ask) -> RenderableType:
        """The table as the seat sees it."""
        game, view = self._config.game, ask.view
        names = tuple(seat.name for seat in self._config.seats)
        title = seat_text(ask.seat) + Text(f" · {game.title} · {view['phase']['name']}", style=TITLE)
        seen = VisibleState(view, {ask.seat: view["own"]}, names, has_menu=not is_written(ask.question))
        return Group(Rule(title, align="left", style=QUIET), screen_of(game)(seen))

    # -- following the match -----------------------------------------------------------------------------------------

    async def emit(self, event: MatchEvent) -> None:
        """Remember what each player may know of an event, for their next decision."""
        for seat, events in self._events.items():
            visible = Perspective(seat=seat).visible_events(event.events)
            labels = labels_of(event.match.config.seats)
            events += [event_line(one, labels) for one in visible if one.kind != PHASE]
            if event.record["kind"] == "talk":
                events += Narrator(Perspective(seat=seat), labels=labels).talk([event.record])
