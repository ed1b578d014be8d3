"""Evaluation records: what each model of a folder achieved, in the format of Every Eval Ever (schema 0.3.0), a file a model."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from uuid import UUID

from runner.errors import UsageError
from runner.export.pages import render
from runner.match.header import SeatRecord, package_version, rules_in_words
from runner.record.log_summary import LogSummary
from runner.record.reader import Log, read_sound_part
from runner.record.writer import write_file
from runner.screen.safe_text import clean
from runner.standings.document import FolderMatches, standings

_MODELS = ("model", "offline")
_NO_PATH = re.compile(r"[^A-Za-z0-9._-]+")


def write_records(matches: FolderMatches, out: Path) -> list[Path]:
    """Write a record for each model that played: `data/tabletop/DEVELOPER/MODEL/ID.json`. The same logs give the same files: a
    record was made when the last match of its model ended. UsageError when no model played."""
    found, written = standings(matches, 0)["games"], list[Path]()
    for agent, log, seat in _models(matches.logs):
        model, maker = clean(seat.get("model", "offline"), 200), "tabletop" if seat["kind"] == "offline" else "unknown"
        ended = max(one.ended for one in matches.logs.values() if agent in one.names)
        moment, named = int(datetime.fromisoformat(ended).timestamp()), model if "/" in model else f"{maker}/{model}"
        key = f"tabletop/{clean(agent, 200)}/{log.header.get('match', log.first)}/{moment}"
        record = render(
            "eval_record.json",
            key=key,
            agent=agent,
            model=named,
            seat=seat,
            games=[game for game in found if any(one["agent"] == agent for one in game["agents"])],
            ended=ended,
            moment=moment,
            version=package_version(),
            rules=rules_in_words(log.header),
            pack=(log.header["prompts"] or {}).get("pack", ""),
            parameters=seat.get("parameters", {}),
        )
        folders = (_NO_PATH.sub("-", part).strip("-.")[:100] or "unknown" for part in named.split("/", 1))
        name = UUID(bytes=sha256(key.encode()).digest()[:16], version=4)
        written.append(out.joinpath("data", "tabletop", *folders, f"{name}.json"))
        write_file(written[-1], json.dumps(json.loads(record), ensure_ascii=False, indent=1) + "\n")
    if not written:
        raise UsageError(f"{matches.folder}: no model has played a match to its end, so there is nothing to record.")
    return written


def _models(logs: Mapping[Path, LogSummary]) -> Iterator[tuple[str, Log, SeatRecord]]:
    """Each model that played, with the first log that has it, and its seat there."""
    known = set[str]()
    for path, summary in logs.items():
        if known.issuperset(summary.names):
            continue
        log = read_sound_part(path)
        for name, seat in zip(summary.names, log.latest_header["seats"], strict=True):
            if name not in known and seat["kind"] in _MODELS:
                yield name, log, seat
            known.add(name)
