"""`tabletop watch LOG`: follow a match that another process plays."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.completion import complete_logs
from runner.cli.display_options import DisplayOptions, WatchDisplayOptions
from runner.cli.lazy_groups import new_app
from runner.cli.option_groups import with_option_groups
from runner.errors import PausedError, UsageError
from runner.interrupts import on_signals
from runner.match.watcher import Watcher

if TYPE_CHECKING:
    from runner.record.hash_chain import Record
    from runner.record.live_replay import Following
    from runner.record.reader import Log
    from runner.record.tail import LogTail

app = new_app()

_INTERVAL = 0.2
"""Seconds between reads of the log."""
_SILENCE = 3.0
"""Seconds without a new line after which the log is checked for a writer."""


@app.command()
@with_option_groups
def watch(
    log: Annotated[
        Path, typer.Argument(help="A log, or a folder to watch its newest log.", metavar="LOG", autocompletion=complete_logs)
    ],
    wait: Annotated[
        float, typer.Option("--wait", help="Seconds to wait for a log that does not exist yet.", metavar="SECONDS", min=0)
    ] = 5.0,
    until_paused: Annotated[bool, typer.Option("--until-paused", help="Exit with status 3 when the match pauses.")] = False,
    *,
    display: WatchDisplayOptions,
) -> None:
    """Follow a match that another process plays, live, to its end. Ctrl-C stops watching; the match continues.

    Examples: tabletop watch logs · tabletop watch match.jsonl --view public --thoughts
    """
    path = _newest(log) if log.is_dir() else log
    with suppress(KeyboardInterrupt):
        asyncio.run(_watch(path, display, wait, until_paused))


def _newest(folder: Path) -> Path:
    logs = list(folder.rglob("*.jsonl"))
    if not logs:
        raise UsageError(f"No logs (*.jsonl) in {folder}.")
    return max(logs, key=lambda path: path.stat().st_mtime)


async def _watch(path: Path, display: DisplayOptions, wait: float, until_paused: bool) -> None:
    from runner.record.live_replay import Following
    from runner.record.tail import LogTail

    task = asyncio.current_task()
    on_signals(lambda: task and task.cancel(), signal.SIGTERM, signal.SIGHUP)
    tail = LogTail(path)
    watcher = Watcher()
    try:
        log = await _opened(tail, path, wait)
        watcher = display.watcher(display.perspective(log.header["players"]))
        following = Following(log, watcher)
        try:
            result = await _to_the_end(tail, following, _PauseNotices(path, until_paused))
        except PausedError as stop:
            display.print_pause(str(stop), following.config, path)
            raise
        display.print_result(following.config.game, result, path)
    except asyncio.CancelledError:
        return
    finally:
        watcher.close()
        tail.close()


async def _opened(tail: LogTail, path: Path, wait: float) -> Log:
    end, has_note = time.monotonic() + wait, False
    while not tail.open():
        if time.monotonic() >= end:
            raise UsageError(f"The log {path} does not exist or is still empty; `tabletop logs` lists the logs.")
        if not has_note:
            _print_note(f"Waiting for {path}.")
            has_note = True
        await asyncio.sleep(_INTERVAL)
    assert tail.log is not None
    return tail.log


async def _to_the_end(tail: LogTail, following: Following, notices: _PauseNotices) -> Record:
    await following.begin()
    while True:
        news = tail.news()
        for line, record in news:
            await following.take(line, record)
        if following.result is not None:
            return following.result
        if not news:
            await notices.check(tail, following)
            await asyncio.sleep(_INTERVAL)
        else:
            notices.reset()


class _PauseNotices:
    """Reports that the match is paused, and why, once per pause."""

    def __init__(self, path: Path, until_paused: bool) -> None:
        self._path = path
        self._until_paused = until_paused
        self._since: float | None = time.monotonic() - _SILENCE
        self._is_paused = False

    def reset(self) -> None:
        """New lines have arrived."""
        self._since, self._is_paused = time.monotonic(), False

    async def check(self, tail: LogTail, following: Following) -> None:
        """No line has arrived: report a pause. PausedError when the command must not wait for its end."""
        if self._is_paused or (why := self._why(tail, following)) is None:
            return
        self._is_paused = True
        if following.why_paused is None:
            await following.stand_still(why)
        text = f"The match is paused: {why.rstrip('.')}. Resume it with `tabletop resume {self._path}`."
        if self._until_paused:
            raise PausedError(text)
        _print_note(f"{text} Still watching; Ctrl-C stops.")

    def _why(self, tail: LogTail, following: Following) -> str | None:
        from runner.record.log_summary import is_being_written

        if following.why_paused is not None:
            return following.why_paused
        if self._since is None or time.monotonic() - self._since < _SILENCE:
            return None
        self._since = time.monotonic()
        if is_being_written(self._path):
            return None
        return f"no process is writing its log{', and its last line is incomplete' if tail.has_half_a_line else ''}"


def _print_note(words: str) -> None:
    from runner.screen.consoles import print_note
    from runner.screen.safe_text import clean

    print_note(clean(words, 2000))
