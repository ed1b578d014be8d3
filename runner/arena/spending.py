"""What the matches in a folder have cost so far."""

from __future__ import annotations

import json
from pathlib import Path

_ATTEMPT = b'{"kind":"attempt"'
_CHARGED = b'"charged":'


def spent_in(folder: Path) -> float:
    """USD charged for all attempts in all logs, those of unfinished matches included."""
    return sum(_spent(path) for path in folder.rglob("*.jsonl"))


def _spent(path: Path) -> float:
    spent = 0.0
    with path.open("rb") as file:
        for line in file:
            if line.startswith(_ATTEMPT) and _CHARGED in line and line.endswith(b"\n"):
                spent += json.loads(line).get("charged") or 0.0
    return spent
