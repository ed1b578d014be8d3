"""Live ratings: the ratings of a tournament that is running, from the matches that have ended so far."""

from __future__ import annotations

from collections.abc import Iterable

from runner.arena.schedule import Fixture, kind_of
from runner.match.records import ResultRecord
from runner.standings.deal_counts import Counts
from runner.standings.rated_match import placing_of, rated_match
from runner.standings.rating import rate_counts
from runner.standings.rating_types import Rating


class LiveRatings:
    """The counts of each game and number of players; `fixtures` are all matches that may end."""

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        agents: dict[str, set[str]] = {}
        for fixture in fixtures:
            agents.setdefault(_table(fixture), set()).update(entrant.name for entrant in fixture.seats)
        self._counts = {table: Counts(names) for table, names in agents.items()}

    def add(self, fixture: Fixture, result: ResultRecord) -> None:
        """Count a match that has ended."""
        agents = (entrant.name for entrant in fixture.seats)
        struck = (number for number, seat in enumerate(result["seats"]) if seat["penalties"])
        facts = str(fixture.seed), agents, result["scores"], result["winners"], struck, placing_of(fixture.game)
        self._counts[_table(fixture)].add(rated_match(kind_of(fixture), *facts))

    def ratings(self) -> dict[str, Rating]:
        """The rating of each game and number of players of which a match has ended."""
        return {table: rate_counts(counts, 0) for table, counts in self._counts.items() if counts.deals}


def _table(fixture: Fixture) -> str:
    return f"{fixture.game} with {fixture.players} players"
