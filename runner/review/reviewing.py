"""Reviewing: all decisions of a log, in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from typing import TypeVar

from games.core import Game, Rng
from games.search.evaluation import chances
from games.search.playouts import Shares, shares_of
from games.search.policy import playing_policy
from games.search.worlds import worlds_of
from runner.record.reader import Log
from runner.review.decision_review import CHANCES, Job, Reviewed, review_decision
from runner.review.review_document import ReviewDocument, decision_entry, rounded, seat_entry
from runner.review.review_jobs import review_jobs
from runner.worker_processes import in_processes

PLAYOUTS = 400
"""Playouts of a decision, by default; a close decision gets more."""

PLAYOUTS_OF_TEXT = 100
"""The same in a game with answers of free text, whose bots compare words: a playout takes ten times as long there."""

SEED = 1
"""The seed of a review, by default."""

_WORTH_PROCESSES = 2_000
"""Playouts that are worth several processes."""

Found = TypeVar("Found")
Follow = Callable[[Iterable[Reviewed], int], Iterable[Reviewed]]
"""Passes on the reviewed decisions, and tells somebody how many there are of all."""
Seen = tuple[int, Shares]
FollowSeen = Callable[[Iterable[Seen], int], Iterable[Seen]]
"""The same for the chances of a view."""


def unfollowed(found: Iterable[Found], total: int) -> Iterable[Found]:
    """Tell nobody."""
    return found


def default_playouts(game: Game) -> int:
    """Playouts of a decision where nobody chose a number."""
    return PLAYOUTS_OF_TEXT if game.free_text else PLAYOUTS


def review_log(log: Log, playouts: int, seed: int = SEED, follow: Follow = unfollowed) -> ReviewDocument:
    """Review every decision of a log, whoever played. The same log, playouts and seed give the same document.

    LogDamagedError at a decision that the rules do not lead to.
    """
    jobs, last = review_jobs(log)
    with closing(_worked(partial(review_decision, playouts=playouts, seed=seed), jobs, playouts)) as working:
        found = sorted(follow(working, len(jobs)), key=lambda one: one.number)
    start = found[0].chances if found else shares_of(last)
    results = shares_of(last) if last.has_ended else (None,) * len(start)
    seats = enumerate(zip(log.latest_header["seats"], start, results, strict=True))
    return {
        "log": log.path.name,
        "game": log.header["game"],
        "playouts": playouts,
        "seed": seed,
        "digest": log.last,
        "seats": [
            seat_entry(seat, player["name"], [one for one in found if one.seat == seat], first, result)
            for seat, (player, first, result) in seats
        ],
        "decisions": [decision_entry(one) for one in found if not one.why],
        "chances": [rounded(one.chances) for one in found],
        "not_graded": [{"decision": one.number, "seat": one.seat, "why": one.why} for one in found if one.why],
    }


def view_chances(
    log: Log, seat: int | None, playouts: int, seed: int = SEED, follow: FollowSeen = unfollowed
) -> list[list[float]]:
    """Each seat's share of the win before every decision, as one seat (None: a spectator) can estimate it.

    The worlds are drawn from the information set of that seat, so that hidden cards do not show.
    """
    jobs, _ = review_jobs(log)
    with closing(_worked(partial(_seen, seat=seat, playouts=playouts, seed=seed), jobs, playouts)) as working:
        found = sorted(follow(working, len(jobs)))
    return [rounded(shares) for _, shares in found]


def _seen(job: Job, seat: int | None, playouts: int, seed: int) -> Seen:
    """The number of a decision, and the chances before it in worlds of one view."""
    policy, rng = playing_policy(job.state.game), Rng.of("view", seed, job.number)
    return job.number, chances(worlds_of(job.state, seat), rng, max(1, playouts // CHANCES), policy)


def _worked(work: Callable[[Job], Found], jobs: Sequence[Job], playouts: int) -> Generator[Found]:
    """The results of the jobs, in any order."""
    yield from (map if playouts * len(jobs) < _WORTH_PROCESSES else in_processes)(work, jobs)
