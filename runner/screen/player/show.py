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
from runner.record.line_index import LogIndex
from runner.record.seek import SeekableDecisions
from runner.screen.consoles import results
from runner.screen.keys import Keyboard
from runner.screen.perspective import Perspective
from runner.screen.player.page import Page
from runner.screen.player.viewer import Viewer

_LOOK = 0.2
"""Seconds between checks of the window size."""


def show(path: Path, view: str, at: int, pause: float, has_thoughts: bool = False) -> None:
    """Step through a log on a terminal. LogDamagedError when it cannot be opened."""
    index = LogIndex.open(path)
    viewer = Viewer(SeekableDecisions(index), Perspective.of(view, index.header["players"]), pause, has_thoughts)
    viewer.go(at)
    try:
        with _ending_by_signal():
            _run(results(), viewer)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        line = viewer.decision.line
        raise LogDamagedError(line, f"a record at or before this line is incomplete ({error!r}).") from error
    finally:
        index.close()


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
