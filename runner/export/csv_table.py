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
from runner.screen.thoughts import thoughts

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
    "talk": "what the seat said to the table with it",
}
"""The columns and their meaning."""

THOUGHTS = {"thoughts": "with `--thoughts`: what the seat thought before it, whole"}
"""The column of thoughts, which comes last."""

Row = dict[str, object]
"""The values of a row by column."""

_LONGEST_THOUGHTS = 30_000
"""Characters; a spreadsheet's cell holds 32,767."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(log: Log, has_thoughts: bool = False) -> str:
    """The table as CSV with a header line."""
    out = StringIO()
    columns = [*COLUMNS, *(THOUGHTS if has_thoughts else ())]
    writer = csv.DictWriter(out, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows(log))
    return out.getvalue()


def rows(log: Log) -> Iterator[Row]:
    """The rows, as values by column name, thoughts included."""
    names = [seat.get("name") for seat in log.header["seats"]]
    talk = {record["question"]: record["text"] for _, record in log.of_kind("talk")}
    for decision in decisions(log):
        if decision.record is not None:
            yield _row(decision, names) | _words(decision, talk)


def _words(decision: LoggedDecision, talk: dict[int, str]) -> Row:
    number = None if decision.question is None else decision.question["question"]
    said = "" if number is None else talk.get(number, "")
    thought = "\n\n".join(filter(None, map(thoughts, decision.attempts)))
    return {"talk": _text(said), "thoughts": _text(thought, _LONGEST_THOUGHTS)}


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


def _text(value: object, longest: int = 10_000) -> str:
    """A text that a spreadsheet does not interpret as a formula."""
    text = clean(value, longest)
    return f"'{text}" if text.startswith(_FORMULA) else text
