"""Check that a run of matches has ended: the error of one that stopped earlier."""

from __future__ import annotations

from runner.arena.match_outcome import Stop, error_of
from runner.arena.progress import Progress
from runner.errors import PausedError


def check_ended(progress: Progress, has_run: bool, what: str, again: str) -> None:
    """The gravest error of a run that stopped before its end, which says how to continue (`again`).

    `what` names the run at the start of a sentence. `has_run` is False when it was interrupted.
    """
    if not has_run:
        raise PausedError(f"{what} was interrupted.", remedy=again)
    stops = {outcome.stop: outcome for outcome in progress.failed.values()}
    for stop in (Stop.BUG, Stop.DAMAGED, Stop.USAGE, Stop.ACCOUNT):
        if stop in stops:
            raise error_of(stops[stop], again)
    for outcome in stops.values():
        raise PausedError(f"{what} is paused: {outcome.why.rstrip('.')}.", remedy=again)
