"""Stated chances: what a seat says of a proposition, against the truth, the chance in worlds, and its answer."""

from collections.abc import Mapping
from math import log as natural_log

import games
from games.core import Action, Proposition, Rng, State
from games.search.evaluation import evaluating
from games.search.policy import has_playing_policy, playing_policy
from games.search.steps import finished
from games.search.worlds import Worlds, worlds_of

WORLDS = 200
"""Worlds from which a chance is estimated, and the most draws for a world in which a proposition has a given truth."""

PLAYOUTS = 100
"""Playouts of the candidates of a decision in worlds of one kind."""

BINS = 10
"""Parts of equal width into which stated probabilities fall for a calibration curve."""

_LEAST = 0.005
"""A stated 0 or 1 counts as this, or 1 minus this, in the logarithmic score: half a percent, since percentages are whole."""


def chance_of(proposition: Proposition, state: State, seat: int, worlds: int, rng: Rng) -> float | None:
    """The probability of a proposition by what the seat knows of the cards: the game's own, or the share of worlds drawn as
    often as the cards alone make them likely. None where worlds do not tell either."""
    if proposition.chance is not None or not games.load(state.game.name).has_worlds:
        return proposition.chance
    found = [proposition.holds(state.resample(seat, Rng(rng.next()))) for _ in range(worlds)]
    return None if None in found else sum(map(bool, found)) / worlds


def loss_by(action: Action, one: Proposition, chance: float, playouts: int, number: int) -> float | None:
    """What an answer gives up of the win by a stated probability p: it is worth p times its share in worlds where the
    proposition holds, plus 1 - p times that where it does not. None without a choice, a policy for playouts, or worlds of both
    kinds. `number` is that of the decision, for the random numbers."""
    state, seat = action.state, action.seat
    candidates = state.actions_of(seat)
    if len(candidates) < 2 or not has_playing_policy(state.game) or not games.load(state.game.name).has_worlds:
        return None
    shares, policy = dict.fromkeys(candidates, 0.0), playing_policy(state.game)
    for truth, weight in ((True, chance), (False, 1 - chance)):
        if weight:
            rng = Rng.of("belief and action", number, truth)
            try:
                worlds = _where(worlds_of(state, seat), one, truth)
                found = finished(evaluating(worlds, candidates, rng, playouts * len(candidates), policy, candidates))
            except _NoWorldError:
                return None
            for grade in found.grades:
                shares[grade.action] += weight * grade.share
    return max(shares.values()) - shares[action]


class _NoWorldError(Exception):
    """No world was found in which a proposition has a given truth."""


def _where(worlds: Worlds, one: Proposition, truth: bool) -> Worlds:
    def drawn(rng: Rng) -> State:
        for _ in range(WORLDS):
            if one.holds(world := worlds(rng)) is truth:
                return world
        raise _NoWorldError

    return Worlds(drawn)


def scores(stated: float | None, holds: bool | None, chance: float | None) -> Mapping[str, float]:
    """The terms of a stated probability in sums: `settled` where it was stated and came out, `compared` where it has a chance,
    too, each with its scores. For each part of 0 to 1 with a number from 0, `stated 0` counts a probability that was stated
    there, `sum 0` has it, and `true 0` counts one that came out true."""
    if stated is None or holds is None:
        return {"asked": 1, "missing": int(stated is None)}
    part, score = min(BINS - 1, int(stated * BINS)), min(1 - _LEAST, max(_LEAST, stated if holds else 1 - stated))
    own = {"asked": 1, "settled": 1, "log": -natural_log(score)}
    own |= {f"stated {part}": 1, f"sum {part}": stated, f"true {part}": holds}
    if chance is not None:
        squares = {"brier": (stated - holds) ** 2, "chance_brier": (chance - holds) ** 2, "gap": (stated - chance) ** 2}
        own |= {"compared": 1, **squares}
    return own
