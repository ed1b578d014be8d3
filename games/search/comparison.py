"""Comparison: an answer of a decision and the best alternative in common worlds, beside the usual choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from types import MappingProxyType
from typing import NamedTuple

from games.core import Action, Policy, Rng, State
from games.search.evaluation import Evaluation, evaluating
from games.search.playouts import Playout, look_ahead, reach
from games.search.samples import mean_and_error, mean_of
from games.search.steps import finished
from games.search.worlds import Worlds, worlds_of


@dataclass(slots=True)
class Comparison:
    """The deciding seat's share of the win world by world: with the first candidate, with the second one, and in the first of
    those worlds with the policy's own choice. `cut` of the `playouts` were stopped before the end of the match."""

    first: list[float] = field(default_factory=list)
    second: list[float] = field(default_factory=list)
    usual: list[float] = field(default_factory=list)
    playouts: int = 0
    cut: int = 0

    @property
    def differences(self) -> list[float]:
        """By how much the second candidate is better, world by world."""
        return [other - own for own, other in zip(self.first, self.second, strict=True)]

    def _count(self, end: Playout) -> Playout:
        self.playouts += 1
        self.cut += end.is_cut
        return end

    def play(self, pair: tuple[Action, Action], worlds: Worlds, rng: Rng, policy: Policy, with_usual: bool) -> None:
        """Play two candidates in one more world, and the choice of the policy if asked for. Where that is one of the two, its
        playout serves for both, so that their difference has no noise."""
        chance, seat = Rng(rng.next()), pair[0].seat
        world = worlds(chance)
        policy = worlds.seated(policy, world, chance)
        world, is_due = reach(world, seat, policy, chance)
        if is_due:
            usual = policy(world, seat, Rng(chance.next())) if with_usual else None
            ends = [self._count(look_ahead(action.on(world).next_state, policy, Rng(chance.word), world)) for action in pair]
            same = next((end for end, action in zip(ends, pair, strict=True) if usual and usual.move == action.move), None)
            if usual:
                ends.append(same or self._count(look_ahead(usual.next_state, policy, Rng(chance.word), world)))
        else:
            ends = [self._count(look_ahead(world, policy, chance))] * 3
        self.first.append(ends[0].shares[seat])
        self.second.append(ends[1].shares[seat])
        if with_usual:
            self.usual.append(ends[2].shares[seat])


FOLDS = 4
"""Parts of the worlds. In each of them the other three decide whether the alternative is better."""

_CLOSE = 2.0
"""Standard errors of the race within which two candidates are close."""

_LEAST = 0.35
"""The part of the most worlds that a comparison has at least."""

_VARIED, _VARIED_MUCH = 0.3, 0.5
"""From which standard deviation on, in the race, the difference of two close candidates, and of others, gets all worlds."""


CHANCES = 2
"""The chances before a decision take this part of its playouts, and so does what the policy's own play expects."""


class PairedComparison(NamedTuple):
    """The shares of an answer and of its alternative; `behind` is the difference, with its standard error `error`. `regret`
    estimates how much better than the answer the better of the two is, with its standard error `regret_error`, and can be
    negative; see `_regret`. `gain` is the share of the answer beyond the one of what the policy of the playouts does. `race`
    has how far each candidate was behind the best in the race, whose worlds and numbers do not depend on the answer."""

    share: float
    rival: Action
    rival_share: float
    behind: float = 0.0
    error: float = 0.0
    regret: float = 0.0
    regret_error: float = 0.0
    gain: float = 0.0
    playouts: int = 0
    cut: int = 0
    race: Mapping[Action, float] = MappingProxyType({})

    def better(self, action: Action) -> tuple[Action, float]:
        """The better of the answer and its alternative, with its share."""
        return (action, self.share) if self.behind <= 0 else (self.rival, self.rival_share)

    def expected_regret(self, action: Action, chances: Sequence[tuple[Action, float]]) -> float | None:
        """The mean regret over a policy, which gave this answer: the race is the same whatever was played. None where the
        policy may give an answer of which nothing is known, or none at all."""
        likely = [(other, chance) for other, chance in chances if chance]
        if not likely or any(other not in self.race for other, _ in likely):
            return None
        return self.regret + sum(chance * self.race[other] for other, chance in likely) - self.race[action]


def compared(state: State, action: Action, policy: Policy, playouts: int, *keys: object) -> PairedComparison:
    """Race all candidates for the best alternative, then compare it with the action in further worlds. The race also decides
    how many further worlds there are. So neither choice favours a candidate by its own luck, as it would if the comparison were
    extended by what it shows. `keys` are those of the random numbers."""
    worlds, candidates = worlds_of(state, action.seat, is_adapting=True), state.actions_of(action.seat)
    racing = playouts * max(8, len(candidates)) // 16
    race = finished(evaluating(worlds, candidates, Rng.of(*keys, "race"), racing, policy))
    rival = next(grade.action for grade in race.grades if grade.action != action)
    number = max(FOLDS, int(playouts * _need(race, action, rival)))
    found, rng = Comparison(), Rng.of(*keys, "pair")
    for place in range(number):
        found.play((action, rival), worlds, rng, policy, with_usual=place <= playouts // CHANCES)
    differences = found.differences
    behind, error = mean_and_error(differences)
    return PairedComparison(
        share=mean_of(found.first),
        rival=rival,
        rival_share=mean_of(found.second),
        behind=behind,
        error=error,
        regret=_regret(behind, [mean_of(differences[part::FOLDS]) for part in range(FOLDS)]),
        regret_error=hypot(error, 1 / (number + 2)),
        gain=mean_of([own - usual for own, usual in zip(found.first, found.usual, strict=False)]),
        playouts=race.playouts + found.playouts,
        cut=race.cut + found.cut,
        race={grade.action: grade.behind for grade in race.grades},
    )


def _need(race: Evaluation, action: Action, rival: Action) -> float:
    """Which part of the most worlds the comparison gets: the more the difference varies from world to world, and fewer where
    the race has settled it."""
    grade = next(grade for grade in race.grades if grade.action in (action, rival) and grade is not race.best)
    deviation: float = grade.behind_error * grade.playouts**0.5
    is_close = grade.behind <= _CLOSE * grade.behind_error
    return min(1.0, max(_LEAST, deviation / _VARIED if is_close else deviation**2 / _VARIED_MUCH**2))


_IN_SAMPLE, _HELD_OUT = 4, 3
"""The weights of two estimates of a regret: one is too high where candidates are close, the other too low where a race missed
the best candidate or a fold the better one. `python -m tools.campaigns.regret_bias` measures what is left."""


def _regret(behind: float, folds: Sequence[float]) -> float:
    """By how much the alternative is better, 0 where it is not, without the favour of chance. The larger of 0 and a noisy
    difference is above 0 on average although both candidates are worth the same. Held out, a fold counts if the other folds
    find the alternative better (cross-validation), so that its own noise averages to 0, at most a fifth of the standard error
    to the answer's advantage. Both are averaged with fixed weights.

    Its error is that of the difference, and what the next world could change: it is not 0 where all worlds were alike."""
    total = sum(folds)
    held_out = mean_of([own if total - own > 0 else 0.0 for own in folds])
    return (_IN_SAMPLE * max(0.0, behind) + _HELD_OUT * held_out) / (_IN_SAMPLE + _HELD_OUT)
