"""A match as a table, one row a decision."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

from games.core import seat_name
from runner.match.records import ReplyRecord
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.screen.safe_text import clean

COLUMNS = {
    "decision": "its number, from 1",
    "line": "the line of the log it stands on",
    "round": "the round it was made in",
    "phase": "the id of the phase it was made in",
    "phase_name": "that phase's name",
    "seat": "the seat that decided, such as P-0",
    "player": "who sits there",
    "how": "answer, forced (only one was legal) or strike_out",
    "action": "what was decided, as JSON; empty for a strike-out",
    "attempts": "how often it was answered or failed to be",
    "mistakes": "answers that did not count",
    "failures": "attempts that brought no answer",
    "model": "the model that gave the last reply, as it calls itself",
    "provider": "who served it",
    "prompt_tokens": "tokens sent, over all attempts",
    "completion_tokens": "tokens received, over all attempts",
    "cost": "USD, over all attempts",
    "latency": "seconds waited, over all attempts",
    "scores": "the scores after it, by seat, with spaces between",
    "digest": "the digest of the state after it",
}
"""The columns with what stands in them."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(log: Log) -> str:
    """The table as comma-separated values with a line of titles."""
    out = StringIO()
    writer = csv.DictWriter(out, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(log))
    return out.getvalue()


def rows(log: Log) -> Iterator[dict[str, Any]]:
    """The rows, by the names of their columns."""
    names = [seat.get("name") for seat in log.header["seats"]]
    for decision in decisions(log):
        if decision.record is not None:
            yield _row(decision, names)


def _row(decision: LoggedDecision, names: list[Any]) -> dict[str, Any]:
    assert decision.record is not None
    record, attempts = decision.record, decision.attempts
    replies = [reply for attempt in attempts if (reply := attempt.get("reply"))]
    usage = [reply.get("usage") or {} for reply in replies]
    last: ReplyRecord = replies[-1] if replies else {}
    return {
        "decision": decision.number,
        "line": decision.line,
        "round": decision.before.round,
        "phase": decision.before.phase_id,
        "phase_name": decision.before.phase.name,
        "seat": seat_name(record["seat"]),
        "player": _text(names[record["seat"]]),
        "how": record["how"],
        "action": "" if record["action"] is None else _text(json.dumps(record["action"], ensure_ascii=False)),
        "attempts": len(attempts),
        "mistakes": sum(attempt["outcome"] == "mistake" for attempt in attempts),
        "failures": sum(attempt["outcome"] not in ("mistake", "answer") for attempt in attempts),
        "model": _text(last.get("model") or ""),
        "provider": _text(last.get("provider") or ""),
        "prompt_tokens": sum(used.get("prompt_tokens") or 0 for used in usage),
        "completion_tokens": sum(used.get("completion_tokens") or 0 for used in usage),
        "cost": round(sum(reply.get("cost") or 0.0 for reply in replies), 8),
        "latency": round(sum(attempt.get("latency") or 0.0 for attempt in attempts), 3),
        "scores": " ".join(str(score) for score in decision.state.scores),
        "digest": record["digest"],
    }


def _text(value: Any) -> str:
    """A text that no spreadsheet takes for a formula."""
    text = clean(value, 10_000)
    return f"'{text}" if text.startswith(_FORMULA) else text
