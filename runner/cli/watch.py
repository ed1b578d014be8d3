"""`tabletop watch LOG`: follow a match that another process plays."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.cli.completion import logs_named
from runner.cli.display_options import AsJson, JsonLines, Plain, Quiet, Showing, Speed, Thoughts, View
from runner.cli.lazy_groups import HELP_NAMES
from runner.errors import PausedError, UsageError
from runner.match.watcher import Watcher

if TYPE_CHECKING:
    from runner.record.live_replay import Following
    from runner.record.tail import LogTail

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
    from runner.record.live_replay import Following
    from runner.record.tail import LogTail

    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, lambda: task and task.cancel())
    tail = LogTail(path)
    watcher = Watcher()
    try:
        log = await _opened(tail, path, wait)
        watcher = showing.watcher(showing.perspective(log.header["players"]))
        following = Following(log, watcher)
        try:
            result = await _to_the_end(tail, following, _Asides(path, until_paused))
        except PausedError as stop:
            showing.tell_pause(str(stop), following.config, path)
            raise
        showing.conclude(following.config.game, result, path)
    except asyncio.CancelledError:
        return
    finally:
        watcher.close()
        tail.close()


async def _opened(tail: LogTail, path: Path, wait: float) -> Any:
    end, has_said = time.monotonic() + wait, False
    while not tail.open():
        if time.monotonic() >= end:
            raise UsageError(f"There is no log {path}, or nothing in it yet: `tabletop logs` lists those that there are.")
        if not has_said:
            _say(f"Waiting for {path}.")
            has_said = True
        await asyncio.sleep(_LOOK)
    return tail.log


async def _to_the_end(tail: LogTail, following: Following, asides: _Asides) -> dict[str, Any]:
    await following.begin()
    while True:
        news = tail.news()
        for line, record in news:
            await following.take(line, record)
        if following.result is not None:
            return following.result
        if not news:
            await asides.look(tail, following)
            await asyncio.sleep(_LOOK)
        else:
            asides.rest()


class _Asides:
    """What is said beside the match: that it stands still, and why. Once each time, or nobody knows what is waited for."""

    def __init__(self, path: Path, until_paused: bool) -> None:
        self._path = path
        self._until_paused = until_paused
        self._since: float | None = time.monotonic() - _QUIET
        self._is_standing = False

    def rest(self) -> None:
        """There was news."""
        self._since, self._is_standing = time.monotonic(), False

    async def look(self, tail: LogTail, following: Following) -> None:
        """There was none. PausedError when the match stands still and nobody wants to wait."""
        if self._is_standing or (why := self._why(tail, following)) is None:
            return
        self._is_standing = True
        if following.why_paused is None:
            await following.stand_still(why)
        said = f"The match is paused: {why.rstrip('.')}. `tabletop resume {self._path}` goes on with it."
        if self._until_paused:
            raise PausedError(said)
        _say(f"{said} Watching goes on until then; Ctrl-C leaves.")

    def _why(self, tail: LogTail, following: Following) -> str | None:
        from runner.record.log_summary import is_being_written

        if following.why_paused is not None:
            return following.why_paused
        if self._since is None or time.monotonic() - self._since < _QUIET:
            return None
        self._since = time.monotonic()
        if is_being_written(self._path):
            return None
        return f"nobody writes its log any more{', whose last line is cut short' if tail.has_half_a_line else ''}"


def _say(words: str) -> None:
    from runner.screen.consoles import say_aside
    from runner.screen.safe_text import clean

    say_aside(clean(words, 2000))
