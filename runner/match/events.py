"""Match events: what happens in a match, as its loop tells every sink, live or from a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from games.core import Event, State
from runner.match.config import MatchConfig
from runner.match.records import Record
from runner.match.tally import Tally


class MatchView(Protocol):
    """A match as sinks see it, whether this process plays it or reads it from a log."""

    config: MatchConfig
    state: State

    @property
    def tallies(self) -> list[Tally]:
        """The counts of each seat's present player."""

    @property
    def progress(self) -> Sequence[float | None]:
        """For each seat the part, from 0 to 1, of the work on its answer that is done; None where it is unknown."""


class MatchEvent(NamedTuple):
    """One thing that happened: its log record, the match after it, and the game events of a deal or a decision.

    `is_durable` asks a sink that stores the record to return only once it is on the disk.
    """

    record: Record
    match: MatchView
    events: tuple[Event, ...] = ()
    is_durable: bool = False


class Sink(Protocol):
    """A receiver of the events of a match, in their order: the log, a screen, a counter.

    A match starts with `header`, or with `resumed` where it continues from a log, and ends with `result` or `pause`.
    """

    async def emit(self, event: MatchEvent) -> None:
        """Take an event. PausedError stops the match."""


async def emit_all(sinks: Sequence[Sink], event: MatchEvent) -> None:
    """Hand an event to every sink in turn."""
    for sink in sinks:
        await sink.emit(event)
