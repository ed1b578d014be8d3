"""Reviewing: all decisions of a log, in worker processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial

from games.core import Game, State
from games.search.playouts import shares_of
from runner.cpus import available_cpus
from runner.record.decisions import decisions
from runner.record.reader import Log
from runner.record.replay import detached
from runner.review.decision_review import Job, Reviewed, review_decision
from runner.review.review_document import ReviewDocument, decision_entry, seat_entry

PLAYOUTS = 400
"""Playouts of a decision, by default; a close decision gets more."""

PLAYOUTS_OF_TEXT = 100
"""The same in a game with answers of free text, whose bots compare words: a playout takes ten times as long there."""

SEED = 1
"""The seed of a review, by default."""

_WORTH_PROCESSES = 2_000
"""Playouts that are worth several processes."""

Follow = Callable[[Iterable[Reviewed], int], Iterable[Reviewed]]
"""Passes on the reviewed decisions, and tells somebody how many there are of all."""


def unfollowed(found: Iterable[Reviewed], total: int) -> Iterable[Reviewed]:
    """Tell nobody."""
    return found


def default_playouts(game: Game) -> int:
    """Playouts of a decision where nobody chose a number."""
    return PLAYOUTS_OF_TEXT if game.free_text else PLAYOUTS


def review_log(log: Log, playouts: int, seed: int = SEED, follow: Follow = unfollowed) -> ReviewDocument:
    """Review every decision of a log, whoever played. The same log, playouts and seed give the same document.

    LogDamagedError at a decision that the rules do not lead to.
    """
    jobs, last = _jobs(log)
    found = sorted(follow(_reviewed(jobs, playouts, seed), len(jobs)), key=lambda one: one.number)
    start = found[0].chances if found else shares_of(last)
    result = shares_of(last) if last.has_ended else None
    names = [seat["name"] for seat in log.latest_header["seats"]]
    return {
        "log": log.path.name,
        "game": log.header["game"],
        "playouts": playouts,
        "seed": seed,
        "digest": log.last,
        "seats": [
            seat_entry(
                seat, name, [one for one in found if one.seat == seat], start[seat], None if result is None else result[seat]
            )
            for seat, name in enumerate(names)
        ],
        "decisions": [decision_entry(one) for one in found if not one.why],
        "chances": [[round(share, 4) for share in one.chances] for one in found],
        "not_graded": [{"decision": one.number, "seat": one.seat, "why": one.why} for one in found if one.why],
    }


def _jobs(log: Log) -> tuple[list[Job], State]:
    """The decisions of a log, and the state after the last one."""
    found: list[Job] = []
    for decision in decisions(log):
        last, record = decision.state, decision.record
        if record is not None:
            answer = None if record["how"] == "strike_out" else record["action"]
            found.append(Job(decision.number, detached(decision.before), record["seat"], answer))
    return found, last


def _reviewed(jobs: Sequence[Job], playouts: int, seed: int) -> Iterator[Reviewed]:
    """The reviews of the jobs, in any order."""
    review = partial(review_decision, playouts=playouts, seed=seed)
    workers = min(available_cpus(), len(jobs))
    if workers < 2 or playouts * len(jobs) < _WORTH_PROCESSES:
        yield from map(review, jobs)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        try:
            for future in as_completed([pool.submit(review, job) for job in jobs]):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
