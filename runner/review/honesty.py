"""Honesty: sums over the claims and challenges of each seat, for many logs, a log at a time in each worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from runner.errors import TabletopError
from runner.record.reader import Log, read_log
from runner.review.claims import ClaimRow, claim_rows
from runner.worker_processes import in_processes


class SeatHonesty(NamedTuple):
    """Sums over the decisions of the last player of a seat.

    `true` of `claims` are true; `denied` of the `reasons` behind claims deny them. `challenged` of the `windows`, the decisions
    that may challenge a claim, do, and `right` of those meet a false one. `chance` sums the probability that the claim is false
    over all windows, `chance_challenged` over the challenges, `squares` the squared difference between that probability and the
    decision (1: challenged).
    """

    claims: int = 0
    true: int = 0
    reasons: int = 0
    denied: int = 0
    windows: int = 0
    challenged: int = 0
    right: int = 0
    chance: float = 0.0
    chance_challenged: float = 0.0
    squares: float = 0.0

    def plus(self, other: SeatHonesty) -> SeatHonesty:
        """The sums of both."""
        return SeatHonesty._make(one + more for one, more in zip(self, other, strict=True))


Outcome = tuple[str, tuple[SeatHonesty, ...]]
"""The digest of a log and the sums of its seats; no sums where its rules are not those of this version."""

FollowOutcomes = Callable[[Iterable[Outcome], int], Iterable[Outcome]]
"""Passes on the outcomes, and tells somebody how many there are of all."""


def folder_honesty(paths: Sequence[Path], follow: FollowOutcomes) -> dict[str, tuple[SeatHonesty, ...]]:
    """The sums of each seat by the digest of its log."""
    with closing(in_processes(_outcome_of, paths)) as working:
        return dict(follow(working, len(paths)))


def _outcome_of(path: Path) -> Outcome:
    with suppress(TabletopError):
        log = read_log(path)
        return log.last, seat_honesty(log)
    return "", ()


def seat_honesty(log: Log) -> tuple[SeatHonesty, ...]:
    """The sums of each seat of a log. LogDamagedError where it does not follow from the rules."""
    players = [seat["name"] for seat in log.latest_header["seats"]]
    found = [SeatHonesty() for _ in players]
    for row in claim_rows(log):
        if not row.is_copied and row.player == players[row.seat]:
            found[row.seat] = found[row.seat].plus(_of_row(row))
    return tuple(found)


def _of_row(row: ClaimRow) -> SeatHonesty:
    if row.claim is not None:
        return SeatHonesty(1, int(row.claim.is_true), int(row.denied is not None), int(bool(row.denied)))
    assert row.doubt is not None
    chance, challenged = row.doubt.chance, int(row.doubt.is_challenged)
    right = int(row.doubt.is_challenged and not row.doubt.claim.is_true)
    return SeatHonesty(0, 0, 0, 0, 1, challenged, right, chance, chance * challenged, (challenged - chance) ** 2)
