"""Stakes: what every answer of a decision is worth, in common worlds, and how much of the win depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import hypot
from operator import attrgetter
from typing import NamedTuple

from games.core import Action, Answer, Rng, State
from games.search.evaluation import playing_world
from games.search.policy import playing_policy
from games.search.samples import Samples, mean_and_error, mean_of
from games.search.steps import finished
from games.search.worlds import worlds_of

_PLAYOUTS, _OF_TEXT = 400, 150
"""Playouts of a decision, which many players answer; fewer in a game with answers of free text, where one takes much longer."""

_HALVES = 2
"""Parts of the worlds: the best answer of one is measured in the other, so that its luck does not flatter it."""

_FEWEST_WORLDS = 8
_LOOKS = 10, 20, 40
"""Worlds after which it is looked whether so little is at stake that more of them are not worth it."""

_DIGITS = 5


class AnswerStake(NamedTuple):
    """What an answer is worth to its seat: its share of the win, with a standard error, and how much less than the best answer
    that is. None: the consequence of too many invalid answers. `choice` is the first step of it in words."""

    answer: Answer | None
    choice: str
    share: float
    se: float
    loss: float


class _StrikeOut(Action):
    """What too many invalid answers lead to, graded like an answer."""

    @property
    def next_state(self) -> State:
        return self.state.strike_out(self.seat)

    def on(self, state: State) -> _StrikeOut:
        return _StrikeOut(state, self.seat, self.move)


class Stakes:
    """The answers of a decision, graded when they are asked for: in some of the worlds, in all, and with the strike-out. `keys`
    are those of the random numbers."""

    def __init__(self, state: State, seat: int, *keys: object) -> None:
        self._state, self._seat, self._keys = state, seat, keys
        self._actions, self._worlds = state.actions_of(seat), worlds_of(state, seat)
        playouts = _OF_TEXT if state.game.free_text else _PLAYOUTS
        self._number = max(_FEWEST_WORLDS, playouts // (_HALVES * (len(self._actions) + 1)))
        self._rngs = [Rng.of(*keys, half) for half in range(_HALVES)]
        self._halves = [[Samples(action, state.setup.players) for action in self._actions] for _ in self._rngs]

    def spreads(self) -> Iterator[float]:
        """What the spread is hardly ever above, by more and more of the first half of the worlds; the spread itself at last."""
        for worlds in (*(few for few in _LOOKS if few < self._number), self._number):
            answers = self._played(0, worlds)
            highest, lowest = (pick(answers, key=attrgetter("mean")).own for pick in (max, min))
            apart, error = mean_and_error([high - low for high, low in zip(highest, lowest, strict=True)])
            yield apart + error / 2 + 2 / (worlds + 2)  # the last term: so few worlds may be alike by chance
        yield self.spread

    @cached_property
    def spread(self) -> float:
        """The most that the choice of an answer can cost, above or equal to the difference of any two losses."""
        means = [[samples.mean for samples in self._played(half, self._number)] for half in range(_HALVES)]
        return round(mean_of([max(half) - min(half) for half in means]), _DIGITS)

    @cached_property
    def answers(self) -> tuple[AnswerStake, ...]:
        """All answers, and what too many invalid ones lead to."""
        struck = _StrikeOut(self._state, self._seat, "struck out")
        halves = list[list[Samples]]()
        for half in range(_HALVES):
            out = [Samples(struck, self._state.setup.players)]
            self._play(out, Rng.of(*self._keys, half), self._number)
            halves.append([*self._played(half, self._number), *out])
        best = [max(range(len(self._actions)), key=[samples.mean for samples in half].__getitem__) for half in halves]

        def stake(place: int, action: Action) -> AnswerStake:
            is_out, own = action is struck, [half[place] for half in halves]
            losses = [half[top].mean - half[place].mean for half, top in zip(halves, reversed(best), strict=True)]
            return AnswerStake(
                None if is_out else action.to_json(),
                struck.move if is_out else action.steps[0].name,
                round(mean_of([samples.mean for samples in own]), _DIGITS),
                round(hypot(*(mean_and_error(samples.own)[1] for samples in own)) / _HALVES, _DIGITS),
                round(mean_of(losses), _DIGITS),
            )

        return tuple(stake(place, action) for place, action in enumerate([*self._actions, struck]))

    def _played(self, half: int, worlds: int) -> list[Samples]:
        """The answers, played in this many worlds of a half."""
        self._play(self._halves[half], self._rngs[half], worlds)
        return self._halves[half]

    def _play(self, answers: Sequence[Samples], rng: Rng, worlds: int) -> None:
        policy = playing_policy(self._state.game)
        while len(answers[0].own) < worlds:
            finished(playing_world(answers, self._worlds, rng, policy))
