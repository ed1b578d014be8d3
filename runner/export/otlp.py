"""OTLP: a match as a trace in OTLP/JSON, by the GenAI semantic conventions of OpenTelemetry.

The match is an `invoke_workflow` span, a decision an `invoke_agent` span, a request to a model a `chat` span. Grades of a kept
review and the result are events `gen_ai.evaluation.result`. Prompts, replies and answers are in it only if asked for.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

from games.core import seat_name
from runner.digest import digest_of
from runner.export.table_columns import moment
from runner.llm.strict_json import without_surrogates
from runner.match.header import package_version
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


SpanData = Mapping[str, object]
"""A span, a part of one, or its attributes by name."""
_INTERNAL, _CLIENT = 1, 3


def to_otlp(log: Log, has_content: bool = False) -> str:
    """The trace as a document of the kind that `POST /v1/traces` takes. The same log gives the same trace and span ids."""
    scope = {"name": "tabletop", "version": package_version()}
    resource = {"attributes": _attributes({"service.name": "tabletop", "service.version": package_version()})}
    spans = list(_Trace(TimedLog(log), has_content).spans())
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]}) + "\n"


class _Trace:
    def __init__(self, found: TimedLog, has_content: bool) -> None:
        self._found, self._has_content, self._seats = found, has_content, found.seats

    def spans(self) -> Iterator[SpanData]:
        """The spans, that of the match last."""
        found, header = self._found, self._found.log.header
        for decision in found.decisions:
            number = decision.logged.number
            yield self._decision(decision)
            for place, request in enumerate(decision.requests):
                yield self._request(request, f"decision {number}", f"request {number} {place}")
        for place, request in enumerate(found.undecided):
            yield self._request(request, "match", f"undecided {place}")
        timed: list[TimedDecision | TimedAttempt] = [*found.decisions, *found.undecided]
        start = min([found.start, *(one.start for one in timed)])
        end = max([found.start, *(one.end for one in timed)])
        facts = {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.agent.name": header["game"],
            "tabletop.seed": str(header["seed"]),
            "tabletop.players": header["players"],
            "tabletop.rules": header["rules"],
        }
        yield self._span("match", f"invoke_workflow {header['game']}", (start, end), facts, events=self._results(end))

    def _results(self, time: int) -> list[SpanData]:
        result, seats = self._found.log.result, range(len(self._seats))
        return [self._evaluation(time, "win", win_share(result, seat), seat) for seat in seats] if result else []

    def _decision(self, decision: TimedDecision) -> SpanData:
        logged, record = decision.logged, decision.record
        seat, player = record["seat"], self._seats[record["seat"]]["name"]
        facts = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": player,
            "tabletop.seat": seat_name(seat),
            "tabletop.decision": logged.number,
            "tabletop.phase": logged.before.phase.name,
            "tabletop.how": record["how"],
            "tabletop.answer": json.dumps(record["action"], ensure_ascii=False) if self._has_content else None,
        }
        grade, times = self._found.grades.get(logged.number), (decision.start, decision.end)
        events = [self._evaluation(decision.end, "regret", float(grade["regret"]), seat, grade["grade"])] if grade else []
        return self._span(f"decision {logged.number}", f"invoke_agent {player}", times, facts, "match", events=events)

    def _request(self, request: TimedAttempt, parent: str, key: str) -> SpanData:
        reply, sent = request.reply, request.parameters
        usage, finish = reply.get("usage") or {}, reply.get("finish_reason")
        facts = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": reply.get("provider") or self._seats[request.record["seat"]]["kind"],
            "gen_ai.request.model": request.model,
            "gen_ai.request.max_tokens": request.most_tokens,
            **{f"gen_ai.request.{name}": sent.get(name) for name in REQUESTED},
            "gen_ai.response.model": reply.get("model"),
            "gen_ai.response.id": reply.get("id"),
            "gen_ai.response.finish_reasons": [finish] if finish else None,
            "gen_ai.usage.input_tokens": usage.get("prompt_tokens"),
            "gen_ai.usage.output_tokens": usage.get("completion_tokens"),
            "gen_ai.usage.reasoning.output_tokens": usage.get("reasoning_tokens"),
            "gen_ai.usage.cache_read.input_tokens": usage.get("cached_tokens"),
            "tabletop.cost": reply.get("cost"),
            "tabletop.seat": seat_name(request.record["seat"]),
            "error.type": request.error,
        }
        if self._has_content:
            facts["gen_ai.input.messages"] = _messages([(one["role"], one["content"], None) for one in request.messages])
            answer = ("assistant", reply.get("text") or "", reply.get("reasoning"))
            facts["gen_ai.output.messages"] = _messages([answer], finish or "unknown")
        why = request.record.get("why") if self._has_content else None
        status: SpanData = {"code": 2, **({"message": why} if why else {})} if request.error else {}
        times = (request.start, request.end)
        return self._span(key, f"chat {request.model}", times, facts, parent, kind=_CLIENT, status=status)

    def _span(
        self, key: str, name: str, times: tuple[int, int], facts: SpanData, parent: str | None = None, **more: object
    ) -> SpanData:
        parents = {} if parent is None else {"parentSpanId": self._span_id(parent)}
        return {
            "traceId": self._found.id,
            "spanId": self._span_id(key),
            **parents,
            "name": name,
            "kind": _INTERNAL,
            "startTimeUnixNano": str(times[0]),
            "endTimeUnixNano": str(times[1]),
            "attributes": _attributes({"gen_ai.conversation.id": self._found.id, **facts}),
            "events": [],
            **more,
        }

    def _span_id(self, key: str) -> str:
        return digest_of(f"{self._found.id} {key}")[:16]

    def _evaluation(self, time: int, name: str, score: float, seat: int, label: str | None = None) -> SpanData:
        facts = {
            "gen_ai.evaluation.name": name,
            "gen_ai.evaluation.score.value": score,
            "gen_ai.evaluation.score.label": label,
            "tabletop.seat": seat_name(seat),
            "gen_ai.agent.name": self._seats[seat]["name"],
        }
        return {"timeUnixNano": str(time), "name": "gen_ai.evaluation.result", "attributes": _attributes(facts)}


def _messages(found: Sequence[tuple[str, str, str | None]], finish: str | None = None) -> str:
    """Messages by the JSON schema of the conventions, as text: an attribute of a span is no object."""
    ends = {} if finish is None else {"finish_reason": finish}
    shown = []
    for role, text, reasoning in found:
        parts = [{"type": "reasoning", "content": reasoning}] if reasoning else []
        shown.append({"role": role, "parts": [*parts, {"type": "text", "content": text}], **ends})
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
