"""Table header: the lines above and below every table."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from games.core import State
from runner.match.tally import Tally
from runner.screen.palette import QUIET, TITLE
from runner.screen.seat_states import SPINNER

_BETWEEN = " · "


def spent(tallies: list[Tally], budget: float | None = None) -> str:
    """Tokens and cost so far, and the budget in USD; empty when nothing was spent and there is no budget."""
    tokens = sum(tally.prompt_tokens + tally.completion_tokens for tally in tallies)
    cost = sum(tally.cost for tally in tallies)
    if not tokens and budget is None:
        return ""
    return f"{tokens:,} tokens, ${cost:.4f}" + ("" if budget is None else f" of ${budget:.2f}")


def elapsed(seconds: float) -> str:
    """A time as minutes and seconds, with hours from one hour."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@dataclass(frozen=True, slots=True)
class Header:
    """Game, round, phase, seed and `facts` on one line where they fit beside the game's longest phase; at the right
    edge the longest of the texts about keys that fits.

    `has_seed` is for the view of all alone: anyone can deal the match again from its seed.
    """

    state: State
    facts: str = ""
    has_seed: bool = False
    keys: tuple[Text, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, line = options.max_width, self._where(self.state.phase.name)
        line.no_wrap, line.overflow = True, "ellipsis"
        longest = max((phase.name for phase in self.state.game.phases), key=cell_len)
        used = self._where(longest).cell_len
        for fact in filter(None, (f"seed {self.state.setup.seed}" if self.has_seed else "", self.facts)):
            if used + cell_len(_BETWEEN + fact) <= width:
                line.append(_BETWEEN + fact, QUIET)
                used += cell_len(_BETWEEN + fact)
        keys = next((text for text in self.keys if used + len(_BETWEEN) + text.cell_len <= width), Text())
        line.pad_right(max(0, width - line.cell_len - keys.cell_len))
        yield line.append_text(keys)

    def _where(self, phase: str) -> Text:
        game, where = self.state.game, f"{_BETWEEN}{self.state.game.round_word} {self.state.round}{_BETWEEN}{phase}"
        return Text.assemble((game.title, TITLE), (where, "bold cyan"))


SIGNS = (
    ("▶", "to move"),
    (SPINNER[0], "thinks"),
    ("✓", "answered"),
    ("✗", "invalid answer"),
    ("✦", "highlight"),
    ("↻", "retry"),
    ("†", "out"),
)


@dataclass(frozen=True, slots=True)
class StatusLine:
    """The last line: keys, what the signs mean as long as there is room, and on the right `facts`, which come first."""

    facts: str = ""
    keys: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width - cell_len(self.facts) - _GAP
        line = Text("", style=QUIET, no_wrap=True, overflow="ellipsis")
        for word in (*filter(None, (self.keys,)), *(f"{sign} {words}" for sign, words in SIGNS)):
            if line.cell_len + _GAP * bool(line) + cell_len(word) > room:
                break
            line.append(" " * _GAP * bool(line) + word)
        line.pad_right(max(0, options.max_width - line.cell_len - cell_len(self.facts)))
        yield line.append(self.facts)


_GAP = 2
