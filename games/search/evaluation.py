"""Evaluation: the win share of each candidate of a decision, from playouts in common worlds."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import NamedTuple

from games.core import Action, Policy, Rng, State
from games.search.playouts import Shares, look_ahead, reach
from games.search.samples import Samples, mean_and_error
from games.search.steps import finished
from games.search.worlds import Worlds, playing_on, worlds_of


class Grade(NamedTuple):
    """What a candidate is worth: `shares` is the mean share of the win of every seat, `share` that of the deciding seat.

    `error` is the standard error of `share`. `behind` is by how much `share` is below that of the best candidate in the
    worlds that both were played in, with its standard error; both are 0 for the best. `playouts` is the number of worlds.
    """

    action: Action
    shares: Shares
    error: float
    behind: float
    behind_error: float
    playouts: int

    @property
    def share(self) -> float:
        """The mean share of the win of the seat that decides."""
        return self.shares[self.action.seat]


class Evaluation(NamedTuple):
    """The grades of a decision's candidates, the best first. Candidates given up early follow those played longer.

    `cut` of the `playouts` were stopped before the end of the match.
    """

    grades: tuple[Grade, ...]
    playouts: int
    cut: int = 0

    @property
    def best(self) -> Grade:
        """The best candidate."""
        return self.grades[0]


def evaluate(
    state: State,
    seat: int,
    rng: Rng,
    playouts: int,
    policy: Policy,
    candidates: Sequence[Action] | None = None,
    kept: Collection[Action] = (),
) -> Evaluation:
    """Grade the candidates (None: all legal actions) of a pending seat from what the seat knows.

    The same information set, generator and number of playouts give the same evaluation, whatever the hidden cards are. Worlds
    are drawn from the information set, every candidate is played in the same worlds with the same random numbers, and every
    seat follows the policy afterwards. Sequential halving spends the playouts: half of the candidates are given up in each
    round, never those in `kept`. ValueError for a seat that owes no decision.
    """
    found = candidates or state.actions_of(seat)
    if not found:
        raise ValueError(f"seat {seat} owes no decision, so there is nothing to evaluate")
    return finished(evaluating(worlds_of(state, seat), found, rng, playouts, policy, kept))


def evaluating(
    worlds: Worlds,
    candidates: Sequence[Action],
    rng: Rng,
    playouts: int,
    policy: Policy,
    kept: Collection[Action] = (),
) -> Generator[int, None, Evaluation]:
    """`evaluate` in steps: yields the number of playouts made after each, and returns the evaluation."""
    fields = [Samples(action, action.state.setup.players) for action in candidates]
    racing, made = fields, 0
    for rounds_left in range(_rounds(len(fields)), 0, -1):
        for _ in range(max(1, (playouts - made) // (rounds_left * len(racing)))):
            for _ in playing_world(racing, worlds, rng, policy):
                made += 1
                yield made
        racing = _better_half(racing, kept)
    return Evaluation(_grades(fields), made, sum(samples.cut for samples in fields))


def _rounds(candidates: int) -> int:
    """How many rounds halving takes until two candidates at most are left."""
    return max(1, (candidates - 1).bit_length())


def _better_half(racing: Sequence[Samples], kept: Collection[Action]) -> list[Samples]:
    ranked = sorted(racing, key=lambda samples: samples.rank)
    half = (len(ranked) + 1) // 2
    return ranked[:half] + [samples for samples in ranked[half:] if samples.action in kept]


def playing_world(racing: Sequence[Samples], worlds: Worlds, rng: Rng, policy: Policy) -> Generator[None, None, None]:
    """Play every candidate in a new world, with the same random numbers."""
    seat = racing[0].action.seat
    chance = Rng(rng.next())
    world = worlds(chance)
    policy = worlds.seated(policy, world, chance)
    world, is_due = reach(world, seat, policy, chance)
    moot = None if is_due else look_ahead(world, policy, chance)
    for samples in racing:
        samples.add(moot or look_ahead(samples.action.on(world).next_state, policy, Rng(chance.word), world))
        yield


def _grades(fields: Sequence[Samples]) -> tuple[Grade, ...]:
    ranked = sorted(fields, key=lambda samples: (-len(samples.own), samples.rank))
    return tuple(_grade(samples, ranked[0]) for samples in ranked)


def _grade(samples: Samples, best: Samples) -> Grade:
    _, error = mean_and_error(samples.own)
    if samples is best:
        return Grade(samples.action, samples.shares, error, 0.0, 0.0, len(samples.own))
    behind, behind_error = mean_and_error([one - other for one, other in zip(best.own, samples.own, strict=False)])
    return Grade(samples.action, samples.shares, error, behind, behind_error, len(samples.own))


def chances_along(states: Sequence[State], rng: Rng, playouts: int, policy: Policy) -> list[Shares]:
    """The mean share of the win of every seat in each of some consecutive states, over as many playouts of each. The seats
    play on as they played so far.

    As long as a playout takes the match's own way it is one of the next state as well: most states need few of their own.
    """
    found: list[list[Shares]] = [[] for _ in states]
    for first, start in enumerate(states):
        worlds = playing_on(start)
        while len(found[first]) < playouts:
            chance, state, last = Rng(rng.next()), start, first
            playing = worlds.seated(policy, start, chance)
            for following in states[first + 1 :]:
                state = playing(state, state.pending[0], chance).next_state
                if state != following:
                    break
                last += 1
            shares = look_ahead(state, playing, chance).shares
            for samples in found[first : last + 1]:
                samples.append(shares)
    return [_mean_shares(samples) for samples in found]


def chances(worlds: Worlds, rng: Rng, playouts: int, policy: Policy) -> Shares:
    """The mean share of the win of every seat if all follow the policy, over playouts in a world each."""
    found = []
    for _ in range(playouts):
        chance = Rng(rng.next())
        world = worlds(chance)
        found.append(look_ahead(world, worlds.seated(policy, world, chance), chance).shares)
    return _mean_shares(found)


def _mean_shares(found: Sequence[Shares]) -> Shares:
    return tuple(sum(shares) / len(found) for shares in zip(*found, strict=True))
