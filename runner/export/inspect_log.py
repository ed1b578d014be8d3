"""Inspect log: a match as an `.eval` file, written through the Python API of inspect_ai (extra `inspect`).

Each seat is a sample: its decisions are spans with the requests to its model, its answer and its grade. Scores are its share of
the win, its score, and of a kept review the win share that it gave up.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from games.core import seat_name
from runner.digest import digest_of
from runner.errors import UsageError
from runner.export.timed_decisions import TimedAttempt, TimedDecision, start_of, timed_decisions, undecided_requests, win_share
from runner.match.header import SeatRecord
from runner.record.reader import Log
from runner.review.decision_review import DecisionEntry
from runner.review.kept_reviews import kept_review

_STOPS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter"}


def to_inspect(log: Log) -> bytes:
    """The `.eval` file. UsageError where inspect_ai is not installed."""
    if find_spec("inspect_ai") is None:
        raise UsageError("--eval needs inspect_ai: `pip install 'tabletop-runner[inspect]'` installs it.")
    from inspect_ai.log import write_eval_log

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "match.eval"
        write_eval_log(_eval_log(log), str(file))
        return file.read_bytes()


def _eval_log(log: Log) -> Any:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalMetric, EvalResults, EvalScore, EvalSpec, EvalStats

    header, result, number = log.header, log.result, log.header.get("match", log.first)
    decisions, review = list(timed_decisions(log)), kept_review(log)
    seats = log.latest_header["seats"]
    entries, others = review["decisions"] if review else (), undecided_requests(log, decisions)
    samples = [
        _Sample(log, seat, [one for one in decisions if one.seat == seat], others, entries).sample()
        for seat in range(header["players"])
    ]
    names = sorted({name for sample in samples for name in sample.scores or ()})
    scores = []
    for name in names:
        values = [sample.scores[name].value for sample in samples if name in sample.scores]
        mean = EvalMetric(name="mean", value=sum(values) / len(values))
        scores.append(EvalScore(name=name, scorer=name, metrics={"mean": mean}, scored_samples=len(values)))
    ids = [sample.id for sample in samples]
    models = sorted({name for sample in samples for name in sample.model_usage})
    options = {**({"skin": header["skin"]} if "skin" in header else {}), **header["options"]}
    return EvalLog(
        status="success" if result else "cancelled",
        eval=EvalSpec(
            eval_id=number[:22],
            run_id=log.first[:22],
            task_id=digest_of(header["game"])[:22],
            created=header["created"],
            task=header["game"],
            task_args={"players": header["players"], "seed": header["seed"], "rules": header["rules"], **options},
            dataset=EvalDataset(name=header["game"], samples=len(ids), sample_ids=ids),
            model=", ".join(models) or "none",
            config=EvalConfig(),
            packages={"tabletop-runner": header["package"]},
            metadata={"log": log.path.name, "match": number, "players": [seat["name"] for seat in seats]},
        ),
        results=EvalResults(total_samples=len(ids), completed_samples=len(ids) if result else 0, scores=scores),
        stats=EvalStats(
            started_at=header["created"],
            completed_at=_time(max((one.end for one in decisions), default=start_of(log))),
            model_usage=_sum([sample.model_usage for sample in samples]),
        ),
        samples=samples,
    )


class _Sample:
    """The sample of a seat."""

    def __init__(
        self,
        log: Log,
        seat: int,
        decisions: Sequence[TimedDecision],
        others: Sequence[TimedAttempt],
        entries: Sequence[DecisionEntry],
    ) -> None:
        self._log, self._seat, self._decisions = log, seat, decisions
        self._others = [one for one in others if one.record["seat"] == seat]
        self._player: SeatRecord = log.latest_header["seats"][seat]
        self._key = f"{log.first} {seat}"
        self._grades = {one["decision"]: one for one in entries if one["seat"] == seat}
        self._usage: list[dict[str, Any]] = []

    def sample(self) -> Any:
        """The sample."""
        from inspect_ai.log import EvalSample
        from inspect_ai.model import ModelOutput

        events = [event for decision in self._decisions for event in self._events(decision)]
        events += [self._call(request, self._at(request.start)) for request in self._others]
        for place, event in enumerate(events):
            event.uuid = digest_of(f"{self._key} {place}")[:22]
        calls = [event for event in events if event.event == "model"]
        last = calls[-1] if calls else None
        start = min((one.start for one in self._decisions), default=start_of(self._log))
        end = max((one.end for one in self._decisions), default=start)
        return EvalSample(
            id=seat_name(self._seat),
            epoch=1,
            input=calls[0].input if calls else f"{self._log.header['game']}, {seat_name(self._seat)}",
            target="win",
            messages=[*last.input, last.output.message] if last else [],
            output=last.output if last else ModelOutput(),
            scores=self._scores(),
            metadata={"player": self._player["name"], "spec": self._player["spec"], "kind": self._player["kind"]},
            events=events,
            model_usage=_sum(self._usage),
            started_at=_time(start),
            completed_at=_time(end),
            total_time=(end - start) / 1e9,
            uuid=digest_of(self._key)[:22],
        )

    def _scores(self) -> dict[str, Any]:
        from inspect_ai.scorer import Score

        result = self._log.result
        scores = {}
        if result is not None:
            win = win_share(result, self._seat)
            scores = {"win": Score(value=win), "score": Score(value=result["scores"][self._seat])}
        if graded := [one["regret"] for one in self._grades.values() if one["grade"] != "forced"]:
            scores["regret"] = Score(value=sum(graded) / len(graded))
        return scores

    def _events(self, decision: TimedDecision) -> list[Any]:
        """A span with the requests, the decision and its grade."""
        from inspect_ai.event import InfoEvent, ScoreEvent, SpanBeginEvent, SpanEndEvent
        from inspect_ai.scorer import Score

        logged = decision.logged
        assert logged.record is not None
        span = digest_of(f"{self._key} {logged.number}")[:22]
        at = partial(self._at, span=span)
        name = f"{logged.number}. {logged.before.phase.name}"
        found: list[Any] = [SpanBeginEvent(**at(decision.start), id=span, name=name, type="agent")]
        found += [self._call(request, at(request.start)) for request in decision.requests]
        facts: dict[str, object] = {"decision": logged.number, "how": logged.record["how"], "answer": logged.record["action"]}
        facts["mistakes"] = [attempt.get("why", "") for attempt in logged.attempts if attempt["outcome"] == "mistake"]
        found.append(InfoEvent(**at(decision.end), source=seat_name(self._seat), data=facts))
        if grade := self._grades.get(logged.number):
            score = Score(value=grade["regret"], explanation=grade["grade"], metadata=dict(grade))
            found.append(ScoreEvent(**at(decision.end), score=score, intermediate=True, scorer="regret"))
        return [*found, SpanEndEvent(**at(decision.end), id=span)]

    def _at(self, time: int, span: str | None = None) -> dict[str, Any]:
        started = max(0.0, (time - start_of(self._log)) / 1e9)
        return {"span_id": span, "timestamp": _moment(time), "working_start": started}

    def _call(self, request: TimedAttempt, at: dict[str, Any]) -> Any:
        from inspect_ai.event import ModelEvent
        from inspect_ai.model import GenerateConfig, ModelUsage

        sent, used, reply = request.parameters, request.reply.get("usage"), request.reply
        usage = None
        if used is not None:
            cached, prompt, completion = (
                used.get("cached_tokens", 0),
                used.get("prompt_tokens", 0),
                used.get("completion_tokens", 0),
            )
            usage = ModelUsage(
                input_tokens=max(0, prompt - cached),
                output_tokens=completion,
                total_tokens=prompt + completion,
                input_tokens_cache_read=cached,
                reasoning_tokens=used.get("reasoning_tokens", 0),
                total_cost=reply.get("cost"),
            )
            self._usage.append({request.model: usage})
        limit = sent.get("max_tokens") or sent.get("max_completion_tokens")
        names = ("temperature", "top_p", "seed", "frequency_penalty", "presence_penalty")
        return ModelEvent(
            **at,
            model=request.model,
            role=seat_name(self._seat),
            input=[_message(one["role"], one["content"]) for one in request.messages],
            tools=[],
            tool_choice="none",
            config=GenerateConfig(max_tokens=limit, **{name: sent[name] for name in names if name in sent}),
            output=_output(request, usage),
            error=request.record.get("why", request.error) if not reply else None,
            completed=_moment(request.end),
            working_time=(request.end - request.start) / 1e9,
            metadata={"outcome": request.record["outcome"], "provider": reply.get("provider")},
        )


def _output(request: TimedAttempt, usage: Any) -> Any:
    from inspect_ai.model import ChatCompletionChoice, ContentReasoning, ContentText, ModelOutput

    reply = request.reply
    if not reply:
        return ModelOutput(model=request.model, error=request.record.get("why", request.error))
    text, reasoning = reply.get("text") or "", reply.get("reasoning")
    content = [ContentReasoning(reasoning=reasoning), ContentText(text=text)] if reasoning else text
    stop = _STOPS.get(reply.get("finish_reason") or "", "unknown")
    choice = ChatCompletionChoice(message=_message("assistant", content), stop_reason=stop)
    return ModelOutput(model=reply.get("model") or request.model, choices=[choice], usage=usage)


def _message(role: str, content: Any) -> Any:
    """A message. Its id follows from it, so that the file has what repeats once."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kind = {"system": ChatMessageSystem, "assistant": ChatMessageAssistant}.get(role, ChatMessageUser)
    return kind(id=digest_of(f"{role} {content}")[:22], content=content)


def _sum(usages: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Usage by model."""
    total: dict[str, Any] = {}
    for usage in usages:
        for model, one in usage.items():
            total[model] = total[model] + one if model in total else one
    return total


def _moment(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)


def _time(nanoseconds: int) -> str:
    return _moment(nanoseconds).isoformat()
