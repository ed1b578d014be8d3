"""Decision review: one decision evaluated from what its seat knew, against the best alternative."""

from __future__ import annotations

from typing import NamedTuple

from games.core import Action, Answer, Rng, State
from games.search.evaluation import Grade, chances, evaluate
from games.search.playouts import Shares
from games.search.policy import playing_policy
from games.search.worlds import worlds_of
from runner.review.grades import GradeName, grade_of

_CHANCES = 4
"""One in so many playouts estimates the chances before the decision, from the true state and from what the seat knew each."""

_EXTENSIONS = 3
"""How often the comparison with the best alternative is repeated in further worlds while the two are close."""

_CLOSE = 2.0
"""Standard errors within which two candidates are close."""


class Job(NamedTuple):
    """A decision to be reviewed: the state before it, the seat, and its answer (None: the seat was struck out)."""

    number: int
    state: State
    seat: int
    answer: Answer | None


class Reviewed(NamedTuple):
    """What a decision was worth, in shares of the win for the seat that decided; see `DecisionEntry` for the fields.

    `why` is why it is not graded, empty for a graded one. `expected` is the share if the seat had played as the policy does.
    """

    number: int
    seat: int
    answer: Answer | None
    chances: Shares
    expected: float
    why: str = ""
    share: float = 0.0
    best: Answer | None = None
    best_share: float = 0.0
    error: float = 0.0
    grade: GradeName = "forced"
    playouts: int = 0


def review_decision(job: Job, playouts: int, seed: int) -> Reviewed:
    """Evaluate a decision. The same job, number of playouts and seed give the same review."""
    state, seat = job.state, job.seat
    policy, rng = playing_policy(state.game), Rng.of("review", seed, job.number)
    some = max(1, playouts // _CHANCES)
    true_chances = chances(lambda _: state, rng, some, policy)
    expected = chances(worlds_of(state, seat), rng, some, policy)[seat]
    found = Reviewed(job.number, seat, job.answer, true_chances, expected)
    action = _action(job)
    if why := _not_graded(job, action):
        return found._replace(why=why)
    assert action is not None
    if len(state.actions_of(seat)) == 1:
        return found._replace(share=expected, best=job.answer, best_share=expected)
    return _compared(found, state, action, rng, playouts)


def _action(job: Job) -> Action | None:
    """The action that was taken; None for a strike-out."""
    return None if job.answer is None else job.state.read(job.seat, job.answer)


def _not_graded(job: Job, action: Action | None) -> str:
    if action is None:
        return "the seat was struck out"
    fields = job.state.question(job.seat).schema["properties"]
    if words := [name for name in fields if name in job.state.game.free_text]:
        return f"the {words[0]} is free text, whose alternatives cannot be enumerated"
    return ""


def _compared(found: Reviewed, state: State, action: Action, rng: Rng, playouts: int) -> Reviewed:
    """Race all candidates for the best one, then compare it with the action in further worlds.

    The further worlds take no part in the choice of the best candidate, so that it is not favoured by its own luck.
    """
    policy = playing_policy(state.game)
    race = evaluate(state, found.seat, rng, playouts // 2, policy)
    rival = next(grade for grade in race.grades if grade.action != action) if race.best.action == action else race.best
    spent, samples = race.playouts, list[tuple[Grade, Grade]]()
    for _ in range(1 + _EXTENSIONS):
        pair = evaluate(state, found.seat, rng, playouts // 2, policy, (action, rival.action), kept=(action, rival.action))
        spent += pair.playouts
        own, other = sorted(pair.grades, key=lambda grade: grade.action != action)
        samples.append((own, other))
        behind, error = _difference(samples)
        if abs(behind) > _CLOSE * error:
            break
    share, rival_share = (_mean(grades) for grades in zip(*samples, strict=True))
    is_best = behind <= 0
    return found._replace(
        share=share,
        best=(action if is_best else rival.action).to_json(),
        best_share=share if is_best else rival_share,
        error=error,
        grade=grade_of(max(0.0, behind), error),
        playouts=spent,
    )


def _mean(grades: tuple[Grade, ...]) -> float:
    return sum(grade.share for grade in grades) / len(grades)


def _difference(samples: list[tuple[Grade, Grade]]) -> tuple[float, float]:
    """By how much the action is behind its rival, with the standard error, over samples of the same size."""
    errors = [max(own.behind_error, other.behind_error) for own, other in samples]
    mean = sum(other.share - own.share for own, other in samples) / len(samples)
    return mean, sum(error * error for error in errors) ** 0.5 / len(samples)
