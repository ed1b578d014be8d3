"""Progress bar on standard error, for work over many files; nothing where it is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from typing import TypeVar

from runner.screen.consoles import is_animated, narration

Item = TypeVar("Item")


def with_progress(items: Iterable[Item], total: int, what: str) -> Generator[Item]:
    """The items, while a bar shows how many of `total` have come."""
    console = narration()
    if not is_animated(console):
        yield from items
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(what), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn(compact=True)
    # rich would write on standard error what is printed meanwhile: right only if both are the terminal
    with Progress(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as progress:
        yield from progress.track(items, total)
