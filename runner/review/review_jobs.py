"""Review jobs: the decisions of a log, each with the state in which its seat was asked."""

from __future__ import annotations

from games.core import State
from games.search.policy import has_playing_policy
from runner.errors import UsageError
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.record.replay import detached
from runner.review.decision_review import Job


def review_jobs(log: Log) -> tuple[list[Job], State]:
    """The decisions of a log, and the state after the last one.

    LogDamagedError at a decision that the rules do not lead to. UsageError for a game without a policy for playouts.
    """
    asking, found = _Asking(log.header["ask"] == "simultaneous"), list[Job]()
    for decision in decisions(log):
        last = decision.state
        if decision.record is not None:
            found.append(_job(decision, asking.asked(decision.before)))
    if not has_playing_policy(last.game):
        raise UsageError(f"{last.game.title} cannot be reviewed: it has no `bot:steady`, whose policy plays the matches out.")
    return found, last


def _job(decision: LoggedDecision, asked: State) -> Job:
    record = decision.record
    assert record is not None
    answer = None if record["how"] == "strike_out" else record["action"]
    return Job(decision.number, detached(decision.before), detached(asked), record["seat"], answer)


class _Asking:
    """The state in which the present seats were asked: the first of those in which the same seats, but for the ones that have
    answered since, owe a decision of the same phase."""

    def __init__(self, is_simultaneous: bool) -> None:
        self._is_simultaneous = is_simultaneous
        self._asked: State | None = None
        self._waiting: tuple[int, ...] = ()

    def asked(self, before: State) -> State:
        """The state in which the first pending seat was asked; called once a decision, in order."""
        asked = self._asked
        is_same = asked is not None and before.phase_id == asked.phase_id and before.pending == self._waiting
        self._waiting = before.pending[1:]
        if asked is None or not (self._is_simultaneous and is_same):
            self._asked = asked = before
        return asked
