"""Terminal loop of the replay viewer."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.control import Control

from runner.errors import LogDamagedError
from runner.record.decisions import no_decision
from runner.record.line_index import LogIndex
from runner.record.reader import read_sound_part
from runner.record.seek import SeekableDecisions
from runner.review.kept_reviews import review_path
from runner.screen.consoles import results
from runner.screen.keys import Keyboard
from runner.screen.perspective import Perspective
from runner.screen.player.page import Page
from runner.screen.player.viewer import Viewer
from runner.screen.safe_text import clean
from runner.screen.seen_review import SeenReview, kept_seen_review

_LOOK = 0.2
"""Seconds between checks of the window size."""


def show(path: Path, view: str, at: int, pause: float, has_thoughts: bool = False) -> None:
    """Step through a log on a terminal. LogDamagedError when it cannot be opened."""
    index = LogIndex.open(path)
    perspective = Perspective.of(view, index.header["players"])
    viewer = Viewer(SeekableDecisions(index), perspective, pause, has_thoughts, _review(path))
    if at > viewer.decisions.last:
        index.close()
        raise no_decision(at, viewer.decisions.last)
    viewer.go(at)
    try:
        with _ending_by_signal():
            _run(results(), viewer)
        _leave(results(), viewer)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        line = viewer.decision.line
        raise LogDamagedError(line, f"a record at or before this line is incomplete ({error!r}).") from error
    finally:
        index.close()


def _review(path: Path) -> SeenReview | None:
    """The review that is kept beside a log. The whole log is read only where there is a file of one."""
    return kept_seen_review(read_sound_part(path)) if review_path(path).exists() else None


def _run(console: Console, viewer: Viewer) -> None:
    page = Page(viewer)
    with Keyboard() as keyboard, console.screen() as screen:
        due, drawn = 0.0, None
        while not viewer.has_quit:
            if drawn != console.size:
                drawn = console.size
                console.control(Control.home())
                screen.update(page)
            key = keyboard.read(max(0.0, min(_LOOK, due - time.monotonic())) if viewer.is_playing else _LOOK)
            if key is not None:
                viewer.press(key)
                due, drawn = time.monotonic() + viewer.pause, None
            elif viewer.is_playing and time.monotonic() >= due:
                viewer.tick()
                due, drawn = time.monotonic() + viewer.pause, None


def _leave(console: Console, viewer: Viewer) -> None:
    """Print the position and how to continue there, unless the terminal is gone."""
    if not viewer.is_alone:
        console.print(Page(viewer).position)
        number = viewer.decision.number
        console.print(
            f"`tabletop replay {clean(viewer.decisions.index.path, 4096)} --at {number}` continues here.", soft_wrap=True
        )


@contextmanager
def _ending_by_signal() -> Iterator[None]:
    """Restore the terminal also when the process is terminated."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
