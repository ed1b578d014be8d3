"""Value function: the win share of each seat when fixed bots play on from a state, and by it what a move of a known policy
owes to luck, the correction of AIVAT, whose mean is 0."""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from games.core import Action, Policy, Rng, State, random_policy
from games.search.playouts import Shares, play_out, shares_of
from games.search.policy import playing_policy

SAMPLES = 16
"""How often a policy whose probabilities are not known is asked again. The mean of the samples is unbiased as well."""

MOST_EXACT = 24
"""With at most this number of legal moves the probabilities of `bot:random` are taken one by one."""


class ValueFunction(NamedTuple):
    """The mean over `playouts`, in which `bot:steady` has every seat but those of other known bots; `seed` is that of their
    random numbers."""

    playouts: int = 50
    seed: int = 0

    def of(self, state: State, place: object, known: Mapping[int, Policy] = MappingProxyType({})) -> Shares:
        """The win share of every seat from a state, by the true cards. `known` are the policies of some seats. States of one
        `place` get the same random numbers, so that alternatives of a decision differ by nothing else."""
        if state.has_ended:
            return shares_of(state)
        other = playing_policy(state.game)
        policy = (lambda state, seat, rng: known.get(seat, other)(state, seat, rng)) if known else other
        chances = (Rng.of("value", self.seed, place, number) for number in range(self.playouts))
        found = [play_out(state, policy, rng).shares for rng in chances]
        return tuple([sum(shares) / self.playouts for shares in zip(*found, strict=True)])


VALUE = ValueFunction()


def weights_of(chances: Iterable[tuple[Action, float]]) -> Mapping[Any, float]:
    """The probability of each move: two answers may be the same one."""
    found = dict[Any, float]()
    for action, chance in chances:
        found[action.move] = found.get(action.move, 0.0) + chance
    return {move: chance for move, chance in found.items() if chance > 0}


def bot_weights(policy: Policy, state: State, seat: int, rng: Rng) -> Mapping[Any, float]:
    """The probability of each move of a bot, or its share of independent samples."""
    moves = state.legal_moves(seat)
    if len(moves) == 1 or (policy is random_policy and len(moves) <= MOST_EXACT):
        return {move: 1 / len(moves) for move in moves}
    counts = Counter(policy(state, seat, rng).move for _ in range(SAMPLES))
    return {move: count / SAMPLES for move, count in counts.items()}


def correction(
    state: State,
    seat: int,
    played: Any,
    weights: Mapping[Any, float],
    known: Mapping[int, Policy],
    value: ValueFunction,
    number: int,
) -> Shares:
    """The value of a move less the mean value over the policy's moves, for every seat. `known` are the policies of bots by
    seat, `number` is that of the decision."""
    players: int = state.setup.players
    if set(weights) <= {played}:
        return (0.0,) * players
    values: dict[Any, Shares] = {move: value.of(state.apply(seat, move, None), number, known) for move in {played, *weights}}
    mean = [sum(weight * values[move][other] for move, weight in weights.items()) for other in range(players)]
    return tuple([own - expected for own, expected in zip(values[played], mean, strict=True)])
