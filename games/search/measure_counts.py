"""Measure counts: how often what a game measures has happened in a match, out of how many chances."""

from collections.abc import Iterable
from copy import deepcopy

from games.core import Event, Game, State


class MeasureCounts:
    """Hits and chances of every measure of a game, for each seat of a match and for its present player alone."""

    def __init__(self, game: Game, players: int) -> None:
        self.game = game
        self._found = [{measure.name: [0, 0] for measure in game.measures} for _ in range(players)]
        self._before = deepcopy(self._found)

    def add(self, state: State, events: tuple[Event, ...]) -> None:
        """Count what the transition to this state did."""
        if self.game.measures:
            before = state.origin[0] if state.origin else None
            for count in self.game.counts(before, state, events):
                found = self._found[count.seat][count.measure]
                found[0] += count.hits
                found[1] += count.chances

    def to_json(self, seat: int) -> dict[str, list[int]]:
        """Hits and chances of a seat, by measure."""
        return self._found[seat]

    def leave(self, seats: Iterable[int]) -> None:
        """Other players have taken these seats: what was counted so far is not theirs."""
        for seat in seats:
            self._before[seat] = deepcopy(self._found[seat])

    def own(self, seat: int) -> dict[str, list[int]]:
        """Hits and chances of a seat's present player, by measure."""
        before = self._before[seat]
        return {
            name: [now - then for now, then in zip(counts, before[name], strict=True)]
            for name, counts in self._found[seat].items()
        }
