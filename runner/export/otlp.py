"""OTLP: a match as a trace in OTLP/JSON, by the GenAI semantic conventions of OpenTelemetry.

The match is an `invoke_workflow` span, a decision an `invoke_agent` span, a request to a model a `chat` span. Grades of a kept
review and the result are events `gen_ai.evaluation.result`. Prompts, replies and answers are in it only if asked for.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from games.core import seat_name
from runner.digest import digest_of
from runner.export.timed_decisions import REQUESTED, TimedAttempt, TimedDecision, TimedLog, win_share
from runner.match.header import package_version
from runner.record.reader import Log

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
