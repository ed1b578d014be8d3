"""CSV table of a match, one row per decision."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO

from games.core import seat_name
from runner.export.attempt_sums import Row, attempt_sums, last_reply
from runner.export.table_cells import csv_text
from runner.record.decisions import decisions
from runner.record.reader import Log
from runner.screen.narrator import thoughts

COLUMNS = (
    *("decision", "line", "round", "phase", "phase_name", "seat", "player", "how", "action", "attempts", "mistakes"),
    *("failures", "model", "provider", "prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens"),
    *("cache_write_tokens", "cost", "latency", "scores", "digest", "talk", "at"),
)
"""The columns: those of the table `decisions`, and `scores`."""

_LONGEST_THOUGHTS = 30_000
"""Characters; a spreadsheet's cell holds 32,767."""


def to_csv(log: Log, has_thoughts: bool = False) -> str:
    """The table as CSV with a header line."""
    out = StringIO()
    columns = [*COLUMNS, *(["thoughts"] if has_thoughts else [])]
    writer = csv.DictWriter(out, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(_rows(log))
    return out.getvalue()


def _rows(log: Log) -> Iterator[Row]:
    """The rows, as values by column name, thoughts included."""
    names = [seat.get("name") for seat in log.header["seats"]]
    talk = {record["question"]: record["text"] for _, record in log.of_kind("talk")}
    for decision in decisions(log):
        if (record := decision.record) is None:
            continue
        replied, question = last_reply(decision.attempts), decision.question
        yield {
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
            **attempt_sums(decision.attempts),
            "scores": " ".join(str(score) for score in decision.state.scores),
            "digest": record["digest"],
            "talk": csv_text("" if question is None else talk.get(question["question"], "")),
            "at": csv_text(record.get("at", "")),
            "thoughts": csv_text("\n\n".join(filter(None, map(thoughts, decision.attempts))), _LONGEST_THOUGHTS),
        }
