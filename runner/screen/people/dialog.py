"""Dialog: asks a human player for one decision, until the answer is legal and confirmed."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from games.core import Answer, IllegalAction, Steps
from runner.agents.protocol import Ask
from runner.agents.talk import clean_line
from runner.screen.palette import BAD, QUIET, TITLE, seat_style
from runner.screen.people.help_commands import HELP, SAY, HelpCommands, PlayerContext, is_written
from runner.screen.people.line_input import LineInput
from runner.screen.people.menu import Menu, MenuLine
from runner.screen.safe_text import block, clean, plain

_ROWS_BESIDE = 5
"""Rows of the terminal that a menu leaves free."""
_UNDO, _LEAVE = "u", "q"


class Dialog:
    """Asks the human player at `lines` for a decision."""

    def __init__(self, console: Console, lines: LineInput, ask: Ask, context: PlayerContext) -> None:
        self._console = console
        self._lines = lines
        self._ask = ask
        self.said = ""
        self._menu = None if is_written(ask.question) else Menu.of(ask.question.choices)
        self._help = HelpCommands(console, lines, context, ask, self._rows())

    async def answer(self, shows_events: bool) -> Answer:
        """A legal answer. EOFError when the player leaves."""
        await self._help.show_first(shows_events)
        return await (self._written() if self._menu is None else self._chosen(self._menu))

    @property
    def _hints(self) -> str:
        return f"  ? help, {SAY} WORDS" if self._ask.can_talk else "  ? help"

    def _rows(self) -> int:
        """Rows of the first menu or prompt."""
        return 2 if self._menu is None else 2 + len(self._console.render_lines(self._choices(self._menu)))

    # -- choosing ----------------------------------------------------------------------------------------------------

    async def _chosen(self, first: Menu) -> Answer:
        menus = [first]
        while True:
            menus.append(await self._step(menus))
            if not menus[-1].is_decided:
                continue
            if await self._is_meant(_steps(menus[-1].taken)):
                return menus[-1].choices_left[0].answer
            menus.pop()

    async def _step(self, menus: list[Menu]) -> Menu:
        """The menu after the next step. Undone steps are removed from `menus`."""
        self._print_menu(menus[-1])
        while True:
            typed = await self._line(f"{clean(menus[-1].what, 20)}> ")
            if typed == _UNDO and len(menus) > 1:
                menus.pop()
            elif typed and (after := menus[-1].after(typed)):
                return after
            elif typed and not typed.isspace():
                self._complain(_no_choice(menus[-1], typed, has_steps=len(menus) > 1))
                continue
            self._print_menu(menus[-1])

    def _print_menu(self, menu: Menu) -> None:
        title = Text(f"Which {clean(menu.what, 20)}?", style=TITLE)
        if menu.depth:
            title += Text(f" {' · '.join(clean(step.name) for step in menu.taken)} · …", style=QUIET)
        self._console.print(title + Text(self._hints, style=QUIET))
        self._console.print(self._choices(menu))

    def _choices(self, menu: Menu) -> RenderableType:
        whole = _listed(menu.choices)
        fits = len(self._console.render_lines(whole)) <= self._console.height - _ROWS_BESIDE
        return whole if fits else _packed(menu.choices)

    # -- writing -----------------------------------------------------------------------------------------------------

    async def _written(self) -> Answer:
        self._console.print(Text(f"Type your text, then Enter.{self._hints}", style=QUIET))
        while True:
            answer = {field: await self._text(field) for field in self._ask.question.schema["properties"]}
            try:
                self._ask.check(answer)
            except IllegalAction as refusal:
                self._complain(str(refusal))
                continue
            if await self._is_meant(_texts(answer)):
                return answer

    async def _text(self, field: str) -> str:
        while (text := await self._line(f"{clean(field, 20)}> ")) in (None, _UNDO):
            pass
        assert text is not None
        while text.endswith("\\"):
            text = f"{text[:-1]}\n{await self._lines.read('...> ')}"
        return text.strip()

    # -- both ---------------------------------------------------------------------------------------------

    async def _is_meant(self, meaning: RenderableType) -> bool:
        """Whether the player confirms. A script is not asked."""
        if not self._lines.is_interactive:
            return True
        self._console.print(Text("Your decision:", style=f"bold {seat_style(self._ask.seat)}"))
        self._console.print(meaning)
        while True:
            typed = await self._line("Enter: yes, u: undo> ")
            if typed == _UNDO or typed == "":
                return typed != _UNDO
            if typed is not None:
                self._complain("Press Enter to confirm, or type u and Enter to undo.")

    async def _line(self, prompt: str) -> str | None:
        """The next line; None if it was a help command, which has been run. EOFError when the player leaves."""
        while (typed := await self._lines.read(prompt)) == HELP:
            self._help.print_help()
        if typed == _LEAVE:
            raise EOFError
        if self._ask.can_talk and typed.partition(" ")[0] == SAY:
            self._say(typed.removeprefix(SAY))
            return None
        return None if await self._help.run(typed) else typed

    def _say(self, words: str) -> None:
        """Say words to the table together with the decision; no words take back what was to be said."""
        self.said = clean_line(words)
        told = f"You will say: {self.said}" if self.said else "You will say nothing."
        self._console.print(Text(told, style=QUIET))

    def _complain(self, why: str) -> None:
        self._console.print(Text("✗ ", style=BAD) + block(why, "yellow", 1000))


def _no_choice(menu: Menu, typed: str, has_steps: bool) -> str:
    if typed == _UNDO:
        return "Nothing to undo."
    return menu.refusal(typed) + (f" To undo the last step, type {_UNDO}." if has_steps else "")


def _grid(short_columns: int) -> Table:
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(justify="right", no_wrap=True, style=TITLE)
    for _ in range(short_columns - 1):
        rows.add_column(no_wrap=True)
    rows.add_column(ratio=1)
    return rows


def _listed(choices: list[MenuLine]) -> Table:
    """Each choice with its effect; a name that equals its key is shown once."""
    has_names = any(choice.key != choice.name for choice in choices)
    rows = _grid(2 if has_names else 1)
    for choice in choices:
        name = [plain(choice.name)] if has_names else []
        rows.add_row(choice.key, *name, block(choice.effect, QUIET))
    return rows


def _packed(choices: list[MenuLine]) -> Columns:
    """Many choices side by side. The effect of one is shown when it has been chosen."""
    return Columns([Text(f"{choice.key} ", style=TITLE) + plain(choice.name) for choice in choices], padding=(0, 3))


def _steps(steps: Steps) -> Table:
    rows = _grid(2)
    for step in steps:
        rows.add_row("", plain(step.name, TITLE), block(step.effect))
    return rows


def _texts(answer: Answer) -> Table:
    rows = _grid(1)
    for text in answer.values():
        rows.add_row("", block(text, "italic"))
    return rows
