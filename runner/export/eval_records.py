"""Evaluation records: what each model of a folder achieved, in the format of Every Eval Ever (schema 0.3.0), a file a model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from runner.errors import UsageError
from runner.match.header import SeatRecord, package_version, rules_in_words
from runner.record.log_summary import LogSummary
from runner.record.reader import Log, read_sound_part
from runner.record.safe_write import write_file
from runner.screen.safe_text import clean
from runner.standings.document import FolderMatches, standings
from runner.standings.document_types import FigureData, GameData

_MODELS = ("model", "offline")
_NO_PATH = re.compile(r"[^A-Za-z0-9._-]+")


def write_records(matches: FolderMatches, out: Path) -> list[Path]:
    """Write a record for each model that played: `data/tabletop/DEVELOPER/MODEL/ID.json`. The same logs give the same files: a
    record was made when the last match of its model ended. UsageError when no model played."""
    found, written = standings(matches, 0)["games"], list[Path]()
    for agent, log, seat in _models(matches.logs):
        results = [result for game in found for result in _results(game, agent, seat, log)]
        record = _record(agent, seat, max(one.ended for one in matches.logs.values() if agent in one.names), results, log)
        folders = record["model_info"]["id"].split("/", 1)
        name = UUID(bytes=sha256(record["evaluation_id"].encode()).digest()[:16], version=4)
        written.append(out.joinpath("data", "tabletop", *map(_file_name, folders), f"{name}.json"))
        write_file(written[-1], json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    if not written:
        raise UsageError(f"{matches.folder}: no model has played a match to its end, so there is nothing to record.")
    return written


def _file_name(text: str) -> str:
    return _NO_PATH.sub("-", text).strip("-.")[:100] or "unknown"


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


def _record(agent: str, seat: SeatRecord, ended: str, results: Sequence[object], log: Log) -> dict[str, Any]:
    model, moment = clean(seat.get("model", "offline"), 200), str(int(datetime.fromisoformat(ended).timestamp()))
    named = model if "/" in model else f"{'tabletop' if seat['kind'] == 'offline' else 'unknown'}/{model}"
    details = {
        "deployment_type": "self_deployed" if "sha256" in seat else "unknown",
        "model_availability": "open_weights" if "sha256" in seat else "unknown",
        "spec": clean(seat["spec"], 500),
        "base_url": clean(seat.get("base_url", ""), 500),
    }
    source = {"source_name": "tabletop", "source_type": "evaluation_run", "source_organization_name": "unknown"}
    return {
        "schema_version": "0.3.0",
        "evaluation_id": f"tabletop/{clean(agent, 200)}/{log.header.get('match', log.first)}/{moment}",
        "evaluation_timestamp": ended,
        "retrieved_timestamp": moment,
        "source_metadata": {**source, "evaluator_relationship": "other"},
        "eval_library": {"name": "tabletop", "version": package_version()},
        "model_info": {
            "name": clean(agent, 200),
            "id": named,
            "developer": named.partition("/")[0],
            "additional_details": details,
        },
        "evaluation_results": results,
    }


def _results(game: GameData, agent: str, seat: SeatRecord, log: Log) -> Iterator[dict[str, object]]:
    """The figures of a model in a game: win share, rating, rate of invalid answers."""
    own = next((one for one in game["agents"] if one["agent"] == agent), None)
    if own is None:
        return
    name = f"tabletop.{game['game']}" + (f".{game['players']}-players" if game["players"] else "")
    others = ", ".join(one["agent"] for one in game["agents"] if one["agent"] != agent)
    details = {"opponents": clean(others, 2000), "deals": str(game["deals"]), "matches": str(own["matches"])}
    details |= {"cost_usd": str(own["cost"]), "latency_seconds": f"{own['latency']:.3f}", "rules": rules_in_words(log.header)}
    pack = str((log.header["prompts"] or {}).get("pack", ""))
    settings = {"prompt_pack": clean(pack, 200), "parameters": clean(json.dumps(seat.get("parameters", {})), 2000)}
    rate: FigureData = {"value": own["mistake_rate"], "low": None, "high": None}
    for metric, figure, unit in (
        ("win share", own["win_share"], "proportion"),
        ("rating", own["rating"], "points"),
        ("invalid answers", rate, "proportion"),
    ):
        metric_id, is_share = metric.replace(" ", "_"), unit == "proportion"
        yield {
            "evaluation_result_id": f"{name}.{metric_id}",
            "evaluation_name": name,
            "source_data": {"dataset_name": name, "source_type": "other", "additional_details": details},
            "metric_config": {
                "metric_id": f"tabletop.{metric_id}",
                "metric_name": metric,
                "metric_unit": unit,
                "lower_is_better": figure is rate,
                "score_type": "continuous",
                "min_score": 0 if is_share else "-Infinity",
                "max_score": 1 if is_share else "Infinity",
            },
            "score_details": {"score": figure["value"], **_uncertainty(figure, game["deals"])},
            "generation_config": {"additional_details": settings},
        }


def _uncertainty(figure: FigureData, deals: int) -> dict[str, object]:
    if figure["low"] is None or figure["high"] is None:
        return {}
    interval = {"lower": figure["low"], "upper": figure["high"], "confidence_level": 0.95, "method": "jackknife over deals"}
    return {"uncertainty": {"confidence_interval": interval, "num_samples": deals}}
