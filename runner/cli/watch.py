"""`tabletop watch LOG`: follow a match that another process plays."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.completion import logs_named
from runner.cli.display_options import AsJson, JsonLines, Plain, Quiet, Showing, Speed, Thoughts, View
from runner.cli.lazy_groups import HELP_NAMES
from runner.errors import PausedError, UsageError

if TYPE_CHECKING:
    from runner.match.records import Record, ResultRecord
    from runner.record.reader import Log
    from runner.record.replay import ReplayedMatch
    from runner.record.tail import LogTail
    from runner.screen.shared_terminal import SharedTerminal

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)

_LOOK = 0.2
"""Seconds between looks at the log."""
_QUIET = 3.0
"""Seconds without news after which it is worth asking whether anybody still writes the log."""


@app.command()
def watch(
    log: Annotated[
        Path, typer.Argument(help="A log, or a folder: the newest log in it.", metavar="LOG", autocompletion=logs_named)
    ],
    wait: Annotated[
        float, typer.Option("--wait", help="Seconds to wait for a log that is not there yet.", metavar="SECONDS", min=0)
    ] = 5.0,
    until_paused: Annotated[
        bool, typer.Option("--until-paused", help="Leave, with status 3, when the match stops before its end.")
    ] = False,
    view: View = "all",
    speed: Speed = 0.0,
    thoughts: Thoughts = False,
    plain: Plain = False,
    json_events: JsonLines = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Follow a match that another process plays, live, to its end; Ctrl-C stops looking on, never the match.

    Examples: tabletop watch logs · tabletop watch match.jsonl --view public --thoughts
    """
    showing = Showing(view, speed, quiet, as_json, plain, thoughts, json_events)
    path = _newest(log) if log.is_dir() else log
    with suppress(KeyboardInterrupt):
        asyncio.run(_watch(path, showing, wait, until_paused))


def _newest(folder: Path) -> Path:
    logs = list(folder.rglob("*.jsonl"))
    if not logs:
        raise UsageError(f"There are no logs (*.jsonl) in {folder}.")
    return max(logs, key=lambda path: path.stat().st_mtime)


async def _watch(path: Path, showing: Showing, wait: float, until_paused: bool) -> None:
    from runner.record.replay import ReplayedMatch
    from runner.record.tail import LogTail
    from runner.screen.shared_terminal import SharedTerminal

    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, lambda: task and task.cancel())
    tail, terminal = LogTail(path), SharedTerminal()
    try:
        log = await _opened(tail, path, wait)
        terminal = showing.terminal(showing.perspective(log.header["players"]))
        match = ReplayedMatch(log)
        try:
            result = await _follow(tail, match, terminal, _PauseNotice(path, until_paused))
        except PausedError as stop:
            showing.tell_pause(str(stop), match.config, path)
            raise
        showing.conclude(match.config.game, result, path)
    except asyncio.CancelledError:
        return
    finally:
        terminal.close()
        tail.close()


async def _opened(tail: LogTail, path: Path, wait: float) -> Log:
    end, has_said = time.monotonic() + wait, False
    while not tail.open():
        if time.monotonic() >= end:
            raise UsageError(f"There is no log {path}, or nothing in it yet: `tabletop logs` lists those that there are.")
        if not has_said:
            _say(f"Waiting for {path}.")
            has_said = True
        await asyncio.sleep(_LOOK)
    assert tail.log is not None
    return tail.log


async def _follow(tail: LogTail, match: ReplayedMatch, terminal: SharedTerminal, notice: _PauseNotice) -> ResultRecord:
    """Show what the log brings, up to its result."""
    await terminal.emit(match.deal())
    while True:
        new = tail.read_new()
        for line, record in new:
            notice.note(record)
            await terminal.emit(match.take(line, record))
            if record["kind"] == "result":
                return record
        if not new:
            await notice.check(tail, match, terminal)
            await asyncio.sleep(_LOOK)


class _PauseNotice:
    """Says once that the match stands still, and why."""

    def __init__(self, path: Path, until_paused: bool) -> None:
        self._path = path
        self._until_paused = until_paused
        self._since = time.monotonic() - _QUIET
        self._logged_why: str | None = None
        self._is_said = False

    def note(self, record: Record) -> None:
        """The log has another record."""
        self._since, self._is_said = time.monotonic(), False
        if record["kind"] == "pause":
            self._logged_why = str(record["why"])
        elif record["kind"] == "resumed":
            self._logged_why = None

    async def check(self, tail: LogTail, match: ReplayedMatch, terminal: SharedTerminal) -> None:
        """The log has nothing new. PausedError when the match stands still and the viewer does not wait."""
        if self._is_said or (why := self._logged_why or self._unlogged_why(tail)) is None:
            return
        self._is_said = True
        if self._logged_why is None:
            from runner.match.events import MatchEvent
            from runner.match.header import now

            await terminal.emit(MatchEvent({"kind": "pause", "why": why, "at": now()}, match))
            self._logged_why = why
        said = f"The match is paused: {why.rstrip('.')}. `tabletop resume {self._path}` goes on with it."
        if self._until_paused:
            raise PausedError(said)
        _say(f"{said} Watching goes on until then; Ctrl-C leaves.")

    def _unlogged_why(self, tail: LogTail) -> str | None:
        from runner.record.log_summary import is_being_written

        if time.monotonic() - self._since < _QUIET:
            return None
        self._since = time.monotonic()
        if is_being_written(self._path):
            return None
        return f"nobody writes its log any more{', whose last line is cut short' if tail.has_partial_line else ''}"


def _say(words: str) -> None:
    from runner.screen.consoles import say_aside
    from runner.screen.safe_text import clean

    say_aside(clean(words, 2000))
