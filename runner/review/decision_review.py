"""Decision review: one decision evaluated from what its seat knew, against the best alternative."""

from __future__ import annotations

from typing import NamedTuple

from games.core import Action, Answer, Rng, State
from games.search.evaluation import chances
from games.search.playouts import Shares
from games.search.policy import playing_policy
from games.search.worlds import worlds_of
from runner.review.grades import GradeName, grade_of
from runner.review.paired_comparison import compared, fold_numbers

CHANCES = 2
"""The chances before a decision take this part of its playouts: once from the true state, once from what the seat knew."""


class Job(NamedTuple):
    """A decision to be reviewed: the state before it, the seat, and its answer (None: the seat was struck out).

    `asked` is the state in which the seat was asked: the same, or an earlier one of the phase if several seats were asked at
    once and others' answers were applied first.
    """

    number: int
    state: State
    asked: State
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
    regret: float = 0.0
    grade: GradeName = "forced"


def review_decision(job: Job, playouts: int, seed: int) -> Reviewed:
    """Evaluate a decision. The same job, number of playouts and seed give the same review."""
    asked, seat, keys = job.asked, job.seat, ("review", seed, job.number)
    policy, some = playing_policy(asked.game), max(1, playouts // CHANCES)
    true_chances = chances(lambda _: job.state, Rng.of(*keys, "chances"), some, policy)
    expected = chances(worlds_of(asked, seat), fold_numbers(*keys), some, policy)[seat]
    found = Reviewed(job.number, seat, job.answer, true_chances, expected)
    action = None if job.answer is None else asked.read(seat, job.answer)
    if action is None or (why := _not_graded(asked, seat)):
        return found._replace(why="the seat was struck out" if action is None else why)
    if len(asked.actions_of(seat)) == 1:
        return found._replace(share=expected, best=job.answer, best_share=expected)
    return _graded(found, asked, action, playouts, keys)


def _not_graded(state: State, seat: int) -> str:
    """Why the answers to a question cannot be graded; empty if they can."""
    fields = state.question(seat).schema["properties"]
    words = [name for name in fields if name in state.game.free_text]
    return f"the {words[0]} is free text, whose alternatives cannot be enumerated" if words else ""


def _graded(found: Reviewed, state: State, action: Action, playouts: int, keys: tuple[object, ...]) -> Reviewed:
    pair = compared(state, action, playing_policy(state.game), playouts, *keys)
    is_best = pair.behind <= 0
    return found._replace(
        share=pair.share,
        best=(action if is_best else pair.rival).to_json(),
        best_share=pair.share if is_best else pair.rival_share,
        error=pair.error,
        regret=pair.regret,
        grade=grade_of(max(0.0, pair.behind), pair.error),
    )
