"""Measure counts: how often each measure of a game occurred, by seat."""

from __future__ import annotations

from games.core import Event, Game, State


class MeasureCounts:
    """Hits and chances of every measure of a game, for each seat of a match."""

    def __init__(self, game: Game, players: int) -> None:
        self._game = game
        self._found = [{measure.name: [0, 0] for measure in game.measures} for _ in range(players)]

    def add(self, state: State, events: tuple[Event, ...]) -> None:
        """Count what the transition to this state did."""
        if self._game.measures:
            before = state.origin[0] if state.origin else None
            for count in self._game.counts(before, state, events):
                found = self._found[count.seat][count.measure]
                found[0] += count.hits
                found[1] += count.chances

    def to_json(self, seat: int) -> dict[str, list[int]]:
        """Hits and chances of a seat, by measure."""
        return self._found[seat]
