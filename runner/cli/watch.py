"""`tabletop watch LOG`: follow a match that another process plays."""

import asyncio
import signal
import time
from contextlib import suppress
from pathlib import Path

from runner.cli.casting import CasterOptions
from runner.cli.display_options import DisplayOptions
from runner.cli.options import LogOrNewest, named_or_newest
from runner.errors import PausedError, UsageError, in_log
from runner.film.perspective import Perspective
from runner.interrupts import on_signals
from runner.match.header import now
from runner.match.match_state import MatchEvent
from runner.match.records import ResultRecord
from runner.record.log_paths import exists, refuse_missing
from runner.record.log_summary import is_being_written
from runner.record.reader import Log, LogTail
from runner.record.replay import ReplayedMatch
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean
from runner.screen.shared_terminal import SharedTerminal

_INTERVAL = 0.2
"""Seconds between reads of the log."""
_SILENCE = 3.0
"""Seconds without a new line after which the log is checked for a writer."""


def watch(
    log: LogOrNewest = None,
    wait: float = 5.0,
    until_paused: bool = False,
    *,
    casting: CasterOptions,
    display: DisplayOptions,
) -> None:
    """Follow a match that another process plays, live, to its end. Ctrl-C stops watching; the match continues."""
    casting.check(is_shown=not (display.is_quiet or display.has_json_events))
    path = log if log is not None and not exists(log) else named_or_newest(log)
    with suppress(KeyboardInterrupt):
        asyncio.run(_watch(path, display, casting, wait, until_paused))


async def _watch(path: Path, display: DisplayOptions, casting: CasterOptions, wait: float, until_paused: bool) -> None:
    task = asyncio.current_task()
    on_signals(lambda: task and task.cancel(), signal.SIGTERM, signal.SIGHUP)
    tail, terminal = LogTail(path), SharedTerminal()
    try:
        log = await _opened(tail, path, wait)
        perspective = display.perspective(log.header["seats"])
        terminal = display.terminal(perspective)
        shown = perspective if display.view or terminal.keeps_lines else Perspective()
        terminal.catch_up(is_behind=display.speed is None)
        match = ReplayedMatch(log)
        try:
            async with casting.live(log.header, shown, terminal):
                with in_log(path):
                    result = await _follow(tail, match, terminal, path, until_paused)
                await terminal.linger()
        except PausedError as stop:
            display.print_pause(str(stop), match.so_far.config, path, perspective)
            raise
        display.print_result(match.so_far.config.game, result, path, perspective)
    except asyncio.CancelledError:
        return
    finally:
        terminal.close()
        tail.close()


async def _opened(tail: LogTail, path: Path, wait: float) -> Log:
    end, has_note = time.monotonic() + wait, False
    while not tail.open():
        if time.monotonic() >= end:
            refuse_missing(path)
            raise UsageError(f"The log {path} is still empty.")
        if not has_note:
            print_note(clean(f"Waiting for {path}.", 2000))
            has_note = True
        await asyncio.sleep(_INTERVAL)
    assert tail.log is not None
    return tail.log


async def _follow(
    tail: LogTail, match: ReplayedMatch, terminal: SharedTerminal, path: Path, until_paused: bool
) -> ResultRecord:
    """Show the match up to its result, and report each pause once. PausedError when the command must not wait for its end."""
    since, is_reported, why = time.monotonic() - _SILENCE, False, ""
    await terminal.emit(match.deal())
    while True:
        new = tail.read_new()
        for line, record in new:
            since, is_reported = time.monotonic(), False
            why = str(record["why"]) if record["kind"] == "pause" else "" if record["kind"] == "resumed" else why
            await terminal.emit(match.take(line, record))
            if record["kind"] == "result":
                return record
        if new:
            continue
        terminal.catch_up(is_behind=False)
        if not why and time.monotonic() - since >= _SILENCE:
            since = time.monotonic()
            if not is_being_written(path):
                why = f"no process is writing its log{', and its last line is incomplete' if tail.has_partial_line else ''}"
                await terminal.emit(MatchEvent({"kind": "pause", "why": why, "at": now()}, match.so_far))
        if why and not is_reported:
            is_reported = True
            text = f"The match is paused: {why.rstrip('.')}. Resume it with `tabletop resume {path}`."
            if until_paused:
                raise PausedError(text)
            print_note(clean(f"{text} Still watching; Ctrl-C stops.", 2000))
        await asyncio.sleep(_INTERVAL)
