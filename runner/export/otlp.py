"""OTLP: a match as a trace in OTLP/JSON, by the GenAI semantic conventions of OpenTelemetry.

The match is an `invoke_workflow` span, a decision an `invoke_agent` span, a request to a model a `chat` span. Grades of a kept
review and the result are events `gen_ai.evaluation.result`. Prompts, replies and answers are in it only if asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from games.core import seat_name
from runner.digest import digest_of
from runner.export.timed_decisions import TimedAttempt, TimedDecision, start_of, timed_decisions, undecided_requests, win_share
from runner.match.header import package_version
from runner.record.reader import Log
from runner.review.kept_reviews import kept_review

Facts = Mapping[str, object]
_INTERNAL, _CLIENT = 1, 3
_REQUESTED = ("temperature", "top_p", "seed", "frequency_penalty", "presence_penalty")


def to_otlp(log: Log, has_content: bool = False) -> str:
    """The trace as a document of the kind that `POST /v1/traces` takes. The same log gives the same trace and span ids."""
    scope: Facts = {"name": "tabletop", "version": package_version()}
    resource = {"attributes": _attributes({"service.name": "tabletop", "service.version": package_version()})}
    spans = list(_Trace(log, has_content).spans())
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]}) + "\n"


class _Trace:
    def __init__(self, log: Log, has_content: bool) -> None:
        self._log, self._has_content = log, has_content
        self._id, self._seats = log.header.get("match", log.first), log.latest_header["seats"]
        review = kept_review(log)
        self._grades = {} if review is None else {entry["decision"]: entry for entry in review["decisions"]}

    def spans(self) -> Iterator[Facts]:
        """The spans, that of the match last."""
        header, start = self._log.header, start_of(self._log)
        decisions = list(timed_decisions(self._log))
        others = undecided_requests(self._log, decisions)
        times = [*((one.start, one.end) for one in decisions), *((one.start, one.end) for one in others)]
        start, end = min([start, *(begun for begun, _ in times)]), max([start, *(ended for _, ended in times)])
        for decision in decisions:
            yield self._decision(decision)
            for place, request in enumerate(decision.requests):
                yield self._request(request, f"decision {decision.logged.number}", f"request {decision.logged.number} {place}")
        for place, request in enumerate(others):
            yield self._request(request, "match", f"undecided {place}")
        facts = {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.agent.name": header["game"],
            "gen_ai.conversation.id": self._id,
            "tabletop.seed": str(header["seed"]),
            "tabletop.players": header["players"],
            "tabletop.rules": header["rules"],
        }
        yield self._span("match", f"invoke_workflow {header['game']}", facts, start, end, events=self._results(end))

    def _results(self, time: int) -> list[Facts]:
        if (result := self._log.result) is None:
            return []
        shares = {one["seat"]: {"name": "win", "score.value": win_share(result, one["seat"])} for one in result["seats"]}
        return [_evaluation(time, share, seat, self._seats[seat]["name"]) for seat, share in shares.items()]

    def _decision(self, decision: TimedDecision) -> Facts:
        record, player = decision.logged.record, self._seats[decision.seat]["name"]
        assert record is not None
        facts: dict[str, object] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": player,
            "gen_ai.conversation.id": self._id,
            "tabletop.seat": seat_name(decision.seat),
            "tabletop.decision": decision.logged.number,
            "tabletop.phase": decision.logged.before.phase.name,
            "tabletop.how": record["how"],
        }
        if self._has_content:
            facts["tabletop.answer"] = json.dumps(record["action"], ensure_ascii=False)
        events: list[Facts] = []
        if grade := self._grades.get(decision.logged.number):
            found = {"name": "regret", "score.value": float(grade["regret"]), "score.label": grade["grade"]}
            events.append(_evaluation(decision.end, found, decision.seat, player))
        key, name = f"decision {decision.logged.number}", f"invoke_agent {player}"
        return self._span(key, name, facts, decision.start, decision.end, parent="match", events=events)

    def _request(self, request: TimedAttempt, parent: str, key: str) -> Facts:
        reply, sent, seat = request.reply, request.parameters, request.record["seat"]
        usage = reply.get("usage") or {}
        finish = reply.get("finish_reason")
        facts = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": reply.get("provider") or self._seats[seat]["kind"],
            "gen_ai.conversation.id": self._id,
            "gen_ai.request.model": request.model,
            "gen_ai.request.max_tokens": sent.get("max_tokens") or sent.get("max_completion_tokens"),
            **{f"gen_ai.request.{name}": sent.get(name) for name in _REQUESTED},
            "gen_ai.response.model": reply.get("model"),
            "gen_ai.response.id": reply.get("id"),
            "gen_ai.response.finish_reasons": [finish] if finish else None,
            "gen_ai.usage.input_tokens": usage.get("prompt_tokens"),
            "gen_ai.usage.output_tokens": usage.get("completion_tokens"),
            "gen_ai.usage.reasoning.output_tokens": usage.get("reasoning_tokens"),
            "gen_ai.usage.cache_read.input_tokens": usage.get("cached_tokens"),
            "tabletop.cost": reply.get("cost"),
            "tabletop.seat": seat_name(seat),
            "error.type": request.error,
        }
        if self._has_content:
            facts["gen_ai.input.messages"] = _messages([(one["role"], one["content"], None) for one in request.messages])
            answer = ("assistant", reply.get("text") or "", reply.get("reasoning"))
            facts["gen_ai.output.messages"] = _messages([answer], finish or "unknown")
        why = request.record.get("why") if self._has_content else None
        status: Facts = {"code": 2, **({"message": why} if why else {})} if request.error else {}
        span = self._span(key, f"chat {request.model}", facts, request.start, request.end, parent=parent, kind=_CLIENT)
        return {**span, "status": status}

    def _span(
        self,
        key: str,
        name: str,
        facts: Facts,
        start: int,
        end: int,
        parent: str | None = None,
        events: Sequence[Facts] = (),
        kind: int = _INTERNAL,
    ) -> Facts:
        parents = {} if parent is None else {"parentSpanId": self._span_id(parent)}
        times = {"startTimeUnixNano": str(start), "endTimeUnixNano": str(end)}
        whole = {"traceId": self._id, "spanId": self._span_id(key), **parents, "name": name, "kind": kind, **times}
        return {**whole, "attributes": _attributes(facts), "events": list(events)}

    def _span_id(self, key: str) -> str:
        return digest_of(f"{self._id} {key}")[:16]


def _evaluation(time: int, score: Facts, seat: int, player: str) -> Facts:
    facts = {f"gen_ai.evaluation.{name}": value for name, value in score.items()}
    facts |= {"tabletop.seat": seat_name(seat), "gen_ai.agent.name": player}
    return {"timeUnixNano": str(time), "name": "gen_ai.evaluation.result", "attributes": _attributes(facts)}


def _messages(found: Sequence[tuple[str, str, str | None]], finish: str | None = None) -> str:
    """Messages by the JSON schema of the conventions, as text: an attribute of a span is no object."""
    ends = {} if finish is None else {"finish_reason": finish}
    shown = []
    for role, text, reasoning in found:
        parts = [{"type": "reasoning", "content": reasoning}] if reasoning else []
        shown.append({"role": role, "parts": [*parts, {"type": "text", "content": text}], **ends})
    return json.dumps(shown, ensure_ascii=False)


def _attributes(facts: Facts) -> list[Facts]:
    return [{"key": name, "value": _value(value)} for name, value in facts.items() if value is not None]


def _value(value: object) -> Facts:
    """A value in the JSON mapping of proto3: whole numbers of 64 bits are strings."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": str(value)}
