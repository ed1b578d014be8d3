"""Dataset: tables of data with a Croissant document and a card, in one folder that dataset hubs take as it is; and what each
model achieved as records of Every Eval Ever (schema 0.3.0)."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from games.core import counted
from runner.errors import UsageError
from runner.export.pages import part, render
from runner.export.table_columns import TABLES
from runner.export.table_file import table_file, write_rows
from runner.match.header import SeatRecord, package_version, rules_in_words
from runner.record.log_folder import FollowWork, Unusable, summaries
from runner.record.log_paths import logs_in
from runner.record.log_summary import LogState, LogSummary
from runner.record.reader import Log, read_sound_part
from runner.record.writer import write_file
from runner.screen.safe_text import clean
from runner.standings.document import FolderMatches, standings

_FORMATS = {"csv": "text/csv", "parquet": "application/x-parquet"}
_TYPES = {"integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean", "time": "sc:DateTime"}
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def write_dataset(logs: Path, out: Path, names: Sequence[str], kind: str, title: str, follow: FollowWork) -> list[Unusable]:
    """Write tables of all logs of a folder as `kind` (csv or parquet), their Croissant document and the card. Of several tables
    those without rows are left out. The logs that have no rows. The error of `none_left` when that is all of them."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is not a folder: name another one.")
    with ExitStack() as stack:
        writers = {name: stack.enter_context(table_file(out / f"{name}.{kind}", kind, name)) for name in names}
        rows, unusable = write_rows(logs, logs_in(logs), writers, follow)
    for name in [name for name in names if not rows[name] and len(names) > 1]:
        (out / f"{name}.{kind}").unlink()
        del rows[name]
    played = [log for log in summaries(logs).values() if log.state is not LogState.DAMAGED]
    document = _croissant(out, [*rows], kind, clean(title, 100), played)
    write_file(out / "croissant.json", json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    size = next((word for most, word in _SIZES if max(rows.values()) < most), "n>1M")
    write_file(out / "README.md", render("card.txt", data=document, rows=rows, kind=kind, size=size) + "\n")
    return unusable


def _croissant(out: Path, names: Sequence[str], kind: str, title: str, played: Sequence[LogSummary]) -> dict[str, Any]:
    """The document of the tables by Croissant 1.1, with the fields of its RAI vocabulary."""
    known = sorted({log.game for log in played})
    players = sorted({clean(seat.spec, 200) for log in played for seat in log.seats})
    what = f"{counted(len(played), 'match')} of {', '.join(known)} between {', '.join(players)}"
    data = {name: (out / name).read_bytes() for name in (f"{name}.{kind}" for name in names)}
    found: dict[str, Any] = json.loads(
        render(
            "croissant.json",
            title=title,
            description=f"{what}: the tables {', '.join(names)} of logs of tabletop {package_version()}.",
            times=sorted(log.created for log in played),
            games=known,
            files=[{"name": name, "size": len(file), "sha256": sha256(file).hexdigest()} for name, file in data.items()],
            format=_FORMATS[kind],
            tables=[TABLES[name] for name in names],
            types=_TYPES,
        )
    )
    return tomllib.loads(part("dataset.toml")) | found


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
