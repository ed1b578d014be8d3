"""Inspect log: a match as an `.eval` file, written through the Python API of inspect_ai, which the extra `inspect` installs.

Each seat is a sample: its decisions are spans with the requests to its model, its answer and its grade. Scores are its share of
the win, its score, and of a kept review the win share that it gave up.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from inspect_ai import log as evals
from inspect_ai import model as models
from inspect_ai.scorer import Score
from pydantic import TypeAdapter

from games.core import seat_name
from runner.digest import digest_of
from runner.export.otlp import REQUESTED, TimedDecision, TimedLog
from runner.export.pages import render
from runner.match.records import win_share
from runner.record.reader import Log

_STOPS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter"}


def to_inspect(log: Log) -> bytes:
    """The `.eval` file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "match.eval"
        evals.write_eval_log(_eval_log(TimedLog(log)), str(file))
        return file.read_bytes()


def _eval_log(found: TimedLog) -> Any:
    header, samples = found.log.header, [_sample(found, seat) for seat in range(found.log.header["players"])]
    scored: dict[str, list[float]] = {}
    for sample in samples:
        for name, score in sample.scores.items():
            scored.setdefault(name, []).append(score.value)
    usage = _sum(used for sample in samples for used in sample.model_usage.items())
    settings = {name: header[name] for name in ("players", "seed", "rules", "skin") if name in header} | header["options"]
    completed = _moment(max((one.end for one in found.decisions), default=found.start)).isoformat()
    facts = {"found": found, "settings": settings, "scored": scored, "usage": usage, "completed": completed}
    log = evals.EvalLog.model_validate_json(render("inspect_log.json", **facts, ids=[one.id for one in samples], uid=_uid))
    log.stats.model_usage, log.samples = usage, samples
    return log


def _sample(found: TimedLog, seat: int) -> Any:
    player, key, name = found.seats[seat], f"{found.log.first} {seat}", seat_name(seat)
    decisions = [one for one in found.decisions if one.record["seat"] == seat]
    record = _events(found, seat, decisions, key)
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
        uuid=_uid(key),
    )


def _scores(found: TimedLog, seat: int) -> dict[str, Any]:
    result, scores = found.log.result, {}
    if result is not None:
        scores = {"win": Score(value=win_share(result, seat)), "score": Score(value=result["scores"][seat])}
    graded = [one["regret"] for one in found.grades.values() if one["seat"] == seat and one["grade"] != "forced"]
    return scores | ({"regret": Score(value=fmean(graded))} if graded else {})


def _events(found: TimedLog, seat: int, decisions: list[TimedDecision], key: str) -> list[Any]:
    """The events of a seat. The id of a message follows from it, so that the file has what repeats once."""
    undecided = [one for one in found.undecided if one.record["seat"] == seat]
    facts = {"found": found, "decisions": decisions, "undecided": undecided, "requested": REQUESTED, "stops": _STOPS}
    text = render("inspect_events.json", **facts, key=key, uid=_uid, moment=lambda time: _moment(time).isoformat())
    kind: Any = evals.EvalSample.model_fields["events"].annotation
    events: list[Any] = TypeAdapter(kind).validate_json(text)
    for place, one in enumerate(events):
        one.uuid = _uid(f"{key} {place}")
    return events


def _uid(text: str) -> str:
    return digest_of(text)[:22]


def _sum(usages: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Usage by model."""
    total: dict[str, Any] = {}
    for model, one in usages:
        total[model] = total[model] + one if model in total else one
    return total


def _moment(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)
