"""Decision review: one decision evaluated from what its seat knew, against the best alternative."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from games.core import Answer, State
from games.search.grading import GradeName, free_field, graded
from games.search.policy import has_playing_policy
from runner.errors import UsageError
from runner.record.decisions import decisions
from runner.record.reader import Log
from runner.record.replay import detached
from runner.review.logged_answers import LoggedPolicy, logged_policies

Share = Annotated[float, Field(ge=0, le=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Natural = Annotated[int, Field(ge=0)]


class DecisionEntry(TypedDict):
    """A graded decision; shares are those of the win, from 0 to 1, of the seat that decided, from what it knew."""

    decision: Natural
    """its number in the log, from 1"""
    seat: Natural
    answer: Answer | None
    share: Share
    """expected share with this answer"""
    best: Answer | None
    """the best answer found"""
    best_share: Share
    """expected share with that"""
    given_up: Share
    """best_share minus share, at least 0"""
    se: Share
    """standard error of that difference"""
    regret: Number
    """best_share minus share without the favour of chance, for means; can be below 0"""
    regret_se: Share
    """standard error of regret: se, and what one world more could change"""
    grade: GradeName
    expected_regret: NotRequired[Number]
    """mean regret over the policy that was logged for it; missing without one"""


DIGITS = 4


def grade_words(one: Mapping[str, Any]) -> str:
    """A grade as words behind an answer; nothing for one that is not graded or was forced."""
    grade = one.get("grade", "forced")
    lost = f" −{one['given_up']:.0%}" if one.get("given_up", 0) >= 0.005 and grade != "best" else ""
    return "" if grade == "forced" else f": {grade}{lost}"


class DecisionJob(NamedTuple):
    """A decision to be reviewed: the state before it, the seat, and its answer (None: the seat was struck out). `asked` is the
    state in which the seat was asked: the same, or an earlier one of the phase if several seats were asked at once and others'
    answers were applied first. `policy` is the one that was logged for it."""

    number: int
    state: State
    asked: State
    seat: int
    answer: Answer | None
    policy: LoggedPolicy | None = None


class Reviewed(NamedTuple):
    """What a decision was worth: its entry in the document, or why it is not graded. `gain` is its share beyond the one that
    the policy's own play expects; `cut` of its playouts were stopped before the end."""

    number: int
    seat: int
    gain: float = 0.0
    entry: DecisionEntry | None = None
    why: str = ""
    cut: int = 0


def review_decision(job: DecisionJob, playouts: int, seed: int) -> Reviewed:
    """Evaluate a decision. The same job, number of playouts and seed give the same review."""
    asked, seat, found = job.asked, job.seat, Reviewed(job.number, job.seat)
    if job.answer is None:
        return found._replace(why="the seat was struck out")
    if words := free_field(asked, seat):
        return found._replace(why=f"the {words} is free text, whose alternatives cannot be enumerated")
    action = asked.read(seat, job.answer)
    pair, grade = graded(action, playouts, "review", seed, job.number)
    best, best_share = pair.better(action)
    share, best_share = round(pair.share, DIGITS), round(best_share, DIGITS)
    entry: DecisionEntry = {
        "decision": job.number,
        "seat": seat,
        "answer": job.answer,
        "share": share,
        "best": best.to_json(),
        "best_share": best_share,
        "given_up": round(max(0.0, best_share - share), DIGITS),
        "se": round(pair.error, DIGITS),
        "regret": round(pair.regret, DIGITS),
        "regret_se": round(pair.regret_error, DIGITS),
        "grade": grade,
    }
    if job.policy is not None and (mean := pair.expected_regret(action, job.policy.chances(asked, seat))) is not None:
        entry["expected_regret"] = round(mean, DIGITS)
    return found._replace(gain=pair.gain, entry=entry, cut=pair.cut)


def review_jobs(log: Log) -> tuple[list[DecisionJob], State]:
    """The decisions of a log, and the state after the last one. LogDamagedError at a decision that the rules do not lead to.
    UsageError for a game without a policy for playouts."""
    found, waiting, policies = list[DecisionJob](), tuple[int, ...](), logged_policies(log)
    asked: State | None = None
    for decision in decisions(log):
        last, before, record = decision.state, decision.before, decision.record
        if record is None:
            continue
        # Several seats are asked in the state before the first of them decides.
        is_same = asked is not None and (asked.phase_id, waiting) == (before.phase_id, before.pending)
        if asked is None or not (is_same and log.header["ask"] == "simultaneous"):
            asked = before
        waiting = before.pending[1:]
        answer = None if record["how"] == "strike_out" else record["action"]
        policy = policies.get(decision.number)
        found.append(DecisionJob(decision.number, detached(before), detached(asked), record["seat"], answer, policy))
    if not has_playing_policy(last.game):
        raise UsageError(f"{last.game.title} cannot be reviewed: it has no `bot:steady`, whose policy plays the matches out.")
    return found, last
