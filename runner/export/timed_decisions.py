"""Timed decisions: when each decision and each request of a log began and ended, for traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from runner.match.records import AttemptRecord, ReplyRecord, ResultRecord
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log

_LATEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class TimedAttempt:
    """A request to a model, with the exact messages. Times are nanoseconds since 1970, UTC."""

    record: AttemptRecord
    messages: list[dict[str, str]]
    start: int
    end: int

    @property
    def reply(self) -> ReplyRecord:
        """What was delivered; empty where nothing was."""
        return self.record.get("reply") or {}

    @property
    def parameters(self) -> Mapping[str, object]:
        """The request's body."""
        return self.record.get("request") or {}

    @property
    def model(self) -> str:
        """The model that was asked."""
        return str(self.parameters.get("model", "unknown"))

    @property
    def error(self) -> str | None:
        """The kind of mistake or failure; None for a valid answer."""
        return None if self.record["outcome"] in ("answer", "policy") else self.record.get("what", self.record["outcome"])


@dataclass(frozen=True, slots=True)
class TimedDecision:
    """A decision, and the requests that led to it."""

    logged: LoggedDecision
    requests: list[TimedAttempt]
    seat: int
    start: int
    end: int


def timed_decisions(log: Log) -> Iterator[TimedDecision]:
    """The decisions of a log in order. One without a time, in an older log, is made when the one before it was."""
    latest = start_of(log)
    for logged in decisions(log):
        if logged.record is None or logged.seat is None:
            continue
        requests = [_timed(log, attempt, latest) for attempt in logged.attempts if attempt.get("request")]
        end = max(nanoseconds(logged.record.get("at"), latest), *(request.end for request in requests), 0)
        start = min((request.start for request in requests), default=end)
        yield TimedDecision(logged, requests, logged.seat, start, end)
        latest = max(latest, end)


def undecided_requests(log: Log, decided: Iterable[TimedDecision]) -> list[TimedAttempt]:
    """The requests that led to no decision: the answer came too late, or the match stopped."""
    known = {request.record["question"] for one in decided for request in one.requests}
    asked = (record for _, record in log.of_kind("attempt") if record.get("request") and record["question"] not in known)
    return [_timed(log, record, start_of(log)) for record in asked]


def start_of(log: Log) -> int:
    """When a match began."""
    return nanoseconds(log.header["created"], 0)


def nanoseconds(text: str | None, default: int) -> int:
    """A time in a log as nanoseconds since 1970; the default where it is none."""
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return default
    aware = found if found.tzinfo else found.replace(tzinfo=UTC)
    return min(_LATEST, max(0, round(aware.timestamp() * 1000) * 10**6))


def win_share(result: ResultRecord, seat: int) -> float:
    """A seat's share of the win."""
    return (seat in result["winners"]) / len(result["winners"]) if result["winners"] else 0.0


def _timed(log: Log, attempt: AttemptRecord, default: int) -> TimedAttempt:
    end = nanoseconds(attempt.get("at"), default)
    return TimedAttempt(attempt, log.messages(attempt), max(0, end - round((attempt.get("latency") or 0) * 10**9)), end)
