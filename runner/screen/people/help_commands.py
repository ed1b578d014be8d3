"""Help commands of a human player during a decision: help, rules, table, events."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from games.core import Question
from runner.agents.protocol import Ask
from runner.agents.wording import prompt_options
from runner.prompting.pack import PromptPack, prompt_context
from runner.screen.palette import QUIET, TITLE
from runner.screen.people.line_input import LineInput
from runner.screen.responsive import MaxHeight
from runner.screen.safe_text import clean_block

_SHORTEST_PAGE = 8
_RECENT_EVENTS = 8
"""Number of recent events that are shown without a command."""

HELP = "?"
SAY = "say"
PASS = "w"
COMMANDS = ("t", "s", "r")
_KEYS = (
    (HELP, "show this help"),
    ("t", "show the table"),
    ("s", "show everything since your last decision"),
    ("r", "show the rules"),
    ("u", "undo the last step"),
    ("q", "pause the match, like Ctrl-D and Ctrl-C; `tabletop resume` continues it"),
)
_TALKING = ((f"{SAY} words", "say words to the whole table with your decision; the last ones count"),)
_PASSING = ((PASS, "pass now, and on every claim and action of others until it is your turn or you are the target"),)
_CHOOSING = (
    ("3", "choose by number: up to 9 choices need no Enter; the start of a name works too, with Enter"),
    ("3 1", "choose two steps at once; a choice of one step counts at once, one of several steps is confirmed"),
    ("y, Enter", "confirm; n and u undo. Enter in a menu shows the choices again"),
)
_WRITING = (
    ("words", "your text; Enter ends it, y or a second Enter confirms it, n or u undoes it"),
    ("", "pasted line breaks are kept if the rules allow them, else they become blanks"),
    ("words\\", "a backslash at the end: continue on the next line"),
    (" q", "a space before a single letter: text, not a command"),
)


@dataclass(frozen=True, slots=True)
class PlayerContext:
    """What a human player may see besides the question: table, events since the last decision, rules."""

    table: Callable[[], RenderableType]
    events: Sequence[Text]
    rules: Callable[[], str]
    called: Mapping[str, str] = field(default_factory=dict)
    """The names of players by seat."""


class HelpCommands:
    """Runs the help commands."""

    def __init__(self, console: Console, lines: LineInput, context: PlayerContext, ask: Ask, rows_below: int) -> None:
        """`rows_below`: rows that are printed below the table and the question."""
        self._rows_below = rows_below
        self._console = console
        self._lines = lines
        self._context = context
        self._question = ask.question
        passing = _PASSING if ask.question.passing is not None else ()
        self._keys = (*_KEYS, *passing, *(_TALKING if ask.can_talk else ()))
        self._commands: dict[str, Callable[[], Awaitable[None]]] = {
            "t": self._table,
            "s": self._events,
            "r": self._rules,
        }

    async def run(self, typed: str) -> bool:
        """Run a command. False if the text is not a command."""
        if typed in self._commands:
            await self._commands[typed]()
        return typed in self._commands

    async def show_first(self, shows_events: bool) -> None:
        """Print the table and the question; with `shows_events`, the most recent events before them."""
        events = self._context.events
        if shows_events and events:
            earlier = len(events) - _RECENT_EVENTS
            if earlier > 0:
                self._console.print(Text(f"({earlier} earlier events; s shows all)", style=QUIET))
            self._print_lines(events[-_RECENT_EVENTS:])
        await self._table()

    async def _table(self) -> None:
        question = Text(clean_block(_asked(self._question)), style=TITLE)
        rows = self._rows_below + len(self._console.render_lines(question))
        self._console.print(MaxHeight(self._context.table(), self._console.height - rows), question, sep="")

    async def _events(self) -> None:
        self._print_lines(self._context.events or [Text("Nothing has happened since your last decision.", style=QUIET)])

    def _print_lines(self, lines: Sequence[Text]) -> None:
        for line in lines:
            self._console.print(line)

    def print_help(self) -> None:
        """Print the question and what can be typed."""
        rows = Table.grid(padding=(0, 2))
        rows.add_column(no_wrap=True, style=TITLE)
        rows.add_column()
        for typed, what in (*(_WRITING if is_written(self._question) else _CHOOSING), *self._keys):
            rows.add_row(typed, what)
        self._console.print(Text(clean_block(_asked(self._question))), rows)

    async def _rules(self) -> None:
        lines = self._console.render_lines(Markdown(clean_block(self._context.rules())), pad=False)
        page = max(_SHORTEST_PAGE, self._console.height - 2) if self._lines.is_interactive else len(lines)
        for start in range(0, len(lines), page):
            for segments in lines[start : start + page]:
                self._console.print(Text.assemble(*((segment.text, segment.style or "") for segment in segments)))
            is_last = start + page >= len(lines)
            prompt = "-- Enter: back --" if is_last else "-- Enter: next page, q: back --"
            if self._lines.is_interactive and await self._lines.read(f"{prompt} ", ("q",)) == "q":
                return


def rules_of(ask: Ask) -> str:
    """The rules for the player who is asked, in Markdown: the first message that a model would get."""
    context = prompt_context(ask.view, ask.question, prompt_options(ask.setup), False, True, None)
    return PromptPack().render(ask.view["game"], ask.question.role, context)[0]["content"]


def is_written(question: Question) -> bool:
    """Whether the answer is free text and not a choice."""
    return any("enum" not in field for field in question.schema["properties"].values())


def _asked(question: Question) -> str:
    """The question without its list of choices, which the menu shows."""
    first, _, choices = question.text.partition("\n")
    asked, end, announced = first.rpartition(". ")
    return f"{asked}." if choices and end and announced.endswith(":") else first
