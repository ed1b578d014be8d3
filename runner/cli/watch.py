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
from runner.cli.newest_log import newest_files
from runner.cli.option_groups import with_option_groups
from runner.errors import PausedError, UsageError, in_log
from runner.interrupts import on_signals
from runner.record.log_paths import has_logs

if TYPE_CHECKING:
    from runner.match.records import Record, ResultRecord
    from runner.record.reader import Log
    from runner.record.replay import ReplayedMatch
    from runner.record.tail import LogTail
    from runner.screen.shared_terminal import SharedTerminal

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
    path = newest_files(log)[0] if has_logs(log) else log
    with suppress(KeyboardInterrupt):
        asyncio.run(_watch(path, display, wait, until_paused))


async def _watch(path: Path, display: DisplayOptions, wait: float, until_paused: bool) -> None:
    from runner.record.replay import ReplayedMatch
    from runner.record.tail import LogTail
    from runner.screen.shared_terminal import SharedTerminal

    task = asyncio.current_task()
    on_signals(lambda: task and task.cancel(), signal.SIGTERM, signal.SIGHUP)
    tail, terminal = LogTail(path), SharedTerminal()
    try:
        log = await _opened(tail, path, wait)
        perspective = display.perspective(log.header["players"])
        terminal = display.terminal(perspective)
        terminal.catch_up(is_behind=display.speed is None)
        match = ReplayedMatch(log)
        try:
            with in_log(path):
                result = await _follow(tail, match, terminal, _PauseNotices(path, until_paused))
        except PausedError as stop:
            display.print_pause(str(stop), match.config, path, perspective)
            raise
        display.print_result(match.config.game, result, path, perspective)
    except asyncio.CancelledError:
        return
    finally:
        terminal.close()
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


async def _follow(tail: LogTail, match: ReplayedMatch, terminal: SharedTerminal, notices: _PauseNotices) -> ResultRecord:
    """Show the match up to its result."""
    await terminal.emit(match.deal())
    while True:
        new = tail.read_new()
        for line, record in new:
            notices.reset(record)
            await terminal.emit(match.take(line, record))
            if record["kind"] == "result":
                return record
        if not new:
            terminal.catch_up(is_behind=False)
            await notices.check(tail, match, terminal)
            await asyncio.sleep(_INTERVAL)


class _PauseNotices:
    """Reports that the match is paused, and why, once per pause."""

    def __init__(self, path: Path, until_paused: bool) -> None:
        self._path = path
        self._until_paused = until_paused
        self._since = time.monotonic() - _SILENCE
        self._why: str | None = None
        self._is_reported = False

    def reset(self, record: Record) -> None:
        """A record has arrived."""
        self._since, self._is_reported = time.monotonic(), False
        if record["kind"] == "pause":
            self._why = str(record["why"])
        elif record["kind"] == "resumed":
            self._why = None

    async def check(self, tail: LogTail, match: ReplayedMatch, terminal: SharedTerminal) -> None:
        """No record has arrived: report a pause. PausedError when the command must not wait for its end."""
        if self._is_reported or (why := self._why or self._unlogged_why(tail)) is None:
            return
        self._is_reported = True
        if self._why is None:
            from runner.match.events import MatchEvent
            from runner.match.header import now

            self._why = why
            await terminal.emit(MatchEvent({"kind": "pause", "why": why, "at": now()}, match))
        text = f"The match is paused: {why.rstrip('.')}. Resume it with `tabletop resume {self._path}`."
        if self._until_paused:
            raise PausedError(text)
        _print_note(f"{text} Still watching; Ctrl-C stops.")

    def _unlogged_why(self, tail: LogTail) -> str | None:
        from runner.record.log_summary import is_being_written

        if time.monotonic() - self._since < _SILENCE:
            return None
        self._since = time.monotonic()
        if is_being_written(self._path):
            return None
        return f"no process is writing its log{', and its last line is incomplete' if tail.has_partial_line else ''}"


def _print_note(words: str) -> None:
    from runner.screen.consoles import print_note
    from runner.screen.safe_text import clean

    print_note(clean(words, 2000))
