"""Recaps: lines of text that follow from a seat's view and what it was told."""

from __future__ import annotations

from games.core import Event
from games.testing.game_checks import GameChecks, sampled


class RecapChecks(GameChecks):
    """Tests of the account of the past that a seat without a memory gets."""

    def test_a_recap_is_a_few_lines_and_changes_no_view(self, some_players: int) -> None:
        for states, told in zip(self.matches(some_players), self.told(some_players), strict=True):
            heard_by: dict[int, list[Event]] = {seat: [] for seat in range(some_players)}
            looked_at = set(map(id, sampled(states, 12)))
            for state, new in zip(states, told, strict=True):
                for seat, heard in heard_by.items():
                    heard += (event for event in new if event.reaches(seat))
                    if id(state) in looked_at:
                        view = state.view(seat)
                        for events in (heard, ()):
                            lines = list(self.game.recap(view, events))
                            assert all(isinstance(line, str) and line and "\n" not in line for line in lines)
                        assert view == state.view(seat), "the recap has changed the view"
