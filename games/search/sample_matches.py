"""Sample matches: matches between bots, which show how many decisions a match asks for and what its prompts contain."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from games.core import GameFault, Policy, Rng, State
from games.registry import load

SAMPLES = 5
_MOST_STEPS = 5000


class SampleStep(NamedTuple):
    """A state of a match and the seats that are asked in it at the same time: those with a choice."""

    state: State
    seats: tuple[int, ...]


class SampleMatches(NamedTuple):
    """The steps of each of several matches."""

    matches: tuple[tuple[SampleStep, ...], ...]

    @property
    def length(self) -> float:
        """Steps per match: its decisions one after the other."""
        return sum(map(len, self.matches)) / len(self.matches)

    def decisions(self, seat: int) -> list[int]:
        return [sum(seat in step.seats for step in match) for match in self.matches]


def sample_matches(states: Sequence[State]) -> SampleMatches:
    """A match between the game's best bots from each state."""
    return SampleMatches(tuple(tuple(_steps(state)) for state in states))


@cache
def usual_decisions(name: str) -> int:
    """About how often a player of a game decides in a match, as its bots play it; 0 where they do not."""
    game = load(name)
    try:
        matches = sample_matches([game.begin(seed=seed) for seed in range(SAMPLES)]).matches if game.bots else ()
    except GameFault:
        return 0
    return round(sum(len(step.seats) for match in matches for step in match) / SAMPLES / game.default_players)


def _steps(state: State) -> Iterator[SampleStep]:
    for number in range(_MOST_STEPS):
        if state.has_ended:
            return
        if seats := tuple(seat for seat in state.pending if len(state.actions_of(seat)) > 1):
            yield SampleStep(state, seats)
        state = _next(state, number)


def _next(state: State, number: int) -> State:
    bot: Policy = list(state.game.bots.values())[-1]
    phase = state.phase_id
    for seat in state.pending:
        if seat in state.pending and state.phase_id == phase:
            state = bot(state, seat, Rng.of("estimate", number, seat)).next_state
    return state
