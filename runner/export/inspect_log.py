"""Inspect log: a match as an `.eval` file, written through the Python API of inspect_ai, which the extra `inspect` installs.

Each seat is a sample: its decisions are spans with the requests to its model, its answer and its grade. Scores are its share of
the win, its score, and of a kept review the win share that it gave up.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from inspect_ai import event as events
from inspect_ai import log as evals
from inspect_ai import model as models
from inspect_ai.scorer import Score

from games.core import seat_name
from runner.digest import digest_of
from runner.export.otlp import REQUESTED, TimedAttempt, TimedDecision, TimedLog, win_share
from runner.record.reader import Log

_STOPS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter"}
_MESSAGES = {"system": models.ChatMessageSystem, "assistant": models.ChatMessageAssistant}


def to_inspect(log: Log) -> bytes:
    """The `.eval` file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "match.eval"
        evals.write_eval_log(_eval_log(TimedLog(log)), str(file))
        return file.read_bytes()


def _eval_log(found: TimedLog) -> Any:
    log, header, result = found.log, found.log.header, found.log.result
    samples = [_sample(found, seat) for seat in range(header["players"])]
    values: dict[str, list[float]] = {}
    for sample in samples:
        for name, score in sample.scores.items():
            values.setdefault(name, []).append(score.value)
    means = {name: {"mean": evals.EvalMetric(name="mean", value=fmean(own))} for name, own in sorted(values.items())}
    scores = [
        evals.EvalScore(name=name, scorer=name, metrics=mean, scored_samples=len(values[name])) for name, mean in means.items()
    ]
    usage = _sum(used for sample in samples for used in sample.model_usage.items())
    settings = {"players": header["players"], "seed": header["seed"], "rules": header["rules"]}
    settings |= {"skin": header["skin"]} if "skin" in header else {}
    ids = [sample.id for sample in samples]
    return evals.EvalLog(
        status="success" if result else "cancelled",
        eval=evals.EvalSpec(
            eval_id=found.id[:22],
            run_id=log.first[:22],
            task_id=digest_of(header["game"])[:22],
            created=header["created"],
            task=header["game"],
            task_args={**settings, **header["options"]},
            dataset=evals.EvalDataset(name=header["game"], samples=len(ids), sample_ids=ids),
            model=", ".join(sorted(usage)) or "none",
            config=evals.EvalConfig(),
            packages={"tabletop-runner": header["package"]},
            metadata={"log": log.path.name, "match": found.id, "players": [seat["name"] for seat in found.seats]},
        ),
        results=evals.EvalResults(total_samples=len(ids), completed_samples=len(ids) if result else 0, scores=scores),
        stats=evals.EvalStats(
            started_at=header["created"],
            completed_at=_moment(max((one.end for one in found.decisions), default=found.start)).isoformat(),
            model_usage=usage,
        ),
        samples=samples,
    )


def _sample(found: TimedLog, seat: int) -> Any:
    player, key, name = found.seats[seat], f"{found.log.first} {seat}", seat_name(seat)
    decisions = [one for one in found.decisions if one.record["seat"] == seat]
    record = [one for decision in decisions for one in _events(found, decision, key)]
    record += [_call(found, one) for one in found.undecided if one.record["seat"] == seat]
    for place, one in enumerate(record):
        one.uuid = digest_of(f"{key} {place}")[:22]
    calls = [one for one in record if one.event == "model"]
    last = calls[-1] if calls else None
    start = min((one.start for one in decisions), default=found.start)
    end = max((one.end for one in decisions), default=start)
    return evals.EvalSample(
        id=name,
        epoch=1,
        input=calls[0].input if calls else f"{found.log.header['game']}, {name}",
        target="win",
        messages=[*last.input, last.output.message] if last else [],
        output=last.output if last else models.ModelOutput(),
        scores=_scores(found, seat),
        metadata={"player": player["name"], "spec": player["spec"], "kind": player["kind"]},
        events=record,
        model_usage=_sum((call.model, call.output.usage) for call in calls if call.output.usage),
        started_at=_moment(start).isoformat(),
        completed_at=_moment(end).isoformat(),
        total_time=(end - start) / 1e9,
        uuid=digest_of(key)[:22],
    )


def _scores(found: TimedLog, seat: int) -> dict[str, Any]:
    result, scores = found.log.result, {}
    if result is not None:
        scores = {"win": Score(value=win_share(result, seat)), "score": Score(value=result["scores"][seat])}
    graded = [one["regret"] for one in found.grades.values() if one["seat"] == seat and one["grade"] != "forced"]
    return scores | ({"regret": Score(value=fmean(graded))} if graded else {})


def _events(found: TimedLog, decision: TimedDecision, key: str) -> Iterator[Any]:
    """A span with the requests, the decision and its grade."""
    logged, record = decision.logged, decision.record
    span = digest_of(f"{key} {logged.number}")[:22]
    end = _at(found, decision.end, span)
    name = f"{logged.number}. {logged.before.phase.name}"
    yield events.SpanBeginEvent(**_at(found, decision.start, span), id=span, name=name, type="agent")
    for request in decision.requests:
        yield _call(found, request, span)
    facts = {"decision": logged.number, "how": record["how"], "answer": record["action"], "mistakes": decision.mistakes}
    yield events.InfoEvent(**end, source=seat_name(decision.record["seat"]), data=facts)
    if grade := found.grades.get(logged.number):
        score = Score(value=grade["regret"], explanation=grade["grade"], metadata=dict(grade))
        yield events.ScoreEvent(**end, score=score, intermediate=True, scorer="regret")
    yield events.SpanEndEvent(**end, id=span)


def _at(found: TimedLog, time: int, span: str | None) -> dict[str, Any]:
    return {"span_id": span, "timestamp": _moment(time), "working_start": max(0.0, (time - found.start) / 1e9)}


def _call(found: TimedLog, request: TimedAttempt, span: str | None = None) -> Any:
    """A request to a model."""
    reply, own = request.reply, {name: request.parameters[name] for name in REQUESTED if name in request.parameters}
    return events.ModelEvent(
        **_at(found, request.start, span),
        model=request.model,
        role=seat_name(request.record["seat"]),
        input=[_message(one["role"], one["content"]) for one in request.messages],
        tools=[],
        tool_choice="none",
        config=models.GenerateConfig(max_tokens=request.most_tokens, **own),
        output=_output(request),
        error=None if reply else request.why,
        completed=_moment(request.end),
        working_time=(request.end - request.start) / 1e9,
        metadata={"outcome": request.record["outcome"], "provider": reply.get("provider")},
    )


def _output(request: TimedAttempt) -> Any:
    reply = request.reply
    if not reply:
        return models.ModelOutput(model=request.model, error=request.why)
    text, reasoning = reply.get("text") or "", reply.get("reasoning")
    content = [models.ContentReasoning(reasoning=reasoning), models.ContentText(text=text)] if reasoning else text
    stop = _STOPS.get(reply.get("finish_reason") or "", "unknown")
    choice = models.ChatCompletionChoice(message=_message("assistant", content), stop_reason=stop)
    return models.ModelOutput(model=reply.get("model") or request.model, choices=[choice], usage=_usage(request))


def _usage(request: TimedAttempt) -> Any:
    if (used := request.reply.get("usage")) is None:
        return None
    cached, prompt = used.get("cached_tokens", 0), used.get("prompt_tokens", 0)
    completion = used.get("completion_tokens", 0)
    return models.ModelUsage(
        input_tokens=max(0, prompt - cached),
        output_tokens=completion,
        total_tokens=prompt + completion,
        input_tokens_cache_read=cached,
        reasoning_tokens=used.get("reasoning_tokens", 0),
        total_cost=request.reply.get("cost"),
    )


def _message(role: str, content: Any) -> Any:
    """A message. Its id follows from it, so that the file has what repeats once."""
    return _MESSAGES.get(role, models.ChatMessageUser)(id=digest_of(f"{role} {content}")[:22], content=content)


def _sum(usages: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Usage by model."""
    total: dict[str, Any] = {}
    for model, one in usages:
        total[model] = total[model] + one if model in total else one
    return total


def _moment(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)
