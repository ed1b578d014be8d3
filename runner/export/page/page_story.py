"""Page story: what happened at a decision as one view may know it, as lines of a web page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.core import PHASE, Event, Remark
from runner.export.page.text_store import TextStore
from runner.record.decisions import LoggedDecision
from runner.record.highlights import Highlight, best, remarked
from runner.screen.narrator import Narrator
from runner.screen.seat_labels import with_labels
from runner.screen.speech import quotation

Entry = list[str | int | None]
"""The kind of a line, then its facts: `fault` with a text; `line` or `secret` (not for everyone) with the words of an event,
the remark on it and the kind of highlight; `talk` with a seat and a text."""


class PageStory:
    """Tells one view what happened, and keeps its highlights."""

    def __init__(self, eye: Narrator, names: Sequence[str], texts: TextStore, kinds: Mapping[str, str]) -> None:
        self._eye, self._names, self._texts, self._kinds = eye, names, texts, kinds
        self._highlights: list[Highlight] = []

    def told(self, decision: LoggedDecision, remarks: Sequence[Remark]) -> Iterator[Entry]:
        """The lines of a decision with the game's remarks on its events."""
        for attempt in decision.attempts:
            for line in self._eye.outcome(attempt, decision.state.setup.options.strikes):
                yield ["fault", self._texts.text(line.plain)]
        yield from self._events(decision, remarks)
        for record in decision.talk:
            yield ["talk", record["seat"], self._texts.text(quotation(record["text"]))]

    def _events(self, decision: LoggedDecision, remarks: Sequence[Remark]) -> Iterator[Entry]:
        for event, known in self._eye.perspective.visible_remarks(decision.events, remarks):
            if event.kind != PHASE:
                self._highlights += [Highlight(decision.number, decision.before.round, event, one) for one in known if one.kind]
                yield self._event(event, known)

    def _event(self, event: Event, remarks: Sequence[Remark]) -> Entry:
        entry: Entry = ["line" if event.audience is None else "secret", self._texts.line(event)]
        if remarks:
            words = with_labels(", ".join(filter(None, (remark.text for remark in remarks))), self._names)
            kind = next((self._kinds[remark.kind] for remark in remarks if remark.kind), None)
            entry += [self._texts.text(words) if words else None, kind]
        return entry

    def best(self) -> list[list[int]]:
        """The best highlights of the match: the decision and its words."""
        return [[one.number, self._texts.line(_remarked(one))] for one in best(self._highlights)]


def _remarked(highlight: Highlight) -> Event:
    return highlight.event._replace(text=remarked(highlight.event.text, highlight.remark.text))
