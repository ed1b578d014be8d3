"""Resume sink: passes on what a resumed match adds to its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runner.match.events import MatchEvent, Sink, emit_all
from runner.match.header import HeaderRecord
from runner.match.records import ResumedRecord
from runner.record.resume_cursor import ResumeCursor

Recall = Callable[[MatchEvent], None]
"""Takes an event of the past, which is no news."""


class ResumeSink:
    """Compares a replayed match with its log: new records go to `log`; `screens` follow from the last logged decision on.

    The first event that the screens get has the record `first`. `recall` gets every event before it.
    """

    def __init__(
        self,
        cursor: ResumeCursor,
        first: HeaderRecord | ResumedRecord,
        log: Sink,
        screens: Sequence[Sink],
        recall: Recall | None = None,
    ) -> None:
        self._cursor = cursor
        self._first = first
        self._log = log
        self._screens = screens
        self._recall = recall
        self._has_begun = False

    async def emit(self, event: MatchEvent) -> None:
        """Take an event of the replayed match. LogDamagedError when the log has another record in its place."""
        if not self._cursor.takes(event.record):
            await self._log.emit(event)
        if event.record["kind"] == "pause":
            await emit_all(self._screens, event)
        elif not self._cursor.is_behind:
            await self._show(event)
        elif self._recall is not None:
            self._recall(event)

    async def _show(self, event: MatchEvent) -> None:
        is_header = event.record["kind"] == "header"
        if not self._has_begun:
            self._has_begun = True
            await emit_all(self._screens, MatchEvent(self._first, event.match, event.events if is_header else ()))
        if not is_header:
            await emit_all(self._screens, event)
