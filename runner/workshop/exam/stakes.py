"""Stakes: what every answer of a decision is worth, in common worlds, and how much of the win depends on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from typing_extensions import TypedDict

import games
from games.core import Action, Answer, Rng, State
from games.search.evaluation import Evaluation, evaluate
from games.search.policy import playing_policy
from runner.review.review_document import default_playouts

_HALVES = 2
"""Parts of the worlds: the best answer of one is measured in the other, so that its luck does not flatter it."""

_FEWEST_WORLDS = 8
DIGITS = 5
STRUCK_OUT = "struck out"


class AnswerGrade(TypedDict):
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

    graded: Sequence[AnswerGrade]
    spread: float


class _StrikeOut(Action):
    """What too many invalid answers lead to, graded like an answer."""

    @property
    def next_state(self) -> State:
        return self.state.strike_out(self.seat)

    def on(self, state: State) -> _StrikeOut:
        return _StrikeOut(state, self.seat, self.move)


def is_gradable(state: State, seat: int) -> bool:
    """Whether a decision has alternatives that can be compared: more than one answer, and none of free text."""
    words = state.game.free_text
    if len(state.actions_of(seat)) < 2:
        return False
    return not (words and {*state.question(seat).schema["properties"]} & {*words})


def stakes(state: State, seat: int, *keys: object) -> Stakes:
    """Grade all answers of a decision, and the strike-out. `keys` are those of the random numbers."""
    actions = [*state.actions_of(seat), _StrikeOut(state, seat, "strike-out")]
    worlds = max(_FEWEST_WORLDS, default_playouts(games.load(state.game.name)) // (_HALVES * len(actions)))
    policy, most = playing_policy(state.game), worlds * len(actions)
    halves = [evaluate(state, seat, Rng.of(*keys, half), most, policy, actions, actions) for half in range(_HALVES)]
    shares = [_by_action(half) for half in halves]
    errors = [{grade.action: grade.error for grade in half.grades} for half in halves]
    best = [max(actions[:-1], key=lambda action: half[action]) for half in shares]
    graded = [
        AnswerGrade(
            answer=None if isinstance(action, _StrikeOut) else action.to_json(),
            choice=STRUCK_OUT if isinstance(action, _StrikeOut) else action.steps[0].name,
            share=round(_mean([half[action] for half in shares]), DIGITS),
            se=round(_mean([half[action] ** 2 for half in errors]) ** 0.5 / _HALVES**0.5, DIGITS),
            loss=round(_mean([own[other] - own[action] for own, other in zip(shares, reversed(best), strict=True)]), DIGITS),
        )
        for action in actions
    ]
    spread = _mean([max(found) - min(found) for found in ([half[action] for action in actions[:-1]] for half in shares)])
    return Stakes(graded, round(spread, DIGITS))


def _by_action(half: Evaluation) -> dict[Action, float]:
    return {grade.action: grade.share for grade in half.grades}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
