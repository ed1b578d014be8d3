"""Result screen: the end of a match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from games.core import Game, counted, seat_name
from runner.match.records import ResultRecord
from runner.screen.hanging_text import hanging
from runner.screen.palette import QUIET, TITLE, seat_text
from runner.screen.safe_text import clean, plain
from runner.screen.seat_labels import labels_of_records
from runner.screen.slash_breaks import SlashBreaks


def result_screen(game: Game, result: ResultRecord) -> RenderableType:
    """Final scores with the mistakes and the cost of each seat, and why the match ended."""
    facts = Text(clean(f"seed {result['seed']}, rules {result['rules']}"), style=QUIET)
    return Group(_Standings(game, result), *map(Text, earlier_players(result)), Text(verdict(result)), facts)


def earlier_players(result: ResultRecord) -> Iterator[str]:
    """A line for each player who had a seat before its last one, and took tokens."""
    for seat in result["seats"]:
        for player in seat.get("earlier", ()):
            if tokens := player["prompt_tokens"] + player["completion_tokens"]:
                who = f"{seat_name(seat['seat'])} was {clean(player['name'])} before"
                yield f"{who}: {tokens:,} tokens, ${player['cost']:.4f}, {counted(player['mistakes'], 'invalid answer')}."


def verdict(result: ResultRecord) -> str:
    """Who won, and why the match ended, as one sentence."""
    labels = labels_of_records(result["seats"])
    *others, last = (labels[winner] for winner in result["winners"]) if result["winners"] else ("nobody",)
    who = f"{', '.join(others)} and {last} share the win" if others else f"{last} wins"
    return f"{who}: {'; '.join(clean(reason) for reason in result['ending'])}."


@dataclass(frozen=True, slots=True)
class _Standings:
    """One row per seat, the best first."""

    game: Game
    result: ResultRecord

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        is_narrow, is_tight = options.max_width < _ROOM_FOR_FULL_TITLES, options.max_width < _ROOM_FOR_ALL
        rows = Table(
            title=f"{self.game.title}: result",
            title_style=TITLE,
            title_justify="left",
            box=None,
            header_style=QUIET,
            pad_edge=False,
        )
        rows.add_column("", no_wrap=True)
        rows.add_column("Seat", no_wrap=True)
        rows.add_column("Player", min_width=10)
        counts = () if is_tight else ("Inv.", "Pen.", "Tokens") if is_narrow else ("Invalid", "Penalties", "Tokens")
        for name in ("Score", *counts, "Cost"):
            rows.add_column(name, justify="right", no_wrap=True)
        _fill(rows, self.result, has_counts=not is_tight)
        yield rows


_ROOM_FOR_FULL_TITLES, _ROOM_FOR_ALL = 76, 54


def _fill(rows: Table, result: ResultRecord, has_counts: bool) -> None:
    for seat in sorted(range(result["players"]), key=lambda seat: -result["scores"][seat]):
        facts = result["seats"][seat]
        tokens = facts["prompt_tokens"] + facts["completion_tokens"]
        counts = [str(facts["mistakes"]), str(facts["penalties"]), f"{tokens:,}" if tokens else "-"]
        rows.add_row(
            Text("★ wins", style="bold green") if seat in result["winners"] else "",
            seat_text(seat),
            SlashBreaks(plain(facts["name"])),
            str(result["scores"][seat]),
            *(counts if has_counts else ()),
            f"${facts['cost']:.4f}" if tokens else "-",
        )


def print_log(console: Console, log: Path) -> None:
    """Print the path of the log, which is never broken; on a terminal also the commands that use it."""
    name = clean(log, 4096)
    if not console.is_terminal:
        console.print(Text(f"Log: {name} (tabletop replay {name})"), soft_wrap=True)
        return
    console.print(Text(f"Log: {name}"), soft_wrap=True)
    console.print(Group(*(hanging(Text(f"  tabletop {verb:<20}{what}", style=QUIET)) for verb, what in _NEXT)))


_NEXT = (
    ("replay LOG", "step through the match"),
    ("fork LOG --at N", "play on from decision N"),
    ("export LOG --html", "write a web page"),
)
