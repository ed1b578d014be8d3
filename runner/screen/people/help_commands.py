"""What a person can ask for while a decision is theirs: help, rules, the table, the story."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from games.core import Question
from runner.screen.palette import QUIET, TITLE
from runner.screen.people.lines import Lines
from runner.screen.responsive import Within
from runner.screen.safe_text import clean_block

_SHORTEST_PAGE = 8
_LAST_THINGS = 8
"""What happened last, told without being asked for."""

HELP = "?"
_KEYS = (
    (HELP, "this help"),
    ("t", "the table again"),
    ("s", "all that happened since your last decision"),
    ("r", "the rules"),
    ("u", "undo: take the last step back"),
    ("q", "pause the match, as Ctrl-D and Ctrl-C do; `tabletop resume` asks you again"),
)
_CHOOSING = (
    ("3", "the choice with that number; its name, or how the name begins, does as well"),
    ("3 1", "two steps at once"),
    ("Enter", "the choices again; where you are asked to confirm: yes"),
)
_WRITING = (
    ("words", "your text: Enter ends it, and is asked for once more to confirm"),
    ("words\\", "a backslash at the end: another line follows"),
    (" q", "with a space before it a single letter is text"),
)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person may see beside the question: the table, what happened since their last decision, the rules."""

    table: Callable[[], RenderableType]
    story: Sequence[Text]
    rules: Callable[[], str]


class Asides:
    """Shows what is asked for."""

    def __init__(self, console: Console, lines: Lines, sight: Sight, question: Question, rows_below: int) -> None:
        """`rows_below` are the rows of what is printed below the table and the question."""
        self._rows_below = rows_below
        self._console = console
        self._lines = lines
        self._sight = sight
        self._question = question
        self._asked: dict[str, Callable[[], Awaitable[None]]] = {
            "t": self._table,
            "s": self._story,
            "r": self._rules,
        }

    async def has(self, typed: str) -> bool:
        """Show what was asked for; whether anything was."""
        if typed in self._asked:
            await self._asked[typed]()
        return typed in self._asked

    async def show_first(self, tells_story: bool) -> None:
        """The table and the question, before them the last things that happened if `tells_story`."""
        story = self._sight.story
        if tells_story and story:
            earlier = len(story) - _LAST_THINGS
            if earlier > 0:
                self._console.print(Text(f"({earlier} things happened before; s tells them all)", style=QUIET))
            self._tell(story[-_LAST_THINGS:])
        await self._table()

    async def _table(self) -> None:
        question = Text(clean_block(_asked(self._question)), style=TITLE)
        rows = self._rows_below + len(self._console.render_lines(question))
        self._console.print(Within(self._sight.table(), self._console.height - rows), question, sep="")

    async def _story(self) -> None:
        self._tell(self._sight.story or [Text("Nothing has happened since your last decision.", style=QUIET)])

    def _tell(self, story: Sequence[Text]) -> None:
        for line in story:
            self._console.print(line)

    def help(self) -> None:
        """What can be typed, and what for."""
        rows = Table.grid(padding=(0, 2))
        rows.add_column(no_wrap=True, style=TITLE)
        rows.add_column()
        for typed, what in (*(_WRITING if is_written(self._question) else _CHOOSING), *_KEYS):
            rows.add_row(typed, what)
        self._console.print(Text(clean_block(_asked(self._question))), rows)

    async def _rules(self) -> None:
        lines = self._console.render_lines(Markdown(clean_block(self._sight.rules())), pad=False)
        page = max(_SHORTEST_PAGE, self._console.height - 2) if self._lines.is_interactive else len(lines)
        for start in range(0, len(lines), page):
            for segments in lines[start : start + page]:
                self._console.print(Text.assemble(*((segment.text, segment.style or "") for segment in segments)))
            is_last = start + page >= len(lines)
            prompt = "-- Enter: back --" if is_last else "-- Enter: more rules, q: enough --"
            if self._lines.is_interactive and await self._lines.read(f"{prompt} ") == "q":
                return


def is_written(question: Question) -> bool:
    """Whether a text is asked for, and not a choice."""
    return any("enum" not in field for field in question.schema["properties"].values())


def _asked(question: Question) -> str:
    """The question without its list of choices, which the menu shows."""
    first, _, choices = question.text.partition("\n")
    asked, end, announced = first.rpartition(". ")
    return f"{asked}." if choices and end and announced.endswith(":") else first
