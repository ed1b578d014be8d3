"""Dialog: asks a human player for one decision, until the answer is legal and confirmed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.segment import SegmentLines
from rich.table import Table
from rich.text import Text

from games.core import Answer, IllegalAction, as_told
from games.menu import Letters, Menu, is_written, without_choices
from runner.agents.own_fields import prompt_options
from runner.agents.protocol import DecisionRequest, clean_line
from runner.prompting.pack import PromptPack, prompt_context
from runner.screen.keys import DIALOG, HELP, NO, PASS, SAY, UNDO, YES, help_on, keys_of, meaning
from runner.screen.line_input import ANY_KEY, LineInput
from runner.screen.palette import BAD, QUIET, TITLE, seat_style
from runner.screen.pane_layout import MenuPane
from runner.screen.safe_text import block, clean, clean_block, plain

if TYPE_CHECKING:
    from runner.screen.live import LiveScreen

_ROWS_BESIDE, _SHORTEST_PAGE = 5, 8
"""Rows of the terminal that a menu leaves free, and the fewest of a page of the rules."""
_NEVER_STRUCK = "You never give an invalid answer: you are asked again until what you type can be played.\n"
_RECENT_EVENTS = 8
"""Number of recent events that are shown without a command."""
_CONFIRM, _STAYS = "Enter: yes, u: undo> ", "u: take back> "
_TAKEN_BACK = 1.5
"""Seconds in which a choice of one step can be taken back."""
_WHOLE, _BETWEEN, _TEXT_ROWS = 200, 2, 6
"""Lines of a table that is turned page by page, columns between those of a menu, and lines of a text at most."""


@dataclass(slots=True)
class Dialog:
    """Asks the human player at `lines` for a decision. `table` draws the table in at most this many lines, `events` are those
    since the last decision, `called` has the names of players by seat. After it, `said` is what the player says to the table;
    `passes_on`: the player passes until it is their turn or they are the target. With `live` all of it is a pane of the page of
    the match, else it is printed line by line. `by_text`: what has no name but an id, and is shown by its text."""

    console: Console
    lines: LineInput
    ask: DecisionRequest
    table: Callable[[int], RenderableType]
    events: Sequence[Text]
    called: Sequence[str]
    live: LiveScreen | None = None
    letters: Letters | None = None
    by_text: Collection[str] = ()
    said: str = ""
    passes_on: bool = False
    _menus: list[Menu] = field(default_factory=list)
    """The menus of the steps that are taken and of the next one; none where the answer is written."""
    _earlier: str = ""
    """The text that was written before, and not meant or refused."""
    _pane: MenuPane = MenuPane(())

    async def answer(self, shows_events: bool) -> Answer:
        """A legal answer; `shows_events`: the most recent events are shown first. EOFError when the player leaves."""
        if shows_events and self.events and self.live is None:
            if (earlier := len(self.events) - _RECENT_EVENTS) > 0:
                self.console.print(Text(f"({earlier} earlier events; l shows all)", style=QUIET))
            for line in self.events[-_RECENT_EVENTS:]:
                self.console.print(line)
        if not is_written(self.ask.question):
            self._menus = [Menu.of(self.ask.question.choices, self._named, self.letters)]
        if self.live is None:
            await self.print_table()
        return await (self._chosen() if self._menus else self._written())

    # -- choosing ----------------------------------------------------------------------------------------------------

    async def _chosen(self) -> Answer:
        is_told = False
        while True:
            menu = self._menus[-1]
            if not is_told:
                self._show(*self._forms(menu))
            typed = await self._line(f"{clean(menu.what, 20)}> ", self._at_once(menu))
            is_told = False
            if typed == PASS and self.ask.question.passing is not None:
                self.passes_on = True
                return self.ask.question.passing
            if typed == UNDO and len(self._menus) > 1:
                self._menus.pop()
            elif typed and (after := menu.after(typed)):
                if not after.is_decided:
                    self._menus.append(after)
                    continue
                steps = after.taken
                names = ["" if step.what in self.by_text else self._named(step.name) for step in steps]
                told = _rows(
                    ("", plain(name, TITLE), self._effect(step.effect)) for name, step in zip(names, steps, strict=True)
                )
                if await (self._stays(told) if len(steps) == 1 else self._is_meant(told)):
                    return after.choices_left[0].answer
            elif typed and not typed.isspace():
                undo = f" To undo the last step, type {UNDO}." if len(self._menus) > 1 else ""
                self._complain("Nothing to undo." if typed == UNDO else menu.refusal(typed) + undo)
                is_told = True

    def _at_once(self, menu: Menu) -> list[str]:
        """The keys that need no Enter: those of a short menu, and commands that no name begins with."""
        letters = ["l", "r"] + [UNDO] * (len(self._menus) > 1) + [PASS] * (self.ask.question.passing is not None)
        return [*menu.single_keys, HELP, *(letter for letter in letters if not menu.begins(letter))]

    def _forms(self, menu: Menu) -> tuple[RenderableType, ...]:
        """What is chosen, and each choice with its effect; a name that equals its key is shown once. Where room is scarce,
        effects are cut, then choices stand side by side, and the effect of one is shown when it has been chosen."""
        title = Text(f"Which {clean(menu.what, 20)}?", style=TITLE)
        if menu.depth:
            title += Text(f" {' · '.join(clean(step.name) for step in menu.taken)} · …", style=QUIET)
        lines = [
            (Text(line.key, TITLE), plain(self._named(line.name)), self._effect(line.effect, QUIET)) for line in menu.choices
        ]
        has_names = menu.what not in self.by_text and any(line.key != line.name for line in menu.choices)
        rows = [line if has_names else line[::2] for line in lines]
        packed = Columns([key + Text(" ") + name for key, name, _ in lines], padding=(0, 3))
        if self.live is not None:
            asked = [Text(self._asked, style=TITLE)] * (len(self._menus) < 2)
            return (
                Group(*asked, title, _rows(rows)),
                Group(title, _rows(rows)),
                Group(*[title] * bool(menu.depth), _rows(rows)),
                Group(title, _rows([(*row[:-1], row[-1].copy()) for row in rows], self.console.width)),
                Group(title, packed),
            )
        fits = len(self.console.render_lines(_rows(rows))) <= self.console.height - _ROWS_BESIDE
        return (Group(title + self._hints, _rows(rows) if fits else packed),)

    @property
    def _asked(self) -> str:
        return clean_block(without_choices(self.ask.question, self.called, self.ask.seat))

    def _effect(self, text: str, style: str = "") -> Text:
        return block(self._named(text), style)

    def _named(self, text: str) -> str:
        return as_told(text, self.called, self.ask.seat)

    @property
    def _hints(self) -> Text:
        parts = [f"{HELP} help", "r rules", "l look"]
        parts += [f"{PASS} pass until my turn"] * (self.ask.question.passing is not None) + [
            f"{SAY}WORDS say"
        ] * self.ask.can_talk
        return Text("".join(f"  {part}" for part in parts), style=QUIET)

    # -- writing -----------------------------------------------------------------------------------------------------

    async def _written(self) -> Answer:
        self._ask_for_text()
        written = dict.fromkeys(self.ask.question.schema["properties"], "")
        while True:
            written = {field: await self._text(field, before) for field, before in written.items()}
            if (answer := self._checked(written)) is None:
                continue
            if await self._is_meant(_rows(("", block(text, "italic")) for text in answer.values())):
                return answer
            self._ask_for_text(" Up: your last text.")

    def _ask_for_text(self, more: str = "") -> None:
        how = Text(f"Type your text, then Enter.{more}", style=QUIET) + self._hints
        self._show(Group(*([self._asked] if self.live else []), how))

    def _checked(self, written: Answer) -> Answer | None:
        """The answer, on one line if that makes it legal; None if it is not legal, which is said."""
        if not (refusal := self._refusal(written)):
            return written
        joined = {field: " ".join(str(text).split()) for field, text in written.items()}
        is_joined = any("\n" in str(text) for text in written.values()) and not self._refusal(joined)
        self._complain(f"{refusal} Its line breaks became blanks." if is_joined else refusal)
        return joined if is_joined else None

    def _refusal(self, answer: Answer) -> str:
        try:
            self.ask.check(answer)
        except IllegalAction as refusal:
            return str(refusal)
        return ""

    async def _text(self, field: str, before: str) -> str:
        self._earlier = before
        while (text := await self._line(f"{clean(field, 20)}> ", keeps_breaks=True)) in (None, UNDO):
            pass
        assert text is not None
        while text.endswith("\\"):
            text = f"{text[:-1]}\n{await self.lines.read('...> ', keeps_breaks=True)}"
        return text.strip()

    # -- both --------------------------------------------------------------------------------------------------------

    async def _is_meant(self, meaning: RenderableType) -> bool:
        """Whether the player confirms. A script is not asked. What was typed before is dropped: it cannot be meant as yes."""
        if not self.lines.is_interactive:
            return True
        self._show(Group(Text("Your decision:", style=f"bold {seat_style(self.ask.seat)}"), meaning))
        self.lines.forget()
        while True:
            typed = await self._line(_CONFIRM, (*YES, *NO))
            if typed is not None and typed.casefold() in ("", *YES, *NO):
                return typed.casefold() not in NO
            if typed is not None:
                self._complain("Press Enter to confirm, or y; u or n undoes it.")

    async def _stays(self, meaning: RenderableType) -> bool:
        """Whether the player lets a choice of one step stand: on the page it can be taken back for a moment."""
        if self.live is None or not self.live.viewer.pacing.seconds:
            return True
        self._show(Group(Text("Your decision:", style=f"bold {seat_style(self.ask.seat)}"), meaning))
        self.lines.forget()
        with suppress(TimeoutError):
            async with asyncio.timeout(_TAKEN_BACK):
                return await self._line(_STAYS, (*YES, *NO)) not in NO
        return True

    async def _line(self, prompt: str, at_once: Collection[str] = (), keeps_breaks: bool = False) -> str | None:
        """The next line; None if it was a command, which has been run. EOFError when the player leaves."""
        while (typed := await self._read(prompt, at_once, keeps_breaks)) == HELP:
            await self.print_help()
        if typed in at_once and self._menus and self._menus[-1].is_key(typed):
            return typed
        if (command := meaning(self, DIALOG, typed)) is not None:
            await command()
        elif self.ask.can_talk and typed.startswith(SAY):
            self.said = clean_line(typed.removeprefix(SAY))
            self._note(Text(f"You will say: {self.said}" if self.said else "You will say nothing.", style=QUIET))
        else:
            return typed
        return None

    async def _read(self, prompt: str, at_once: Container[str] = (), keeps_breaks: bool = False) -> str:
        if self.live is not None:
            hints = self._hints.plain.split("  ")[1:]
            rows = max(1, min(_TEXT_ROWS, self.console.height // 4)) if keeps_breaks else 1
            self.live.ask(replace(self._pane, hints=hints, has_choices=bool(self._menus), rows=rows))
            self._pane = replace(self._pane, note=None)
        return await self.lines.read(prompt, at_once, keeps_breaks, self._earlier if keeps_breaks else "")

    def _show(self, *forms: RenderableType) -> None:
        if self.live is None:
            self.console.print(forms[0])
        else:
            self._pane = MenuPane(forms, self._pane.note)

    def _note(self, line: Text) -> None:
        if self.live is None:
            self.console.print(line)
        else:
            self._pane = replace(self._pane, note=line)

    async def _pages(self, *parts: RenderableType) -> None:
        """Show parts that take the whole page, screen by screen."""
        lines = [line for part in parts for line in self.console.render_lines(part, pad=False)]
        beside = self.console.height - 2 if self.live is None else self.live.typing[-1] - 2
        page = max(_SHORTEST_PAGE, beside) if self.lines.is_interactive else len(lines)
        before = self._pane
        for start in range(0, len(lines), page):
            is_last, shown = start + page >= len(lines), SegmentLines(lines[start : start + page], new_lines=True)
            if self.live is None:
                self.console.print(shown, end="")
            self._pane = MenuPane((shown,), is_page=True)
            prompt = "-- any key: back -- " if is_last else "-- any key: next page, q: back -- "
            if self.lines.is_interactive and await self._read(prompt, ANY_KEY) in ("q", "escape"):
                break
        self._pane = before

    def _complain(self, why: str) -> None:
        self._note(Text("✗ ", style=BAD) + block(self._named(why), "yellow", 1000))

    # -- commands ----------------------------------------------------------------------------------------------------

    async def leave(self) -> None:
        """Leave the table."""
        raise EOFError

    async def look(self) -> None:
        """Show the table if it is not there, the question, each choice with its effect, and all since the last decision."""
        table = [] if self.live else [self.table(_WHOLE)]
        choices = [self._asked] * (len(self._menus) != 1) + [self._forms(menu)[0] for menu in self._menus[-1:]]
        told = self.events or [Text("Nothing has happened since your last decision.", style=QUIET)]
        await self._pages(*table, *choices, Text("Since your last decision", style=TITLE), *told)

    async def print_table(self) -> None:
        """Print the table and the question, with room for the first menu or prompt below them."""
        question = Text(self._asked, style=TITLE)
        below = [Text(), *(self._forms(self._menus[0]) if self._menus else [Text()])]
        room = self.console.height - sum(len(self.console.render_lines(part)) for part in (question, *below))
        self.console.print(self.table(max(1, room)), question, sep="")

    async def print_help(self) -> None:
        """Print the keys."""
        question = self.ask.question
        names = ["choosing" if self._menus else "writing", "dialog"]
        names += ["passing"] * (question.passing is not None) + ["talking"] * self.ask.can_talk
        keys = [one for name in names for one in keys_of(name)]
        if self.live is None:
            self.console.print(Text(self._asked), help_on(keys))
        else:
            await self._pages(Text(self._asked), help_on(keys))

    async def turn_rules(self) -> None:
        """Show the rules page by page: what is different for a person, and the first message of a model."""
        ask = self.ask
        context = prompt_context(ask.view, ask.question, prompt_options(ask.setup), False)
        text = PromptPack().render(ask.view["game"], ask.question.role, context)[0]["content"]
        await self._pages(Text(_NEVER_STRUCK, QUIET), Markdown(clean_block(text)))


def _rows(rows: Iterable[Sequence[Text | str]], width: int = 0) -> Table:
    """Rows of a key, perhaps a name, and a text that takes the room that is left: with a `width` in one line."""
    grid, given = Table.grid(padding=(0, _BETWEEN, 0, 0)), [*rows]
    for number in range(len(given[0]) - 1):
        grid.add_column(justify="left" if number else "right", no_wrap=True)
        width -= (max(cell_len(str(row[number])) for row in given) + _BETWEEN) * (width > 0)
    grid.add_column(ratio=1)
    for row in given:
        if width and isinstance(row[-1], Text):
            row[-1].truncate(max(1, width), overflow="ellipsis")
        grid.add_row(*row)
    return grid
