"""Paired comparison: an answer against its best alternative, in worlds that took no part in the choice of that alternative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.core import Action, Policy, Rng, State
from games.search.evaluation import Evaluation, Grade, evaluate

_FOLDS = 4
"""Parts of the worlds. In each of them the other three decide whether the alternative is better."""

_FEWEST, _MOST = 8, 2
"""The playouts of a fold are those of a decision divided by the first, and where both are close by the second."""

_CLOSE = 2.0
"""Standard errors of the race within which two candidates are close."""


class PairedComparison(NamedTuple):
    """The shares of an answer and of its alternative; `behind` is the difference, with its standard error `error`.

    `regret` estimates how much better than the answer the better of the two is, and can be negative; see `_regret`.
    """

    share: float
    rival: Action
    rival_share: float
    behind: float
    error: float
    regret: float
    playouts: int


def compared(state: State, action: Action, policy: Policy, playouts: int, *keys: object) -> PairedComparison:
    """Race all candidates for the best alternative, then compare it with the action in further worlds.

    The race also decides how many further worlds there are. So neither choice favours a candidate by its own luck, as it
    would if the comparison were extended by what it shows. `keys` are those of the random numbers.
    """
    race = evaluate(state, action.seat, Rng.of(*keys, "race"), playouts // 2, policy)
    rival = next(grade.action for grade in race.grades if grade.action != action)
    a_fold = playouts // (_MOST if _is_close(race, action, rival) else _FEWEST)
    folds = [_fold(state, (action, rival), policy, a_fold, *keys, number) for number in range(_FOLDS)]
    return PairedComparison(
        share=_mean([own.share for own, _ in folds]),
        rival=rival,
        rival_share=_mean([other.share for _, other in folds]),
        behind=_mean(behind := [other.share - own.share for own, other in folds]),
        error=_mean([max(own.behind_error, other.behind_error) ** 2 for own, other in folds]) ** 0.5 / _FOLDS**0.5,
        regret=_regret(behind),
        playouts=race.playouts + 2 * sum(own.playouts for own, _ in folds),
    )


def fold_numbers(*keys: object) -> Rng:
    """The random numbers of the first fold, for whatever else is to be played in the same worlds."""
    return Rng.of(*keys, 0)


def _is_close(race: Evaluation, action: Action, rival: Action) -> bool:
    behind = next(grade for grade in race.grades if grade.action in (action, rival) and grade is not race.best)
    return behind.behind <= _CLOSE * behind.behind_error


def _fold(state: State, pair: Sequence[Action], policy: Policy, playouts: int, *keys: object) -> tuple[Grade, Grade]:
    """The grades of the two candidates in the worlds of one fold."""
    grades = evaluate(state, pair[0].seat, Rng.of(*keys), playouts, policy, pair, kept=pair).grades
    first, second = sorted(grades, key=lambda grade: grade.action != pair[0])
    return first, second


def _regret(behind: Sequence[float]) -> float:
    """By how much the alternative is better, 0 where it is not, without the favour of chance.

    The larger of 0 and a noisy difference is above 0 on average although both candidates are worth the same. Here a fold
    counts if the other folds find the alternative better (cross-validation), so that its own noise averages to 0. What
    remains is at most a fifth of the standard error, to the answer's advantage.
    """
    total = sum(behind)
    return _mean([own if total - own > 0 else 0.0 for own in behind])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
