"""Decision review: one decision evaluated from what its seat knew, against the best alternative."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from games.core import Action, Answer, Policy, Rng, State
from games.search.comparison import Comparison
from games.search.evaluation import Evaluation, chances, evaluate
from games.search.policy import has_playing_policy, playing_policy, second_policy
from games.search.samples import mean_and_error
from games.search.worlds import worlds_of
from runner.errors import UsageError
from runner.record.decisions import decisions
from runner.record.reader import Log
from runner.record.replay import detached
from runner.review.policies import LoggedPolicy, expected_behind, logged_policies

GradeName = Literal["best", "good", "inaccuracy", "mistake", "blunder", "unsure", "forced"]
FAULTS: tuple[GradeName, ...] = ("inaccuracy", "mistake", "blunder")

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
    grade: GradeName
    expected_regret: NotRequired[Number]
    """mean regret over the policy that was logged for it; missing without one"""


_BOUNDS: tuple[tuple[float, GradeName], ...] = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""From which share of the win on a decision has a name. They are those of lichess, whose scale from -1 to 1 is twice as wide:
0.1, 0.2 and 0.3 (https://github.com/lichess-org/lila, modules/tree/src/main/Advice.scala)."""

DIGITS = 4

_SURE = 2.0
"""Standard errors by which a decision has to be behind the best one to be called a fault."""


def grade_of(behind: float, error: float) -> GradeName:
    """The name of a decision that is this share of the win behind the best one, give or take an error; never `forced`."""
    if behind <= 0:
        return "best"
    if behind < _SURE * error:
        return "good"
    return next((name for bound, name in _BOUNDS if behind >= bound), "good")


def grade_words(one: Mapping[str, Any]) -> str:
    """A grade as words behind an answer; nothing for one that is not graded or was forced."""
    grade = one.get("grade", "forced")
    lost = f" −{one['given_up']:.0%}" if one.get("given_up", 0) >= 0.005 and grade != "best" else ""
    return "" if grade == "forced" else f": {grade}{lost}"


_FOLDS = 4
"""Parts of the worlds. In each of them the other three decide whether the alternative is better."""

_CLOSE = 2.0
"""Standard errors of the race within which two candidates are close."""

_LEAST = 0.35
"""The part of the most worlds that a comparison has at least."""

_VARIED, _VARIED_MUCH = 0.3, 0.5
"""From which standard deviation on, in the race, the difference of two close candidates, and of others, gets all worlds."""


class PairedComparison(NamedTuple):
    """The shares of an answer and of its alternative; `behind` is the difference, with its standard error `error`. `regret`
    estimates how much better than the answer the better of the two is, and can be negative; see `_regret`. `gain` is the share
    of the answer beyond the one of what the policy of the playouts does. `race` has how far each candidate was behind the best
    in the race, whose worlds and numbers do not depend on the answer."""

    share: float
    rival: Action
    rival_share: float
    behind: float = 0.0
    error: float = 0.0
    regret: float = 0.0
    gain: float = 0.0
    playouts: int = 0
    cut: int = 0
    race: Mapping[Action, float] = MappingProxyType({})


def compared(state: State, action: Action, policy: Policy, playouts: int, *keys: object) -> PairedComparison:
    """Race all candidates for the best alternative, then compare it with the action in further worlds. The race also decides
    how many further worlds there are. So neither choice favours a candidate by its own luck, as it would if the comparison were
    extended by what it shows. `keys` are those of the random numbers."""
    race = evaluate(state, action.seat, Rng.of(*keys, "race"), playouts // 2, policy)
    rival = next(grade.action for grade in race.grades if grade.action != action)
    number = max(_FOLDS, int(playouts * _need(race, action, rival)))
    found, worlds, rng = Comparison(), worlds_of(state, action.seat), Rng.of(*keys, "pair")
    for place in range(number):
        found.play((action, rival), worlds, rng, policy, with_usual=place <= playouts // CHANCES)
    differences = found.differences
    behind, error = mean_and_error(differences)
    return PairedComparison(
        share=_mean(found.first),
        rival=rival,
        rival_share=_mean(found.second),
        behind=behind,
        error=error,
        regret=_regret([_mean(differences[part::_FOLDS]) for part in range(_FOLDS)]),
        gain=_mean([own - usual for own, usual in zip(found.first, found.usual, strict=False)]),
        playouts=race.playouts + found.playouts,
        cut=race.cut + found.cut,
        race={grade.action: grade.behind for grade in race.grades},
    )


def _graded(pair: PairedComparison, state: State, action: Action, playouts: int, *keys: object) -> GradeName:
    """The grade of an answer. A fault under one policy of the playouts that is none under the second one is `unsure`."""
    grade = grade_of(max(0.0, pair.behind), pair.error)
    if grade not in FAULTS:
        return grade
    found, worlds, rng = Comparison(), worlds_of(state, action.seat), Rng.of(*keys, "second")
    policy, (least, _) = second_policy(state.game), _BOUNDS[-1]
    for _ in range(max(_FOLDS, playouts // 2)):
        found.play((action, pair.rival), worlds, rng, policy, with_usual=False)
    return grade if _mean(found.differences) >= least else "unsure"


def _need(race: Evaluation, action: Action, rival: Action) -> float:
    """Which part of the most worlds the comparison gets: the more the difference varies from world to world, and fewer where
    the race has settled it."""
    grade = next(grade for grade in race.grades if grade.action in (action, rival) and grade is not race.best)
    deviation: float = grade.behind_error * grade.playouts**0.5
    is_close = grade.behind <= _CLOSE * grade.behind_error
    return min(1.0, max(_LEAST, deviation / _VARIED if is_close else deviation**2 / _VARIED_MUCH**2))


def _regret(behind: Sequence[float]) -> float:
    """By how much the alternative is better, 0 where it is not, without the favour of chance. The larger of 0 and a noisy
    difference is above 0 on average although both candidates are worth the same. Here a fold counts if the other folds find the
    alternative better (cross-validation), so that its own noise averages to 0. What remains is at most a fifth of the standard
    error, to the answer's advantage."""
    total = sum(behind)
    return _mean([own if total - own > 0 else 0.0 for own in behind])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


CHANCES = 2
"""The chances before a decision take this part of its playouts, and so does what the policy's own play expects."""


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
    asked, seat, keys = job.asked, job.seat, ("review", seed, job.number)
    policy, found = playing_policy(asked.game), Reviewed(job.number, seat)
    if job.answer is None:
        return found._replace(why="the seat was struck out")
    words = [name for name in asked.question(seat).schema["properties"] if name in asked.game.free_text]
    if words:
        return found._replace(why=f"the {words[0]} is free text, whose alternatives cannot be enumerated")
    action = asked.read(seat, job.answer)
    if len(asked.actions_of(seat)) == 1:
        expected = chances(worlds_of(asked, seat), Rng.of(*keys, 0), max(1, playouts // CHANCES), policy)[seat]
        pair = PairedComparison(expected, action, expected)
        grade: GradeName = "forced"
    else:
        pair = compared(asked, action, policy, playouts, *keys)
        grade = _graded(pair, asked, action, playouts, *keys)
    best, best_share = (action, pair.share) if pair.behind <= 0 else (pair.rival, pair.rival_share)
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
        "grade": grade,
    }
    if job.policy is not None and pair.race:
        # The race is the same whatever was played, so the mean over the policy is that of the played regret.
        mean = expected_behind(job.policy.chances(asked, seat), pair.race)
        if mean is not None:
            entry["expected_regret"] = round(pair.regret + mean - pair.race[action], DIGITS)
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
