"""What the matches in a folder have cost so far."""

from __future__ import annotations

import json
from pathlib import Path

from runner.record.resume_cursor import charged_tokens

_ATTEMPT = b'{"kind":"attempt"'
_CHARGED = b'"charged":'


def spent_in(folder: Path) -> tuple[float, int]:
    """USD and tokens charged for all attempts in all logs, those of unfinished matches included."""
    spent = [_spent(path) for path in folder.rglob("*.jsonl")]
    return sum(usd for usd, _ in spent), sum(tokens for _, tokens in spent)


def _spent(path: Path) -> tuple[float, int]:
    spent, tokens = 0.0, 0
    with path.open("rb") as file:
        for line in file:
            if line.startswith(_ATTEMPT) and _CHARGED in line and line.endswith(b"\n"):
                attempt = json.loads(line)
                spent += attempt.get("charged") or 0.0
                tokens += charged_tokens(attempt)
    return spent, tokens
