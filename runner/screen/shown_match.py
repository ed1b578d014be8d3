"""Shown match: a match in the state that the screen has reached, while the match itself may be one step ahead."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import State
from runner.match.config import MatchConfig
from runner.match.events import MatchView
from runner.match.tally import Tally


class ShownMatch:
    """A view of a match whose state and config change only by `advance`."""

    config: MatchConfig
    state: State

    def __init__(self, match: MatchView) -> None:
        self._match = match
        self.advance()

    def advance(self) -> None:
        """Take the present state of the match."""
        self.config, self.state = self._match.config, self._match.state

    def shows(self, match: MatchView) -> bool:
        """Whether it is a view of this match."""
        return self._match is match

    @property
    def tallies(self) -> list[Tally]:
        """The counts of each seat's present player."""
        return self._match.tallies

    @property
    def progress(self) -> Sequence[float | None]:
        """For each seat the part of its answer that is done."""
        return self._match.progress
