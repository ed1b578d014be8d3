"""Live ratings: the ratings of a tournament that is running, from the matches that have ended so far."""

from __future__ import annotations

from collections.abc import Iterable

from runner.arena.schedule import Fixture, kind_of
from runner.match.records import ResultRecord
from runner.standings.count_matrix import CountMatrix
from runner.standings.rated_match import rated_match
from runner.standings.rating import Rating, rate_matrix

_DRAWS = 100


class LiveRatings:
    """The counts of each game; `fixtures` are all matches that may end."""

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        agents: dict[str, set[str]] = {}
        seats: dict[str, set[tuple[str, int]]] = {}
        for fixture in fixtures:
            agents.setdefault(fixture.game, set()).update(entrant.name for entrant in fixture.seats)
            seats.setdefault(fixture.game, set()).update((kind_of(fixture), seat) for seat in range(fixture.players))
        self._matrices = {game: CountMatrix(names, seats[game]) for game, names in agents.items()}

    def add(self, fixture: Fixture, result: ResultRecord) -> None:
        """Count a match that has ended."""
        agents, has_penalty = (entrant.name for entrant in fixture.seats), any(seat["penalties"] for seat in result["seats"])
        kind, deal, scores, winners = kind_of(fixture), str(fixture.seed), result["scores"], result["winners"]
        self._matrices[fixture.game].add(rated_match(kind, deal, agents, scores, winners, has_penalty))

    def ratings(self) -> dict[str, Rating]:
        """The rating of each game of which a match has ended."""
        return {game: rate_matrix(matrix, _DRAWS) for game, matrix in self._matrices.items() if matrix.rows}
