"""Drawing: decisions of matches between bots of mixed strength, drawn by what is at stake.

Game, options, number of players and seed fix their sequence. A candidate is drawn evenly among the graded decisions of all
matches, one a match at most, and accepted with a known probability in proportion to its stakes, but seldom where its first
worlds show small ones. So the mean of losses, each divided by its probability, and 0 for candidates that are passed over, is
the mean loss of a decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from games.core import PHASE, Action, Policy, Rng, State, random_policy
from games.search.grading import is_gradable
from games.search.policy import playing_policy
from games.search.stakes import AnswerStake, Stakes

SURE_SPREAD = 0.5
"""Stakes from which on a candidate is always accepted. Smaller ones are accepted in proportion."""

_CARELESS = (0.0, 0.1, 0.3, 0.6)
"""The parts of their moves that the bots of the matches make at random."""

_PILOTS = 200
"""Matches whose decisions are counted first."""

_OF_A_MATCH = 8
"""Decisions of a match that are graded, to draw one of them."""


class Step(NamedTuple):
    """Seats that were asked in one state, their actions, and those that were applied before the phase changed."""

    asked: State
    actions: Mapping[int, Action]
    applied: Sequence[int]


class Candidate(NamedTuple):
    """A decision that can be graded: the state in which the seat is asked, and the decision's number in the match."""

    state: State
    seat: int
    at: int


class Drawn(NamedTuple):
    """A candidate that was accepted, with its answers graded. A loss at it counts `weight` times."""

    candidate: Candidate
    weight: float
    spread: float
    answers: tuple[AnswerStake, ...]


@dataclass(frozen=True)
class Drawing:
    """Matches of bots from `begin`, whose seed differs, and the decisions in them; with a `role` those with its prompt alone.
    `most` is the number of decisions of a match from which a candidate is drawn, more than nearly all matches have."""

    begin: State
    seed: int
    role: str | None = None
    most: int = 0

    def pilot(self) -> tuple[int, float]:
        """What `most` should be, and the mean number of decisions of a seat, from matches that are not examined."""
        counts = [len(self.candidates(self.steps(-number))) for number in range(1, _PILOTS + 1)]
        return max(counts) * 5 // 4, sum(counts) / len(counts) / self.begin.setup.players

    def steps(self, match: int) -> list[Step]:
        """A match, played by bots of mixed strength."""
        rng, setup = Rng.of("exam", self.seed, match), self.begin.setup
        state = type(self.begin).deal(setup._replace(seed=rng.next() >> 1), None)
        bots, found = [_bot(rng.choice(_CARELESS), state) for _ in range(setup.players)], list[Step]()
        while not state.has_ended:
            actions = {seat: bots[seat](state, seat, Rng(rng.next())) for seat in state.pending}
            applied, asked = list[int](), state
            for seat, action in actions.items():
                state, events = action.on(state).next_with_events()
                applied.append(seat)
                if any(event.kind == PHASE for event in events):
                    break
            found.append(Step(asked, actions, applied))
        return found

    def candidates(self, steps: Sequence[Step]) -> list[Candidate]:
        """The decisions of a match that can be examined."""
        asked = ((step.asked, seat) for step in steps for seat in step.applied)
        found = [Candidate(state, seat, at) for at, (state, seat) in enumerate(asked, 1) if self.is_wanted(state, seat)]
        return found[: self.most or None]

    def is_wanted(self, state: State, seat: int) -> bool:
        """Whether a decision can be graded and has the role."""
        return is_gradable(state, seat) and (self.role is None or state.question(seat).role == self.role)

    def draw(self, match: int, steps: Sequence[Step]) -> Drawn | bool:
        """The position of a match; whether a candidate was passed over where there is none."""
        chance = Rng.of("exam", self.seed, match, "draw")
        if (drawn := chance.below(self.most)) >= sum(len(step.applied) for step in steps):
            return False
        if drawn >= len(candidates := self.candidates(steps)):
            return False
        state, seat, _ = candidates[drawn]
        found, luck = Stakes(state, seat, "exam", self.seed, match), chance.random()
        accepted = 1.0
        for most in found.spreads():
            if luck >= (accepted := min(accepted, most / SURE_SPREAD)):
                return True
        return Drawn(candidates[drawn], min(1 / accepted, 1 / found.spread), found.spread, found.answers)

    def draw_one(self, candidates: Sequence[Candidate], key: str) -> tuple[Drawn | None, float]:
        """A candidate, drawn by its stakes among some of a match that was met; and the stakes of the whole match."""
        chance = Rng.of("exam", self.seed, key)
        some = chance.shuffled(candidates)[:_OF_A_MATCH]
        found = [Stakes(one.state, one.seat, "exam", self.seed, key, one.at) for one in some]
        total, at = sum(one.spread for one in found), chance.random()
        if not total:
            return None, 0.0
        sums = accumulate(one.spread for one in found)
        drawn = next((place for place, below in enumerate(sums) if at * total < below), len(some) - 1)
        whole = total * len(candidates) / len(some)
        return Drawn(some[drawn], whole / found[drawn].spread, found[drawn].spread, found[drawn].answers), whole


def _bot(careless: float, state: State) -> Policy:
    """The bot of playouts, with some of its moves at random."""
    steady = playing_policy(state.game)

    def decide(state: State, seat: int, rng: Rng) -> Action:
        return (random_policy if rng.random() < careless else steady)(state, seat, rng)

    return decide
