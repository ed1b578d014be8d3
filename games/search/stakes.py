"""Stakes: what every answer of a decision is worth, in common worlds, and how much of the win depends on it."""

from __future__ import annotations

from typing import NamedTuple

from games.core import Action, Answer, Rng, State
from games.search.evaluation import evaluate
from games.search.policy import playing_policy
from games.search.samples import mean_of

_PLAYOUTS, _OF_TEXT = 400, 150
"""Playouts of a decision; fewer in a game with answers of free text, where one takes much longer."""

_HALVES = 2
"""Parts of the worlds: the best answer of one is measured in the other, so that its luck does not flatter it."""

_FEWEST_WORLDS = 8
_DIGITS = 5


class AnswerStake(NamedTuple):
    """What an answer is worth to its seat: its share of the win, with a standard error, and how much less than the best answer
    that is. None: the consequence of too many invalid answers. `choice` is the first step of it in words."""

    answer: Answer | None
    choice: str
    share: float
    se: float
    loss: float


class Stakes(NamedTuple):
    """The answers of a decision, graded in the same worlds. `spread` is the most that the choice of an answer can cost, above
    or equal to the difference of any two losses."""

    answers: tuple[AnswerStake, ...]
    spread: float


class _StrikeOut(Action):
    """What too many invalid answers lead to, graded like an answer."""

    @property
    def next_state(self) -> State:
        return self.state.strike_out(self.seat)

    def on(self, state: State) -> _StrikeOut:
        return _StrikeOut(state, self.seat, self.move)


def stakes(state: State, seat: int, *keys: object) -> Stakes:
    """Grade all answers of a decision, and the strike-out. `keys` are those of the random numbers."""
    actions = [*state.actions_of(seat), _StrikeOut(state, seat, "struck out")]
    playouts = _OF_TEXT if state.game.free_text else _PLAYOUTS
    worlds = max(_FEWEST_WORLDS, playouts // (_HALVES * len(actions)))
    policy, most = playing_policy(state.game), worlds * len(actions)
    halves = [evaluate(state, seat, Rng.of(*keys, half), most, policy, actions, actions).grades for half in range(_HALVES)]
    shares = [{grade.action: grade.share for grade in half} for half in halves]
    errors = [{grade.action: grade.error for grade in half} for half in halves]
    best = [max(actions[:-1], key=lambda action: half[action]) for half in shares]
    answers = [
        AnswerStake(
            None if isinstance(action, _StrikeOut) else action.to_json(),
            action.move if isinstance(action, _StrikeOut) else action.steps[0].name,
            round(mean_of([half[action] for half in shares]), _DIGITS),
            round((sum(half[action] ** 2 for half in errors)) ** 0.5 / _HALVES, _DIGITS),
            round(mean_of([own[other] - own[action] for own, other in zip(shares, reversed(best), strict=True)]), _DIGITS),
        )
        for action in actions
    ]
    spread = mean_of([max(found) - min(found) for found in ([half[action] for action in actions[:-1]] for half in shares)])
    return Stakes(tuple(answers), round(spread, _DIGITS))
