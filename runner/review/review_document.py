"""Review document: what `tabletop review --json` prints, and how it is made."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Annotated, NotRequired, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

from games.core import Rng
from games.search.comparison import CHANCES
from games.search.evaluation import chances, chances_along
from games.search.playouts import Shares, look_ahead, shares_of
from games.search.policy import MOST_PLAYOUTS, playing_policy
from games.search.worlds import playing_on, worlds_of
from runner.child_processes import available_cpus
from runner.record.log_folder import FollowWork, Found, unfollowed
from runner.record.reader import Log
from runner.review.decision_review import (
    DIGITS,
    DecisionEntry,
    DecisionJob,
    Natural,
    Number,
    Reviewed,
    Share,
    review_decision,
    review_jobs,
)
from runner.worker_processes import in_order

_TWO_SIDED = 1.96


class SeatEntry(TypedDict):
    seat: Natural
    player: str
    """the player's name"""
    decisions: Natural
    """how many of its decisions are graded, forced ones not counted"""
    regret: Number
    """sum of `regret` over its graded decisions, for means over matches; can be below 0"""
    best_share: Number
    """sum of `best_share` over them: what its answers could have been worth"""
    given_up: Share | None
    """mean `regret` of its graded decisions, at least 0; null without any"""
    interval: Annotated[list[Share], Field(min_length=2, max_length=2)] | None
    """95 % interval of that mean for these decisions: it allows for the sampling of worlds, not for other matches"""
    relative: Share | None
    """its regrets divided by the shares of the best answers: the part of what it could still win that it gave up"""
    blunders: Natural
    mistakes: Natural
    inaccuracies: Natural
    start: Share
    """share of the win before the first decision, from the true state"""
    result: Share | None
    """share of the win at the end; null for a match that has not ended"""
    skill: Number
    """sum, over its graded decisions, of its share with the decision minus the share that the policy's own play expects"""
    luck: Number | None
    """result minus start minus skill: hidden cards, draws and what the others did; null for a match that has not ended"""


class NotGraded(TypedDict):
    decision: Natural
    seat: Natural
    why: str


class ReviewDocument(TypedDict):
    log: str
    game: str
    playouts: Natural
    cut: NotRequired[Natural]
    """playouts that were stopped because they were long: they count what the game expects, or equal shares"""
    seed: int
    view: NotRequired[str]
    """whose view this is, such as P-1 or public; a review without it shows everything"""
    digest: NotRequired[str]
    """the hash of the log's last line that was reviewed"""
    seats: list[SeatEntry]
    decisions: list[DecisionEntry]
    chances: list[list[Share]]
    """each seat's share of the win before every decision: from the true state, so that hidden cards show in it; in a
    restricted view from what that view knows"""
    not_graded: list[NotGraded]


def seat_entry(seat: int, player: str, found: Sequence[Reviewed], start: float, result: float | None) -> SeatEntry:
    """The figures of a seat from its reviewed decisions, and its shares of the win at the start and at the end."""
    graded = [one.entry for one in found if one.entry is not None and one.entry["grade"] != "forced"]
    grades = [one["grade"] for one in graded]
    lost, best = sum(one["regret"] for one in graded), sum(one["best_share"] for one in graded)
    mean = lost / len(graded) if graded else None
    skill = sum(one.gain for one in found)
    return {
        "seat": seat,
        "player": player,
        "decisions": len(graded),
        "regret": round(lost, DIGITS),
        "best_share": round(best, DIGITS),
        "given_up": None if mean is None else round(max(0.0, mean), DIGITS),
        "interval": None if mean is None else _interval(mean, [one["regret_se"] for one in graded]),
        "relative": round(min(1.0, max(0.0, lost / best)), DIGITS) if best else None,
        "blunders": grades.count("blunder"),
        "mistakes": grades.count("mistake"),
        "inaccuracies": grades.count("inaccuracy"),
        "start": round(start, DIGITS),
        "result": None if result is None else round(result, DIGITS),
        "skill": round(skill, DIGITS),
        "luck": None if result is None else round(result - start - skill, DIGITS),
    }


def _interval(mean: float, errors: Sequence[float]) -> list[float]:
    reach = _TWO_SIDED * sum(error * error for error in errors) ** 0.5 / len(errors)
    return _rounded([max(0.0, mean - reach), min(1.0, max(0.0, mean + reach))])


def _rounded(shares: Iterable[float]) -> list[float]:
    return [round(share, DIGITS) for share in shares]


FEWEST_PLAYOUTS = 8
"""The fewest that tell two candidates apart."""

SEED = 1

_TIMED = 8

_ROUNDS = 3
"""Playouts that a decision takes, as a multiple of their number: the race, the comparison, the chances before it."""

_PART = 16
"""Decisions in a row whose chances are estimated together."""

Part = TypeVar("Part")

_WORTH_PROCESSES = 2_000


def playouts_in(log: Log, seconds: float) -> int:
    """About as many playouts a decision as the review of a log makes in some seconds on this machine, at least 8: from the time
    of playouts at a few of its decisions. LogDamagedError at a decision that the rules do not lead to."""
    jobs, _ = review_jobs(log)
    some = jobs[:: max(1, len(jobs) // _TIMED)]
    if not some:
        return FEWEST_PLAYOUTS
    began = time.process_time()
    for job in some:
        look_ahead(job.state, playing_policy(job.state.game), Rng.of("timed", job.number))
    each = (time.process_time() - began) / len(some)
    return min(MOST_PLAYOUTS, max(FEWEST_PLAYOUTS, int(seconds * available_cpus() / (len(jobs) * _ROUNDS * each))))


def review_log(log: Log, playouts: int, seed: int = SEED, follow: FollowWork = unfollowed) -> ReviewDocument:
    """Review every decision of a log, whoever played. The same log, playouts and seed give the same document. LogDamagedError
    at a decision that the rules do not lead to."""
    jobs, last = review_jobs(log)
    work = partial(_piece, playouts=playouts, seed=seed)
    parts = (jobs[at : at + _PART] for at in range(0, len(jobs), _PART))
    pieces = _worked(work, [*jobs, *parts], playouts, follow, len(jobs))
    found = [one for one in pieces if isinstance(one, Reviewed)]
    before = [shares for part in pieces if isinstance(part, list) for shares in part]
    start = before[0] if before else shares_of(last)
    results = shares_of(last) if last.has_ended else (None,) * len(start)
    seats = enumerate(zip(log.latest_header["seats"], start, results, strict=True))
    document: ReviewDocument = {
        "log": log.path.name,
        "game": log.header["game"],
        "playouts": playouts,
        "seed": seed,
        "digest": log.last,
        "seats": [
            seat_entry(seat, player["name"], [one for one in found if one.seat == seat], first, result)
            for seat, (player, first, result) in seats
        ],
        "decisions": [one.entry for one in found if one.entry is not None],
        "chances": [_rounded(shares) for shares in before],
        "not_graded": [{"decision": one.number, "seat": one.seat, "why": one.why} for one in found if one.why],
    }
    if cut := sum(one.cut for one in found):
        document["cut"] = cut
    return document


def _piece(piece: DecisionJob | list[DecisionJob], playouts: int, seed: int) -> Reviewed | list[Shares]:
    return review_decision(piece, playouts, seed) if isinstance(piece, DecisionJob) else chances_before(piece, playouts, seed)


def chances_before(jobs: Sequence[DecisionJob], playouts: int, seed: int) -> list[Shares]:
    """Each seat's share of the win before a part of the decisions, from the true state: as many as are estimated together."""
    rng, policy = Rng.of("review", seed, jobs[0].number, "chances"), playing_policy(jobs[0].state.game)
    return chances_along([job.state for job in jobs[:_PART]], rng, max(1, playouts // CHANCES), policy)


def view_chances(log: Log, view: str, playouts: int, seed: int = SEED, follow: FollowWork = unfollowed) -> list[list[float]]:
    """Each seat's share of the win before every decision, as a restricted view (`public`, P-1) can estimate it. The worlds are
    drawn from its information set, so that hidden cards do not show."""
    jobs, _ = review_jobs(log)
    work = partial(_seen, seat=seat_of(view), playouts=playouts, seed=seed)
    return [_rounded(shares) for shares in _worked(work, jobs, playouts, follow, len(jobs))]


def seat_of(view: str) -> int | None:
    return None if view == "public" else int(view.removeprefix("P-"))


def _seen(job: DecisionJob, seat: int | None, playouts: int, seed: int) -> Shares:
    """The chances before a decision in worlds of one view."""
    worlds, policy = playing_on(job.state, worlds_of(job.state, seat)), playing_policy(job.state.game)
    return chances(worlds, Rng.of("view", seed, job.number), max(1, playouts // CHANCES), policy)


def _worked(
    work: Callable[[Part], Found], parts: Sequence[Part], playouts: int, follow: FollowWork, followed: int
) -> list[Found]:
    """What comes of each part, of which the first ones are `followed`: those that are decisions."""
    with closing(in_order(work, parts, is_worth=playouts * len(parts) >= _WORTH_PROCESSES)) as working:
        return [*follow(islice(working, followed), followed), *working]
