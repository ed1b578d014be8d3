"""Comparison: an answer of a decision and the best alternative in common worlds, beside the usual choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from operator import itemgetter
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
    """The deciding seat's share of the win world by world: with an answer, with each of its `rivals`, and in the first of those
    worlds with the policy's own choice. `cut` of the `playouts` were stopped before the end of the match."""

    answer: Action
    rivals: Sequence[Action]
    shares: list[list[float]] = field(default_factory=list)
    """a world each: of the answer, then of the rivals"""
    usual: list[float] = field(default_factory=list)
    playouts: int = 0
    cut: int = 0

    def differences(self, rival: int = 0) -> list[float]:
        """By how much a rival is better, world by world."""
        return [shares[1 + rival] - shares[0] for shares in self.shares]

    def _count(self, end: Playout) -> Playout:
        self.playouts += 1
        self.cut += end.is_cut
        return end

    def play(self, worlds: Worlds, rng: Rng, policy: Policy, with_usual: bool) -> None:
        """Play the candidates in one more world, and the choice of the policy if asked for. Where that is one of them, its
        playout serves for both, so that their difference has no noise."""
        chance, seat, actions = Rng(rng.next()), self.answer.seat, [self.answer, *self.rivals]
        world = worlds(chance)
        policy = worlds.seated(policy, world, chance)
        world, is_due = reach(world, seat, policy, chance)
        if is_due:
            usual = policy(world, seat, Rng(chance.next())) if with_usual else None
            ends = [self._count(look_ahead(action.on(world).next_state, policy, Rng(chance.word), world)) for action in actions]
            same = next((end for end, action in zip(ends, actions, strict=True) if usual and usual.move == action.move), None)
            if usual:
                ends.append(same or self._count(look_ahead(usual.next_state, policy, Rng(chance.word), world)))
        else:
            ends = [self._count(look_ahead(world, policy, chance))] * (len(actions) + with_usual)
        self.shares.append([end.shares[seat] for end in ends[: len(actions)]])
        if with_usual:
            self.usual.append(ends[-1].shares[seat])


FOLDS = 4
"""Parts of the worlds. In each of them the other three decide whether the alternative is better."""

_CLOSE = 2.0
"""Standard errors of the race within which two candidates are close."""

_RIVALS = 3
"""Alternatives that are compared at most: those that the race leaves close to the best one."""

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
    """Race all candidates for the best alternatives, then compare them with the action in further worlds. The race also decides
    how many further worlds there are, which share the playouts of two candidates. So neither choice favours a candidate by its
    own luck, as it would if the comparison were extended by what it shows. `keys` are those of the random numbers."""
    worlds, candidates = worlds_of(state, action.seat, is_adapting=True), state.actions_of(action.seat)
    racing = playouts * max(8, len(candidates)) // 16
    race = finished(evaluating(worlds, candidates, Rng.of(*keys, "race"), racing, policy))
    rivals = _rivals(race, action)
    number = max(FOLDS, int(playouts * _need(race, action, rivals[0]) * 2 / (1 + len(rivals))))
    found, rng = Comparison(action, rivals), Rng.of(*keys, "pair")
    for place in range(number):
        found.play(worlds, rng, policy, with_usual=place <= playouts // CHANCES)
    apart = [found.differences(rival) for rival in range(len(rivals))]
    best = max(range(len(rivals)), key=lambda rival: sum(apart[rival]))
    behind, error = mean_and_error(apart[best])
    own = [shares[0] for shares in found.shares]
    return PairedComparison(
        share=mean_of(own),
        rival=rivals[best],
        rival_share=mean_of([shares[1 + best] for shares in found.shares]),
        behind=behind,
        error=error,
        regret=_regret([[mean_of(differences[part::FOLDS]) for part in range(FOLDS)] for differences in apart]),
        regret_error=hypot(error, 1 / (number + 2)),
        gain=mean_of([share - usual for share, usual in zip(own, found.usual, strict=False)]),
        playouts=race.playouts + found.playouts,
        cut=race.cut + found.cut,
        race={grade.action: grade.behind for grade in race.grades},
    )


def _rivals(race: Evaluation, action: Action) -> list[Action]:
    """The best alternatives of a race: the best one, and others that are close to it."""
    best, *others = [grade for grade in race.grades if grade.action != action][:_RIVALS]
    return [best.action, *(grade.action for grade in others if grade.behind - best.behind <= _CLOSE * grade.behind_error)]


def _need(race: Evaluation, action: Action, rival: Action) -> float:
    """Which part of the most worlds the comparison gets: the more the difference varies from world to world, and fewer where
    the race has settled it."""
    grade = next(grade for grade in race.grades if grade.action in (action, rival) and grade is not race.best)
    deviation: float = grade.behind_error * grade.playouts**0.5
    is_close = grade.behind <= _CLOSE * grade.behind_error
    return min(1.0, max(_LEAST, deviation / _VARIED if is_close else deviation**2 / _VARIED_MUCH**2))


_IN_SAMPLE, _HELD_OUT = 3, 2
"""The weights of two estimates of a regret: one is too high where candidates are close, the other too low where a race missed
the best candidate or a fold the better one. `python -m tools.campaigns.regret_bias` measures what is left."""


def _regret(rivals: Sequence[Sequence[float]]) -> float:
    """By how much the best alternative is better, 0 where none is, from each one's mean differences in the folds, without the
    favour of chance. The largest of 0 and noisy differences is above 0 on average although all candidates are worth the same.
    Held out, a fold counts for the alternative that the other folds find best, and better than the answer (cross-validation),
    so that its own noise averages to 0. Both are averaged with fixed weights.

    Its error is that of the difference, and what the next world could change: it is not 0 where all worlds were alike."""
    held_out = 0.0
    for fold in range(FOLDS):
        others, own = max(((sum(means) - means[fold], means[fold]) for means in rivals), key=itemgetter(0))
        held_out += own / FOLDS if others > 0 else 0.0
    in_sample = max(0.0, *(mean_of(means) for means in rivals))
    return (_IN_SAMPLE * in_sample + _HELD_OUT * held_out) / (_IN_SAMPLE + _HELD_OUT)
