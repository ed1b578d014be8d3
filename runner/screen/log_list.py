"""Log list: the logs of a folder, one row each; on a narrow terminal, a few short lines each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from games.core import counted
from runner.agents.spec import labels
from runner.record.log_summary import LogState, LogSummary
from runner.screen.line_breaks import ByWidth, SlashBreaks
from runner.screen.palette import NOTE_SIGN, QUIET
from runner.screen.safe_text import clean, plain

_ROOM_FOR_ROWS = 150
"""Columns from which a log is a row of a table."""
MOST_ROWS = 1000
"""Logs that are listed: a table takes a millisecond a row."""

_STYLES = {"finished": "green", "resumable": "yellow", "running": "cyan", "failed": "red", "damaged": "bold red"}


def log_list(logs: Sequence[tuple[Path, LogSummary]], notes: Mapping[Path, int] | None = None) -> RenderableType:
    """Logs by their path, in this order. `notes` has how many are kept at each."""
    counted_notes = {path: f"  {NOTE_SIGN} {counted(count, 'note')}" for path, count in (notes or {}).items() if count}
    shown = [(f"{path}{counted_notes.get(path, '')}", found) for path, found in logs[:MOST_ROWS]]
    states = Counter(found.state for _, found in logs)
    counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    parts: list[RenderableType] = [
        ByWidth(lambda width: [_table(shown)] if width >= _ROOM_FOR_ROWS else [part for log in shown for part in _lines(*log)])
    ]
    if (more := len(logs) - len(shown)) > 0:
        parts.append(Text(f"… and {counted(more, 'more log')}; --json lists all, --game, --state and --search choose some."))
    return Group(*parts, Text(counted(len(logs), "log") + (f": {counts}" if counts else "")))


def _table(logs: Sequence[tuple[str, LogSummary]]) -> Table:
    rows = Table(box=None, pad_edge=False)
    rows.add_column("Log", overflow="fold")
    for name in ("Date", "State", "Game"):
        rows.add_column(name, no_wrap=True)
    rows.add_column("Winner")
    rows.add_column("Players and scores")
    rows.add_column("Decisions", justify="right")
    rows.add_column("Cost", justify="right")
    for path, found in logs:
        texts = [SlashBreaks(plain(text)) for text in (_winners(found) or clean(found.why, 40), _players(found))]
        cost = f"${found.cost:.4f}" if found.cost else "-"
        rows.add_row(plain(path), date_of(found), _state(found), plain(found.game), *texts, str(found.decisions), cost)
    return rows


def _lines(path: str, found: LogSummary) -> Iterator[RenderableType]:
    """The log, its date and state; then the players with the winners first; then the size and the cost."""
    yield Text(clean(path, 5000), overflow="fold")
    first = Text("  ").join(filter(None, [Text(date_of(found), style=QUIET), _state(found), plain(found.game)]))
    first += Text(f"  {counted(found.decisions, 'decision')}" + (f"  ${found.cost:.4f}" if found.cost else ""), style=QUIET)
    yield Text("  ") + first
    won = _winners(found)
    said = f"★ {won}: {_players(found)}" if won else ": ".join(filter(None, (_players(found), clean(found.why, 200))))
    yield Padding(SlashBreaks(plain(said)), (0, 0, 0, 2), expand=False)


def _state(found: LogSummary) -> Text:
    return Text(found.state, _STYLES[found.state])


def date_of(found: LogSummary) -> str:
    """When the match began, in the time of this machine."""
    try:
        return f"{datetime.fromisoformat(found.created).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):
        return "-"


def _winners(found: LogSummary) -> str:
    names = labels([{"kind": "", "spec": seat.spec, "name": seat.name} for seat in found.seats])
    return ", ".join(names[seat] for seat in found.winners)


def _players(found: LogSummary) -> str:
    """The players, the best score first; without scores, by seat."""
    if found.state is not LogState.FINISHED:
        return ", ".join(f"{count} {name}" if count > 1 else name for name, count in Counter(found.names).items())
    order = sorted(zip(found.names, found.scores, strict=True), key=lambda player: -player[1])
    parts = groupby(order, key=lambda player: player[0])
    return ", ".join(f"{name} {' '.join(str(score) for _, score in players)}" for name, players in parts)
