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

from games.core import counted
from runner.errors import UsageError
from runner.match.header import SeatRecord, package_version, rules_in_words
from runner.record.log_summary import LogSummary
from runner.record.reader import Log, read_sound_part
from runner.record.safe_write import write_file
from runner.screen.safe_text import clean
from runner.standings.document import FolderMatches, standings
from runner.standings.document_types import FigureData, GameData

EEE_SCHEMA = "0.3.0"
_MODELS = ("model", "offline")
_NO_PATH = re.compile(r"[^A-Za-z0-9._-]+")
_GENERATION = ("temperature", "top_p", "top_k")


def write_records(matches: FolderMatches, out: Path) -> list[Path]:
    """Write a record for each model that played: `data/tabletop/DEVELOPER/MODEL/ID.json`. The same logs give the same files.
    UsageError when no model played."""
    found = standings(matches, 0)
    written = list[Path]()
    for agent, log, seat in _models(matches.logs):
        results = [result for game in found["games"] for result in _results(game, agent, seat, log)]
        last = max(one.ended for one in matches.logs.values() if agent in one.names)
        record = _record(agent, seat, last, results, log)
        developer, _, model = record["model_info"]["id"].partition("/")
        name = UUID(bytes=sha256(record["evaluation_id"].encode()).digest()[:16], version=4)
        written.append(out / "data" / "tabletop" / _file_name(developer) / _file_name(model) / f"{name}.json")
        write_file(written[-1], json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    if not written:
        raise UsageError(f"{matches.folder}: no model has played a match to its end, so there is nothing to record.")
    return written


def _file_name(text: str) -> str:
    return _NO_PATH.sub("-", text).strip("-.")[:100] or "unknown"


def _models(logs: Mapping[Path, LogSummary]) -> Iterator[tuple[str, Log, SeatRecord]]:
    """Each model that played, with the log and the seat that say what it is."""
    known = set[str]()
    for path, summary in logs.items():
        if new := {*summary.names} - known:
            log = read_sound_part(path)
            for name, seat in zip(summary.names, log.latest_header["seats"], strict=True):
                if name in new - known and seat["kind"] in _MODELS:
                    yield name, log, seat
                known.add(name)


def _record(agent: str, seat: SeatRecord, last: str, results: Sequence[object], log: Log) -> dict[str, Any]:
    """A record without the clock of whoever writes it: it was made when the last match of the model ended."""
    model = clean(seat.get("model", "offline"), 200)
    named = model if "/" in model else f"{'tabletop' if seat['kind'] == 'offline' else 'unknown'}/{model}"
    moment = str(int(datetime.fromisoformat(last).timestamp()))
    is_local = "sha256" in seat
    deployment = "self_deployed" if is_local else "externally_managed" if seat["kind"] == "model" else "unknown"
    return {
        "schema_version": EEE_SCHEMA,
        "evaluation_id": f"tabletop/{clean(agent, 200)}/{log.header.get('match', log.first)}/{moment}",
        "evaluation_timestamp": last,
        "retrieved_timestamp": moment,
        "source_metadata": {
            "source_name": "tabletop",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "tabletop", "version": package_version()},
        "model_info": {
            "name": clean(agent, 200),
            "id": named,
            "developer": named.partition("/")[0],
            "additional_details": {
                "deployment_type": deployment,
                "model_availability": "open_weights" if is_local else "unknown",
                "spec": clean(seat["spec"], 500),
                "base_url": clean(seat.get("base_url", ""), 500),
            },
        },
        "evaluation_results": results,
    }


def _results(game: GameData, agent: str, seat: SeatRecord, log: Log) -> Iterator[dict[str, object]]:
    """The figures of a model in a game: win share, rating, invalid answers and, of reviews, the win share given up."""
    own = next((one for one in game["agents"] if one["agent"] == agent), None)
    if own is None:
        return
    name = f"tabletop.{game['game']}" + (f".{game['players']}-players" if game["players"] else "")
    others = ", ".join(one["agent"] for one in game["agents"] if one["agent"] != agent)
    details = {"opponents": clean(others, 2000), "deals": str(game["deals"]), "matches": str(own["matches"])}
    details |= {"cost_usd": str(own["cost"]), "latency_seconds": f"{own['latency']:.3f}", "rules": rules_in_words(log.header)}
    rate: FigureData = {"value": own["mistake_rate"], "low": None, "high": None}
    figures = [("win_share", "Win share", own["win_share"], False, (0, 1)), ("rating", "Rating", own["rating"], False, None)]
    figures.append(("invalid_answers", "Rate of invalid answers", rate, True, (0, 1)))
    for metric, title, figure, is_lower, bounds in figures:
        yield {
            "evaluation_result_id": f"{name}.{metric}",
            "evaluation_name": name,
            "source_data": {"dataset_name": name, "source_type": "other", "additional_details": details},
            "metric_config": {
                "evaluation_description": f"{title} over {counted(own['matches'], 'match')} of {game['game']}",
                "metric_id": f"tabletop.{metric}",
                "metric_name": title,
                "metric_unit": "proportion" if bounds else "points",
                "lower_is_better": is_lower,
                "score_type": "continuous",
                "min_score": bounds[0] if bounds else "-Infinity",
                "max_score": bounds[1] if bounds else "Infinity",
            },
            "score_details": {"score": figure["value"], **_uncertainty(figure, game["deals"])},
            "generation_config": _generation(seat, log),
        }


def _uncertainty(figure: FigureData, deals: int) -> dict[str, object]:
    if figure["low"] is None or figure["high"] is None:
        return {}
    interval = {"lower": figure["low"], "upper": figure["high"], "confidence_level": 0.95, "method": "jackknife over deals"}
    return {"uncertainty": {"confidence_interval": interval, "num_samples": deals}}


def _generation(seat: SeatRecord, log: Log) -> dict[str, object]:
    """The settings of a model's requests as its log has them, and its prompts."""
    given = {name: value for name, value in seat.get("parameters", {}).items() if name in _GENERATION}
    known: dict[str, object] = {name: value for name, value in given.items() if isinstance(value, int | float)}
    known |= {"max_tokens": seat["max_tokens"]} if "max_tokens" in seat else {}
    pack = str((log.header["prompts"] or {}).get("pack", ""))
    return {"generation_args": known, "additional_details": {"prompt_pack": clean(pack, 200)}}
