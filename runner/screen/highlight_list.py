"""List of the highlights of a match: how many there are of each kind, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group
from rich.text import Text

from games.core import Game
from runner.record.highlights import Highlight, best, highlight_counts
from runner.screen.hanging_text import HangingText, hanging
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET, TITLE


def highlight_lines(game: Game, highlights: Sequence[Highlight], narrator: Narrator) -> list[HangingText]:
    """A line of counts and one for each of the best highlights, with its decision; nothing where there are none."""
    if not highlights:
        return []
    counts = " · ".join(f"{words} {count}" for words, count in highlight_counts(game, highlights).items())
    lines = [Text("Highlights: ", style=TITLE) + Text(counts), *(_line(game, one, narrator) for one in best(highlights))]
    return [hanging(line) for line in lines]


def print_highlights(console: Console, game: Game, highlights: Sequence[Highlight], narrator: Narrator) -> None:
    """Print the list: on a terminal broken at words, elsewhere with each highlight on one line."""
    is_narrow = console.is_terminal and not console.is_dumb_terminal
    for line in highlight_lines(game, highlights, narrator):
        console.print(Group(line), soft_wrap=not is_narrow)  # in a group it keeps its way to wrap


def _line(game: Game, highlight: Highlight, narrator: Narrator) -> Text:
    where = f"  decision {highlight.number}, {game.round_word} {highlight.round}: "
    return Text(where, style=QUIET) + narrator.highlight(highlight)


def highlight_facts(highlights: Sequence[Highlight]) -> list[dict[str, object]]:
    """The highlights as JSON data."""
    return [
        {
            "decision": highlight.number,
            "round": highlight.round,
            "kind": highlight.kind,
            "seat": highlight.remark.seat,
            "weight": highlight.remark.weight,
            "text": highlight.text,
        }
        for highlight in highlights
    ]
