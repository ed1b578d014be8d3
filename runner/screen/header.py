"""The line over every table, and the line of each seat's doing."""

from __future__ import annotations

from dataclasses import dataclass

from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from games.core import State
from runner.match.tally import Tally
from runner.screen.palette import QUIET, TITLE, seat_text


@dataclass(slots=True)
class Doing:
    """What a seat is doing: `since` is when it was asked (seconds, monotonic), `said` what it did last."""

    since: float | None = None
    said: str = ""
    spinner: Spinner | None = None


def spent(tallies: list[Tally]) -> str:
    """Tokens and money so far, in words."""
    tokens = sum(tally.prompt_tokens + tally.completion_tokens for tally in tallies)
    cost = sum(tally.cost for tally in tallies)
    return f"{tokens:,} tokens, ${cost:.4f}" if tokens else "no tokens"


def header(title: str, state: State, tallies: list[Tally]) -> Text:
    """Game, round, phase, seed and what was spent."""
    line = Text(f"{title} ", style=TITLE)
    line += Text(f"round {state.round} · {state.phase.name}", style="bold cyan")
    return line + Text(f" · seed {state.setup.seed} · {spent(tallies)}", style=QUIET)


def doings(seats: list[Doing], now: float) -> Table:
    """Who is thinking, and for how long; who has answered; who was struck out."""
    grid = Table.grid(padding=(0, 1))
    for seat, doing in enumerate(seats):
        since = doing.since  # the match may set it to None while this is drawn from another thread
        if since is not None:
            spinner = doing.spinner = doing.spinner or Spinner("dots")
            grid.add_row(seat_text(seat), spinner, Text(f"thinking, {now - since:.0f} s", style=QUIET))
        elif doing.said:
            doing.spinner = None
            grid.add_row(seat_text(seat), "", Text(doing.said, style=QUIET))
    return grid
