"""OTLP: a match as a trace in OTLP/JSON, by the GenAI semantic conventions of OpenTelemetry.

The match is an `invoke_workflow` span, a decision an `invoke_agent` span, a request to a model a `chat` span. Grades of a kept
review and the result are events `gen_ai.evaluation.result`. Prompts, replies and answers are in it only if asked for.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar, cast

from runner.digest import digest_of
from runner.export.pages import render
from runner.export.table_columns import moment
from runner.llm.strict_json import without_surrogates
from runner.match.header import package_version
from runner.match.records import AttemptRecord, DecisionRecord, ReplyRecord, win_share
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.review.decision_review import DecisionEntry
from runner.review.kept_reviews import kept_review

_CLIENT = 3
"""The kind of a span that asks somebody else."""

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
    def error(self) -> str | None:
        """The kind of mistake or failure; None for a valid answer."""
        return None if self.record["outcome"] in ("answer", "policy") else self.record.get("what", self.record["outcome"])


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


SpanData = Mapping[str, object]
"""A span, or its attributes by name."""


def to_otlp(log: Log, has_content: bool = False) -> str:
    """The trace as a document of the kind that `POST /v1/traces` takes. The same log gives the same trace and span ids."""
    found, result = TimedLog(log), log.result
    timed: list[TimedDecision | TimedAttempt] = [*found.decisions, *found.undecided]
    times = min([found.start, *(one.start for one in timed)]), max([found.start, *(one.end for one in timed)])
    shares = [win_share(result, seat) for seat in range(len(found.seats))] if result else []
    facts = {"found": found, "has_content": has_content, "times": times, "shares": shares, "requested": REQUESTED}
    spans = json.loads(render("otlp.json", **facts, text=partial(json.dumps, ensure_ascii=False), messages=_messages))
    scope = {"name": "tabletop", "version": package_version()}
    resource = {"attributes": _attributes({"service.name": "tabletop", "service.version": package_version()})}
    traced = [_span(found.id, one) for one in spans]
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": traced}]}]}) + "\n"


def _span(trace: str, one: Mapping[str, Any]) -> SpanData:
    """A span in the JSON mapping of OTLP."""
    ids = {"spanId": one["key"], **({"parentSpanId": one["parent"]} if one["parent"] else {})}
    return {
        "traceId": trace,
        **{name: digest_of(f"{trace} {key}")[:16] for name, key in ids.items()},
        **{name: one[name] for name in ("name", "kind")},
        **dict(zip(("startTimeUnixNano", "endTimeUnixNano"), map(str, one["times"]), strict=True)),
        "attributes": _attributes({"gen_ai.conversation.id": trace, **one["facts"]}),
        "events": [
            {"timeUnixNano": str(event["time"]), "name": "gen_ai.evaluation.result", "attributes": _attributes(event["facts"])}
            for event in one["events"]
        ],
        **({"status": one["status"]} if one["kind"] == _CLIENT else {}),
    }


def _messages(found: Sequence[Mapping[str, str | None]], finish: str | None = None) -> str:
    """Messages by the JSON schema of the conventions, as text: an attribute of a span is no object."""
    ends = {} if finish is None else {"finish_reason": finish}
    shown = []
    for one in found:
        parts = [{"type": "reasoning", "content": reasoning}] if (reasoning := one.get("reasoning")) else []
        shown.append({"role": one["role"], "parts": [*parts, {"type": "text", "content": one["content"]}], **ends})
    return json.dumps(shown, ensure_ascii=False)


def _attributes(facts: SpanData) -> list[SpanData]:
    return [{"key": name, "value": _value(value)} for name, value in facts.items() if value is not None]


def _value(value: object) -> SpanData:
    """A value in the JSON mapping of proto3: whole numbers of 64 bits are strings."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": str(value)}
