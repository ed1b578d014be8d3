"""Talk window: holds what seats say back while any seat that was asked with them still decides."""

from __future__ import annotations

from collections.abc import Sequence

from runner.match.records import TalkRecord


class TalkWindow:
    """The lines of the seats that decide at the same time. They become public together, whichever way the seats are asked."""

    def __init__(self) -> None:
        self._deciding: set[int] = set()
        self._held: list[TalkRecord] = []

    def open(self, pending: Sequence[int]) -> None:
        """The seats that owe a decision; nothing changes while an earlier window is open."""
        self._deciding = self._deciding or set(pending)

    def decided(self, seat: int, question: int | None, said: str, has_new_phase: bool) -> list[TalkRecord]:
        """The lines that are public now that a seat's decision was applied; a new phase ends the window for all.

        `question` is the one that the seat answered, None if it was not asked.
        """
        self._deciding.discard(seat)
        if question is not None and said:
            self._held.append({"kind": "talk", "seat": seat, "question": question, "text": said})
        if has_new_phase:
            self._deciding.clear()
        if self._deciding:
            return []
        public, self._held = self._held, []
        return public
