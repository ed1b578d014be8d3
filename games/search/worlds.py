"""Worlds for a search: states drawn from a seat's information set, the likelier ones more often, and how the others play there.

What others did is read by styles of play (`games.core.reading`). A world is as likely as a mixture of the styles makes it,
seat by seat; so what was shown in the match makes some styles likelier than others, and the evidence of a claim or a bid
worth as much as those styles make it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import prod

from games.core import Policy, Rng, State, policy
from games.core.policy import choosing, stepping
from games.core.reading import Reading, Style

_MOST_DRAWS = 16


Drawing = Callable[[Rng], State]


class Worlds:
    """A source of worlds: each call draws one. With `readings` that the search adapts to, the others play by their styles."""

    def __init__(self, draw: Drawing, adapting_to: Sequence[Reading] = ()) -> None:
        self.draw = draw
        self.adapting_to = [reading for reading in adapting_to if any(style.adapt for style in reading.styles)]

    def __call__(self, rng: Rng) -> State:
        return self.draw(rng)

    def seated(self, playing: Policy, world: State, rng: Rng) -> Policy:
        """The policy of all seats in a world: `playing`, for those with a reading as one of its styles adapts it, likelier ones
        more often."""
        found: dict[int, Policy] = {}
        for reading in self.adapting_to:
            adapt = drawn(reading, world, rng).adapt
            if adapt is not None:
                found[reading.seat] = adapt(found.get(reading.seat, playing))
        return _by_seat(playing, found) if found else playing


def worlds_of(state: State, seat: int | None, is_adapting: bool = False) -> Worlds:
    """The worlds of a seat's information set (None: a spectator's), each as often as what the others did makes it likely.
    With `is_adapting` the others play on there as they played so far."""
    readings = readings_of(state, seat)
    return Worlds(_drawing(state, seat, readings), [one for one in readings if is_adapting and one.for_choices])


def playing_on(state: State, worlds: Worlds | None = None) -> Worlds:
    """Worlds, None: the state itself, in which every seat plays on as it played so far, also the one whose worlds they are."""
    readings = [one.of_shares for one in readings_of(state, None)]
    if worlds is not None:
        return Worlds(worlds.draw, readings)
    return Worlds(lambda _: state, [one._replace(explain=_always(one.explain(state))) for one in readings])


def _always(found: Sequence[float]) -> Callable[[State], Sequence[float]]:
    return lambda _: found


def _drawing(state: State, seat: int | None, readings: Sequence[Reading]) -> Drawing:
    telling = [reading for reading in readings if reading.table is None or reading.table]
    if not telling:
        return lambda rng: state.resample(seat, rng)
    deal = state.game.likely_worlds
    tables = {reading.seat: mixture(reading) for reading in telling if reading.table is not None}
    if deal is not None and len(tables) == len(telling) and (found := deal(state, seat, tables)) is not None:
        return found
    return lambda rng: _accepted(state, seat, telling, rng)


def _accepted(state: State, seat: int | None, readings: Sequence[Reading], rng: Rng) -> State:
    """A draw is accepted with the probability that its weight is; after 16 refusals one of them is taken, the likelier ones
    more often."""
    total, kept = 0.0, state
    for _ in range(_MOST_DRAWS):
        world = state.resample(seat, rng)
        weight = prod([mixed(reading.styles, reading.explain(world)) for reading in readings])
        if rng.random() < weight:
            return world
        total += weight
        if rng.random() * total <= weight:
            kept = world
    return kept


def readings_of(state: State, seat: int | None) -> Sequence[Reading]:
    """The readings of a game; none where it says nothing. `Game.likelihood` is one of a single style."""
    game = state.game
    if game.readings is not None:
        return game.readings(state, seat)
    if game.likelihood is None:
        return ()
    judge = game.likelihood(state, seat)
    return (Reading(-1, (Style("", 1.0),), lambda world: (judge(world),)),)


def mixed(styles: Sequence[Style], likelihoods: Sequence[float]) -> float:
    """How likely a mixture of styles finds what was done."""
    return sum([style.prior * likelihood for style, likelihood in zip(styles, likelihoods, strict=True)])


def mixture(reading: Reading) -> Mapping[Hashable, float]:
    """For all that a seat may hold, how likely the mixture finds what it did, the likeliest being 1."""
    assert reading.table is not None
    weights = {held: mixed(reading.styles, likelihoods) for held, likelihoods in reading.table.items()}
    most = max(weights.values()) or 1.0
    return {held: weight / most for held, weight in weights.items()}


def drawn(reading: Reading, world: State, rng: Rng) -> Style:
    """A style, the likelier the more often, in a world."""
    likelihoods = reading.explain(world)
    left = rng.random() * mixed(reading.styles, likelihoods)
    for style, likelihood in zip(reading.styles, likelihoods, strict=True):
        left -= style.prior * likelihood
        if left < 0:
            return style
    return reading.styles[0]


def _by_seat(playing: Policy, others: Mapping[int, Policy]) -> Policy:
    """The policy in which some seats have one of their own."""
    usual, chooses = choosing(playing), {seat: choosing(one) for seat, one in others.items()}
    step = stepping(playing, chooses)
    return policy(
        lambda state, seat, rng: chooses.get(seat, usual)(state, seat, rng), lambda state, rng, others: step(state, rng)
    )
