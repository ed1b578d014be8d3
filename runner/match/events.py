"""Match events: what happens in a match, as its loop tells every sink, live or from a log."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from games.core import Event
from runner.match.match_state import MatchState
from runner.match.records import Record


class MatchEvent(NamedTuple):
    """One thing that happened: its log record, the match after it, and the game events of a deal or a decision. `is_durable`:
    the record has to be on the disk before a sink that stores it returns."""

    record: Record
    match: MatchState
    events: tuple[Event, ...] = ()
    is_durable: bool = False


class Sink(Protocol):
    """A receiver of the events of a match, in their order: the log, a screen, a counter.

    A match starts with `header`, or with `resumed` where it continues from a log, and ends with `result` or `pause`.
    """

    async def emit(self, event: MatchEvent) -> None:
        """Take an event. PausedError stops the match."""


async def emit_all(sinks: Sequence[Sink], event: MatchEvent) -> None:
    for sink in sinks:
        await sink.emit(event)
