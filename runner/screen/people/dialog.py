"""Dialog: asks a human player for one decision, until the answer is legal and confirmed."""

from __future__ import annotations

from collections.abc import Collection

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from games.core import Answer, IllegalAction, Steps
from runner.agents.protocol import Ask
from runner.agents.talk import clean_line
from runner.screen.palette import BAD, QUIET, TITLE, seat_style
from runner.screen.people.help_commands import COMMANDS, HELP, PASS, SAY, HelpCommands, PlayerContext, is_written
from runner.screen.people.line_input import LineInput
from runner.screen.people.menu import Menu
from runner.screen.safe_text import block, clean, plain

_ROWS_BESIDE = 5
"""Rows of the terminal that a menu leaves free."""
_UNDO, _LEAVE = "u", "q"
_YES, _NO = ("y",), ("u", "n")


class Dialog:
    """Asks the human player at `lines` for a decision."""

    def __init__(self, console: Console, lines: LineInput, ask: Ask, context: PlayerContext) -> None:
        self._console = console
        self._lines = lines
        self._ask = ask
        self.said = ""
        self.passes_on = False
        """Whether the player passes until it is their turn or they are the target."""
        self._menu = None if is_written(ask.question) else Menu.of(ask.question.choices, context.called)
        self._help = HelpCommands(console, lines, context, ask, self._rows())

    async def answer(self, shows_events: bool) -> Answer:
        """A legal answer. EOFError when the player leaves."""
        await self._help.show_first(shows_events)
        return await (self._written() if self._menu is None else self._chosen(self._menu))

    @property
    def _hints(self) -> str:
        parts = ["? help", "r rules", "t table"]
        parts += [f"{PASS} pass until my turn"] * self._can_pass + [f"{SAY} WORDS"] * self._ask.can_talk
        return "".join(f"  {part}" for part in parts)

    @property
    def _can_pass(self) -> bool:
        return self._ask.question.passing is not None

    def _rows(self) -> int:
        """Rows of the first menu or prompt."""
        if self._menu is None:
            return 2
        parts = (self._title(self._menu), self._choices(self._menu))
        return 1 + sum(len(self._console.render_lines(part)) for part in parts)

    # -- choosing ----------------------------------------------------------------------------------------------------

    async def _chosen(self, first: Menu) -> Answer:
        menus = [first]
        while True:
            menus.append(await self._step(menus))
            if not menus[-1].is_decided:
                continue
            steps = menus[-1].taken
            if len(steps) == 1 or await self._is_meant(_steps(steps)):
                return menus[-1].choices_left[0].answer
            menus.pop()

    async def _step(self, menus: list[Menu]) -> Menu:
        """The menu after the next step. Undone steps are removed from `menus`."""
        self._print_menu(menus[-1])
        while True:
            typed = await self._line(f"{clean(menus[-1].what, 20)}> ", self._at_once(menus))
            if typed == PASS and self._can_pass:
                return self._passed()
            if typed == _UNDO and len(menus) > 1:
                menus.pop()
            elif typed and (after := menus[-1].after(typed)):
                return after
            elif typed and not typed.isspace():
                self._complain(_no_choice(menus[-1], typed, has_steps=len(menus) > 1))
                continue
            self._print_menu(menus[-1])

    def _at_once(self, menus: list[Menu]) -> list[str]:
        """The keys that need no Enter: those of a short menu, and commands that no name begins with."""
        letters = [*COMMANDS, *([_UNDO] if len(menus) > 1 else []), *([PASS] if self._can_pass else [])]
        if self._ask.can_talk:
            letters.remove(SAY[0])
        return [*menus[-1].single_keys, HELP, *(letter for letter in letters if not menus[-1].begins(letter))]

    def _passed(self) -> Menu:
        """The decision to pass, now and until it is the player's turn."""
        self.passes_on = True
        return Menu(tuple(choice for choice in self._ask.question.choices if choice.answer == self._ask.question.passing))

    def _print_menu(self, menu: Menu) -> None:
        self._console.print(self._title(menu))
        self._console.print(self._choices(menu))

    def _title(self, menu: Menu) -> Text:
        title = Text(f"Which {clean(menu.what, 20)}?", style=TITLE)
        if menu.depth:
            title += Text(f" {' · '.join(clean(step.name) for step in menu.taken)} · …", style=QUIET)
        return title + Text(self._hints, style=QUIET)

    def _choices(self, menu: Menu) -> RenderableType:
        whole = _listed(menu)
        fits = len(self._console.render_lines(whole)) <= self._console.height - _ROWS_BESIDE
        return whole if fits else _packed(menu)

    # -- writing -----------------------------------------------------------------------------------------------------

    async def _written(self) -> Answer:
        self._console.print(Text(f"Type your text, then Enter.{self._hints}", style=QUIET))
        while True:
            written = {field: await self._text(field) for field in self._ask.question.schema["properties"]}
            answer = self._checked(written)
            if answer is not None and await self._is_meant(_texts(answer)):
                return answer

    def _checked(self, written: Answer) -> Answer | None:
        """The answer, on one line if that makes it legal; None if it is not legal, which is said."""
        joined = {field: " ".join(str(text).split()) for field, text in written.items()}
        refusal = self._refusal(written)
        if not refusal:
            return written
        if any("\n" in str(text) for text in written.values()) and not self._refusal(joined):
            self._complain(f"{refusal} Its line breaks became blanks.")
            return joined
        self._complain(refusal)
        return None

    def _refusal(self, answer: Answer) -> str:
        try:
            self._ask.check(answer)
        except IllegalAction as refusal:
            return str(refusal)
        return ""

    async def _text(self, field: str) -> str:
        while (text := await self._line(f"{clean(field, 20)}> ", keeps_breaks=True)) in (None, _UNDO):
            pass
        assert text is not None
        while text.endswith("\\"):
            text = f"{text[:-1]}\n{await self._lines.read('...> ', keeps_breaks=True)}"
        return text.strip()

    # -- both ---------------------------------------------------------------------------------------------

    async def _is_meant(self, meaning: RenderableType) -> bool:
        """Whether the player confirms. A script is not asked. What was typed before is dropped: it cannot be meant as yes."""
        if not self._lines.is_interactive:
            return True
        self._console.print(Text("Your decision:", style=f"bold {seat_style(self._ask.seat)}"))
        self._console.print(meaning)
        self._lines.forget()
        while True:
            typed = await self._line("Enter: yes, u: undo> ", (*_YES, *_NO))
            if typed is not None and typed.casefold() in ("", *_YES, *_NO):
                return typed.casefold() not in _NO
            if typed is not None:
                self._complain("Press Enter to confirm, or y; u or n undoes it.")

    async def _line(self, prompt: str, at_once: Collection[str] = (), keeps_breaks: bool = False) -> str | None:
        """The next line; None if it was a help command, which has been run. EOFError when the player leaves."""
        while (typed := await self._lines.read(prompt, at_once, keeps_breaks)) == HELP:
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


def _listed(menu: Menu) -> Table:
    """Each choice with its effect; a name that equals its key is shown once."""
    choices = menu.choices
    has_names = any(choice.key != choice.name for choice in choices)
    rows = _grid(2 if has_names else 1)
    for choice in choices:
        name = [plain(menu.name_of(choice))] if has_names else []
        rows.add_row(choice.key, *name, block(choice.effect, QUIET))
    return rows


def _packed(menu: Menu) -> Columns:
    """Many choices side by side. The effect of one is shown when it has been chosen."""
    names = [Text(f"{choice.key} ", style=TITLE) + plain(menu.name_of(choice)) for choice in menu.choices]
    return Columns(names, padding=(0, 3))


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
