"""Dashboard: a running tournament, as lines for pipes or as a live table on a terminal, and its standings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from games.core import counted
from games.statistics.document_types import StandingsData
from games.statistics.strengths import Rating
from runner.arena.progress import Progress, Stop
from runner.screen.consoles import is_animated, live_status
from runner.screen.line_breaks import SlashBreaks
from runner.screen.palette import BAD, QUIET, TITLE
from runner.screen.safe_text import clean
from runner.screen.seat_labels import grouped
from runner.standings.rating import LiveRatings
from runner.standings.tables import TextTable, game_title, interval_text, rating_text, tables

_SHARE = 20
"""Ratings are computed again after this many times the duration of the last computation."""
_PLAIN_EVERY = 10.0
_NARROW = 70
_CAUTION = "To watch, not to stop by: play all planned deals."
_LINES_BESIDE, _LINES_OF_TABLE = 7, 3
"""Lines of the bar, the status, what is on and the caution; those of a table beside its agents."""


class Dashboard:
    """Shows the progress of a tournament; a context manager. `interval` is the number of seconds between calls of `show`."""

    def __init__(self, console: Console, is_quiet: bool, ratings: LiveRatings) -> None:
        self._console, self._live_ratings = console, ratings
        self._live = (
            Live(console=console, transient=True, auto_refresh=False) if is_animated(console) and not is_quiet else None
        )
        self._is_quiet = is_quiet
        self._told: set[str] = set()
        self._ratings: dict[str, Rating] = {}
        self._rate_again_at = 0.0
        self.interval = 0.5 if self._live else _PLAIN_EVERY

    def __enter__(self) -> Dashboard:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def show(self, progress: Progress) -> None:
        """Show the current state."""
        if self._is_quiet:
            return
        self.tell_trouble(progress)
        if self._live:
            self._rate()
            self._live.update(self._drawn(progress), refresh=True)
        else:
            self._console.print(status_line(progress), soft_wrap=True)

    def tell_trouble(self, progress: Progress) -> None:
        """Print each reason why matches stopped once, and the charge for calls that a kill cut off."""
        calls, usd = progress.open_calls
        if calls:
            self._tell(f"Killed with {counted(calls, 'call')} under way: ${usd:.4f} counts as spent")
        for outcome in (*progress.deferred.values(), *progress.failed.values()):
            if outcome.stop not in (Stop.INTERRUPTED, Stop.BUDGET):  # the budget is one sentence, at the end
                self._tell_trace(outcome.trace)
                name = outcome.fixture.name
                self._tell(f"{outcome.stop}: {clean(outcome.why)}", f" ({clean(name)})", name)

    def _tell_trace(self, trace: str) -> None:
        """Print the traceback of a bug once, whatever the text of its error is each time."""
        place = trace.rstrip().rpartition("\n")[0]
        if place and place not in self._told:
            self._told.add(place)
            self._console.print(Text("\n".join(clean(line) for line in trace.splitlines())), soft_wrap=True)

    def _tell(self, what: str, where: str = "", name: str = "") -> None:
        """Print a sentence that was not printed before, for any match: `name` is that of the match."""
        if (told := what.replace(name, "") if name else what) not in self._told:
            self._told.add(told)
            self._console.print(Text(f"{what}{where}"), soft_wrap=True)

    def _rate(self) -> None:
        start = time.monotonic()
        if start >= self._rate_again_at:
            self._ratings = self._live_ratings.ratings()
            self._rate_again_at = time.monotonic() + max(2.0, _SHARE * (time.monotonic() - start))

    def _drawn(self, progress: Progress) -> RenderableType:
        bar = Padding(ProgressBar(progress.total, progress.ended, width=min(60, self._console.width)), 0)
        parts: list[RenderableType] = [*([bar] if progress.ended else []), Text(status_line(progress))]
        if progress.running:
            parts.append(Text(_on_now(progress), QUIET, no_wrap=True, overflow="ellipsis"))
        is_narrow, most = self._console.width < _NARROW, self._most_agents(len(self._ratings))
        for game, rating in self._ratings.items():
            parts.append(_ratings_table(game, rating, progress, is_narrow, most))
            if len(rating.agents) > most:
                parts.append(Text(f"… {counted(len(rating.agents) - most, 'more agent')}", style=QUIET))
        if self._ratings:
            parts.append(Text(_CAUTION, style=QUIET))
        return Group(*parts)

    def _most_agents(self, tables: int) -> int:
        return max(1, (self._console.height - _LINES_BESIDE) // max(1, tables) - _LINES_OF_TABLE)


def _ratings_table(game: str, rating: Rating, progress: Progress, is_narrow: bool, most: int) -> Table:
    """The best agents so far, at most this many; those without a match last."""
    rows = Table(title=f"{game} so far", title_style=TITLE, title_justify="left", box=None, header_style=QUIET, pad_edge=False)
    for name in ("Agent", "Rating", "95 %", "Wins", "Strikes", "Failures", *([] if is_narrow else ["Matches"])):
        rows.add_column(name, justify="left" if name == "Agent" else "right", no_wrap=name != "Agent")
    for rated in sorted(rating.agents, key=lambda rated: not rated["matches"])[:most]:
        agent, matches = rated["agent"], rated["matches"]
        failures = progress.failures[agent]
        rows.add_row(
            Text(clean(agent)),
            rating_text(rated["rating"]) if matches else "-",
            interval_text(rated["rating"]) if matches else "-",
            f"{rated['win_share']['value']:.0%}" if matches else "-",
            str(progress.strikes[agent]),
            Text(str(failures), style=BAD if failures else ""),
            *([] if is_narrow else [str(matches)]),
        )
    return rows


def status_line(progress: Progress) -> str:
    """The progress in one line."""
    parts = [f"{progress.ended} of {counted(progress.total, 'match')}", f"{len(progress.running)} running"]
    if progress.deferred:
        parts.append(f"{len(progress.deferred)} paused")
    if progress.failed:
        kinds = Counter(str(outcome.stop) for outcome in progress.failed.values())
        parts.append(", ".join(f"{count} stopped ({kind})" for kind, count in sorted(kinds.items())))
    if strikes := progress.strikes.total():
        parts.append(counted(strikes, "strike"))
    if progress.spent:
        whole = progress.expected_cost
        parts.append(f"${progress.spent:.4f} spent" + (f", ${whole:.2f} in the end" if whole else ""))
    if progress.seconds_left is not None and progress.running:
        parts.append(f"{duration(progress.seconds_left)} left")
    return ", ".join(parts)


def _on_now(progress: Progress) -> str:
    """How long and how fast this run plays, and which games are on."""
    many = 60 * progress.rate
    pace = f"{many:.0f} a minute" if many >= 1 else f"{60 * many:.0f} an hour" if many else "none has ended yet"
    parts = [duration(progress.seconds), pace, f"on now: {', '.join(grouped(one.game for one in progress.running.values()))}"]
    if not progress.spent and any(fixture.needs_client for fixture in progress.running.values()):
        parts.insert(2, "nothing spent yet")
    return " · ".join(parts)


def duration(seconds: float) -> str:
    """A duration as text: `3 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@contextmanager
def match_counter(is_quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """A function that shows the progress of a run while the context lasts; without an animated terminal it shows nothing."""
    with live_status(is_quiet) as show:
        yield lambda progress: show(f"{progress.ended} of {progress.total} matches")


# -- standings -------------------------------------------------------------------------------------------------------


def standings_screen(found: StandingsData) -> RenderableType:
    """All tables and notes of standings."""
    parts: list[RenderableType] = []
    for game in found["games"]:
        parts.append(Text(clean(game_title(game)), style=TITLE))
        parts += [*drawn_tables(tables(game)), "", *(Text(clean(note)) for note in game["notes"]), ""]
    return Group(*parts[:-1], *(Text(clean(note)) for note in found["notes"]))


def drawn_tables(tables: Iterable[TextTable]) -> Iterator[RenderableType]:
    """Tables of text on a terminal, each below an empty line and its title."""
    for table in tables:
        yield from ("", Text(clean(table.title), style=QUIET), drawn(table))


def drawn(table: TextTable) -> Table:
    """A table of text on a terminal."""
    found = Table(box=None, header_style=QUIET, pad_edge=False)
    for place, header in enumerate(table.headers):
        found.add_column(clean(header), justify="left" if place < table.left else "right")
    for row in table.rows:
        found.add_row(*(SlashBreaks(Text(clean(cell))) for cell in row))
    return found
