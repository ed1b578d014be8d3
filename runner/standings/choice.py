"""Choices: a placing as a sequence of stages, each of which puts one agent, or several level, above all that are left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.standings.rated_match import RatedMatch


class Choice(NamedTuple):
    """One stage: `chosen` came above the rest of `left`, level among themselves.

    Both are sorted agents, with an agent once for each of its seats. `kind` is the kind of match. `is_first`: these are the
    winners.
    """

    kind: str
    left: tuple[int, ...]
    chosen: tuple[int, ...]
    is_first: bool

    def renumbered(self, numbers: Mapping[int, int]) -> Choice:
        """The same choice with other numbers in the same order."""
        left, chosen = (tuple(numbers[agent] for agent in agents) for agents in (self.left, self.chosen))
        return self._replace(left=left, chosen=chosen)


def choices_of(match: RatedMatch, agents: Sequence[int]) -> Iterator[Choice]:
    """The stages that a match makes known; `agents` are the numbers of its agents by seat.

    Where only winners count, the order of the others is unknown, so there is one stage. Otherwise the stages end with one
    seat left.
    """
    seats = sorted(range(len(agents)), key=match.places.__getitem__)
    while len(seats) > 1:
        best = match.places[seats[0]]
        chosen = [seat for seat in seats if match.places[seat] == best]
        yield Choice(match.kind, _numbers(agents, seats), _numbers(agents, chosen), len(seats) == len(agents))
        if match.placing == "winners":
            return
        seats = seats[len(chosen) :]


def _numbers(agents: Sequence[int], seats: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(agents[seat] for seat in seats))
