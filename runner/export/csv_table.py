"""CSV table of a match, one row per decision."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO

from games.core import seat_name
from runner.export.attempt_sums import Row, attempt_sums, last_reply
from runner.export.table_cells import csv_text
from runner.export.table_columns import LOG_COLUMNS, THOUGHTS
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log
from runner.screen.thoughts import thoughts

COLUMNS = tuple(column.name for column in LOG_COLUMNS)
"""The columns."""

_LONGEST_THOUGHTS = 30_000
"""Characters; a spreadsheet's cell holds 32,767."""


def to_csv(log: Log, has_thoughts: bool = False) -> str:
    """The table as CSV with a header line."""
    out = StringIO()
    columns = [*COLUMNS, *([THOUGHTS.name] if has_thoughts else [])]
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
    return {"talk": csv_text(said), "thoughts": csv_text(thought, _LONGEST_THOUGHTS)}


def _row(decision: LoggedDecision, names: list[str]) -> Row:
    assert decision.record is not None
    record, attempts = decision.record, decision.attempts
    replied = last_reply(attempts)
    return {
        "decision": decision.number,
        "line": decision.line,
        "round": decision.before.round,
        "phase": decision.before.phase_id,
        "phase_name": decision.before.phase.name,
        "seat": seat_name(record["seat"]),
        "player": csv_text(names[record["seat"]]),
        "how": record["how"],
        "action": "" if record["action"] is None else csv_text(json.dumps(record["action"], ensure_ascii=False)),
        "model": csv_text(replied.get("model") or ""),
        "provider": csv_text(replied.get("provider") or ""),
        **attempt_sums(attempts),
        "scores": " ".join(str(score) for score in decision.state.scores),
        "digest": record["digest"],
        "at": csv_text(record.get("at", "")),
    }
