"""Text store: the texts, lines and messages of a page, each stored once and referred to by number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from games.core import Event
from runner.match.records import MessageRecord
from runner.record.dedup import is_reference, paragraphs
from runner.record.value_names import REFERENCE
from runner.screen.safe_text import clean, clean_block
from runner.screen.seat_labels import labelled

_SEAT = re.compile("\x02(\\d+)\x03")
_LONGEST_ROLE = 40

Piece = str | int
"""A part of a line: a text, or the number of a seat in place of its name."""


class TextStore:
    """Texts are cleaned when they are stored. A paragraph that messages share is expanded once, however often it is sent."""

    def __init__(self, shared: Mapping[str, object], players: int) -> None:
        self._shared = shared
        self._marks = tuple(f"\x02{seat}\x03" for seat in range(players))
        self._texts: dict[str, int] = {}
        self._lines: dict[tuple[Piece, ...], int] = {}
        self._messages: dict[tuple[Piece, ...], int] = {}
        self._of_shared: dict[str, int] = {}
        self._of_event: dict[str, int] = {}

    @property
    def texts(self) -> list[str]:
        """The texts."""
        return list(self._texts)

    @property
    def lines(self) -> list[tuple[Piece, ...]]:
        """The lines of what happened, in pieces."""
        return list(self._lines)

    @property
    def messages(self) -> list[tuple[Piece, ...]]:
        """The messages: the role, then the numbers of the paragraphs."""
        return list(self._messages)

    def text(self, text: str) -> int:
        """The number of a text."""
        return self._texts.setdefault(clean_block(text), len(self._texts))

    def line(self, event: Event) -> int:
        """The number of an event's words."""
        if event.text not in self._of_event:
            self._of_event[event.text] = self._new_line(event)
        return self._of_event[event.text]

    def _new_line(self, event: Event) -> int:
        parts = _SEAT.split(labelled(event, self._marks))
        pieces = tuple(self._piece(place, part) for place, part in enumerate(parts) if part)
        return self._lines.setdefault(pieces, len(self._lines))

    def _piece(self, place: int, part: str) -> Piece:
        return int(part) if place % 2 and int(part) < len(self._marks) else clean(part)

    def message(self, message: MessageRecord) -> int:
        """The number of a message."""
        return self._messages.setdefault(tuple(self._parts(message)), len(self._messages))

    def _parts(self, message: MessageRecord) -> Iterator[Piece]:
        yield clean(message.get("role"), _LONGEST_ROLE)
        for part in paragraphs(message["content"]):
            yield self._paragraph(part[REFERENCE]) if is_reference(part) else self.text(str(part))

    def _paragraph(self, name: str) -> int:
        if name not in self._of_shared:
            self._of_shared[name] = self.text(str(self._shared[name]))
        return self._of_shared[name]
