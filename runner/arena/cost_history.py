"""What players took in past matches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.standings.facts_index import summaries


@dataclass(slots=True)
class Past:
    """What a SPEC took in past matches of the game: sums over its decisions."""

    matches: int = 0
    decisions: int = 0
    usd: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


def past_of(logs: Path, game: str) -> dict[str, Past]:
    """What each SPEC took in the finished matches of a game in a folder; nothing where there are none."""
    found: dict[str, Past] = {}
    if not logs.is_dir() or not any(logs.rglob("*.jsonl")):
        return found
    for log in summaries(logs).values():
        if log.get("game") == game:
            for spec, seat in zip(log["specs"], log.get("seats", ()), strict=False):
                _add(found.setdefault(spec, Past()), seat)
    return found


def _add(past: Past, seat: dict[str, Any]) -> None:
    past.matches += 1
    past.decisions += seat["decisions"]
    past.usd += seat["cost"]
    past.prompt_tokens += seat["prompt_tokens"]
    past.completion_tokens += seat["completion_tokens"]
    past.seconds += seat["seconds"]
