"""Timed decisions: when each decision and each request of a log began and ended, for traces. Texts have no lone surrogates."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

from runner.export.table_columns import moment
from runner.llm.strict_json import without_surrogates
from runner.match.records import AttemptRecord, DecisionRecord, ReplyRecord, ResultRecord
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.review.decision_review import DecisionEntry
from runner.review.kept_reviews import kept_review

REQUESTED = ("temperature", "top_p", "seed", "frequency_penalty", "presence_penalty")
"""Parameters of requests that traces name."""
_LATEST = 2**63 - 1
_Data = TypeVar("_Data")


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
    def parameters(self) -> Mapping[str, Any]:
        """The request's body."""
        return self.record.get("request") or {}

    @property
    def model(self) -> str:
        """The model that was asked."""
        return str(self.parameters.get("model", "unknown"))

    @property
    def most_tokens(self) -> int | None:
        """The maximum tokens of the reply."""
        return self.parameters.get("max_tokens") or self.parameters.get("max_completion_tokens")

    @property
    def error(self) -> str | None:
        """The kind of mistake or failure; None for a valid answer."""
        return None if self.record["outcome"] in ("answer", "policy") else self.record.get("what", self.record["outcome"])

    @property
    def why(self) -> str | None:
        """What was wrong, in words."""
        return self.record.get("why", self.error)


@dataclass(frozen=True, slots=True)
class TimedDecision:
    """A decision, the reasons why answers to its question were invalid, and the requests that led to it."""

    logged: LoggedDecision
    record: DecisionRecord
    mistakes: list[str]
    requests: list[TimedAttempt]
    start: int
    end: int


class TimedLog:
    """A log for traces: `decisions` in order, and the `undecided` requests, which led to no decision: the answer came too late,
    or the match stopped. `grades` are those of a kept review, by decision."""

    def __init__(self, log: Log) -> None:
        self.log, self.seats = log, _storable(log.latest_header["seats"])
        self.id = log.header.get("match", log.first)
        self.start = _nanoseconds(log.header["created"], 0)
        self.decisions = list(self._decisions())
        known = {request.record["question"] for one in self.decisions for request in one.requests}
        others = (record for _, record in log.of_kind("attempt") if record.get("request") and record["question"] not in known)
        self.undecided = [self._timed(record, self.start) for record in others]

    @cached_property
    def grades(self) -> Mapping[int, DecisionEntry]:
        review = kept_review(self.log)
        return {} if review is None else {entry["decision"]: entry for entry in review["decisions"]}

    def _decisions(self) -> Iterator[TimedDecision]:
        """One without a time, in an older log, is made when the one before it was."""
        latest = self.start
        for logged in decisions(self.log):
            if (record := logged.record) is None:
                continue
            mistakes = [_storable(attempt.get("why", "")) for attempt in logged.attempts if attempt["outcome"] == "mistake"]
            requests = [self._timed(attempt, latest) for attempt in logged.attempts if attempt.get("request")]
            end = max(_nanoseconds(record.get("at"), latest), *(request.end for request in requests), 0)
            start = min((request.start for request in requests), default=end)
            yield TimedDecision(logged, _storable(record), mistakes, requests, start, end)
            latest = max(latest, end)

    def _timed(self, attempt: AttemptRecord, default: int) -> TimedAttempt:
        end = _nanoseconds(attempt.get("at"), default)
        start = max(0, end - round((attempt.get("latency") or 0) * 10**9))
        return TimedAttempt(_storable(attempt), _storable(self.log.messages(attempt)), start, end)


def _storable(data: _Data) -> _Data:
    """JSON data with lone surrogates, which UTF-8 does not have, replaced."""
    return cast(_Data, json.loads(without_surrogates(json.dumps(data, ensure_ascii=False))))


def _nanoseconds(text: str | None, default: int) -> int:
    """A time in a log as nanoseconds since 1970; the default where it is none."""
    found = moment(text)
    return default if found is None else min(_LATEST, max(0, round(found.timestamp() * 1000) * 10**6))


def win_share(result: ResultRecord, seat: int) -> float:
    """A seat's share of the win."""
    return (seat in result["winners"]) / len(result["winners"]) if result["winners"] else 0.0
