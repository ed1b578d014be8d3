"""Table header: the line above every table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from games.core import State
from runner.match.tally import Tally
from runner.screen.palette import QUIET, TITLE

_BETWEEN = " · "


def spent(tallies: list[Tally], budget: float | None = None) -> str:
    """Tokens and cost so far, and the budget in USD; empty when nothing was spent and there is no budget."""
    tokens = sum(tally.prompt_tokens + tally.completion_tokens for tally in tallies)
    cost = sum(tally.cost for tally in tallies)
    if not tokens and budget is None:
        return ""
    return f"{tokens:,} tokens, ${cost:.4f}" + ("" if budget is None else f" of ${budget:.2f}")


@dataclass(frozen=True, slots=True)
class Header:
    """Game, round, phase, seed and spending; on two lines if the game's longest phase does not fit on one.

    `has_seed` is for the view of all alone: anyone can deal the match again from its seed.
    """

    state: State
    spent: str = ""
    has_seed: bool = False
    keys: tuple[Text, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for number, line in enumerate(self._lines(options)):
            yield line if number else self._with_keys(line, options.max_width)

    def _with_keys(self, line: Text, width: int) -> Text:
        """The first line with the longest text about keys that fits beside it, at the right edge."""
        for keys in self.keys:
            gap = width - line.cell_len - keys.cell_len
            if gap >= len(_BETWEEN):
                return line + Text(" " * gap) + keys
        return line

    def _lines(self, options: ConsoleOptions) -> Iterator[Text]:
        where = self._where(self.state.phase.name)
        facts = _BETWEEN.join(filter(None, (f"seed {self.state.setup.seed}" if self.has_seed else "", self.spent)))
        longest = max((phase.name for phase in self.state.game.phases), key=cell_len)
        if not facts:
            yield _short(where)
        elif len(self._where(longest)) + cell_len(_BETWEEN + facts) <= options.max_width:
            yield where + Text(_BETWEEN + facts, style=QUIET)
        else:
            yield _short(where)
            yield _short(Text(facts, style=QUIET))

    def _where(self, phase: str) -> Text:
        title = Text(self.state.game.title, style=TITLE)
        return title + Text(f"{_BETWEEN}{self.state.game.round_word} {self.state.round}{_BETWEEN}{phase}", style="bold cyan")


def _short(line: Text) -> Text:
    line.no_wrap, line.overflow = True, "ellipsis"
    return line
