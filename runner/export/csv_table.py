"""CSV table of a match, one row per decision."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO

from games.core import seat_name
from runner.match.records import ReplyRecord
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.screen.safe_text import clean

COLUMNS = {
    "decision": "number of the decision, from 1",
    "line": "line of the log",
    "round": "round",
    "phase": "id of the phase",
    "phase_name": "name of the phase",
    "seat": "seat that decided, such as P-0",
    "player": "name of the player",
    "how": "answer, forced (only one legal answer) or strike_out",
    "action": "decision as JSON; empty for a strike-out",
    "attempts": "number of attempts",
    "mistakes": "attempts with an invalid answer",
    "failures": "attempts without an answer",
    "model": "model that gave the last reply, as reported by the endpoint",
    "provider": "provider of the last reply",
    "prompt_tokens": "prompt tokens of all attempts",
    "completion_tokens": "completion tokens of all attempts",
    "cost": "cost of all attempts in USD",
    "latency": "duration of all attempts in seconds",
    "scores": "scores after the decision, by seat, separated by spaces",
    "digest": "digest of the state after the decision",
}
"""The columns and their meaning."""

Row = dict[str, object]
"""The values of a row by column."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(log: Log) -> str:
    """The table as CSV with a header line."""
    out = StringIO()
    writer = csv.DictWriter(out, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(log))
    return out.getvalue()


def rows(log: Log) -> Iterator[Row]:
    """The rows, as values by column name."""
    names = [seat.get("name") for seat in log.header["seats"]]
    for decision in decisions(log):
        if decision.record is not None:
            yield _row(decision, names)


def _row(decision: LoggedDecision, names: list[str]) -> Row:
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


def _text(value: object) -> str:
    """A text that a spreadsheet does not interpret as a formula."""
    text = clean(value, 10_000)
    return f"'{text}" if text.startswith(_FORMULA) else text
