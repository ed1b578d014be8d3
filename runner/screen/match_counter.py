"""Match counter: how many matches of a run have ended, on an animated terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from runner.arena.progress import Progress
from runner.screen.consoles import is_animated, narration

ShowProgress = Callable[[Progress], None]


@contextmanager
def match_counter(is_quiet: bool) -> Iterator[ShowProgress]:
    """A function that shows the progress of a run while the context lasts; without an animated terminal it shows nothing."""
    console = narration()
    if is_quiet or not is_animated(console):
        yield lambda progress: None
        return
    with console.status("") as status:

        def show(progress: Progress) -> None:
            status.update(f"{progress.ended} of {progress.total} matches")

        yield show
