"""What a model said it thought when it answered."""

from __future__ import annotations

import re
from typing import Any

from rich.text import Text

from games.core import seat_name
from runner.screen.palette import QUIET
from runner.screen.safe_text import clean

_LONGEST = 600
_MARKS = re.compile(r"</?[A-Za-z]{1,20}>|\[/?THINK\]|```\w*|<\|[^|]*\|>")


def thoughts_line(seat: int, attempt: dict[str, Any]) -> Text | None:
    """The thoughts behind an attempt, bounded; None where none were told. Only for those who may read the seat's answers."""
    told = clean(" ".join(thoughts(attempt).split()), _LONGEST)
    return Text(f"  {seat_name(seat)} thinks: {told}", style=f"{QUIET} italic") if told else None


def thoughts(attempt: dict[str, Any]) -> str:
    """The reasoning that came beside the reply; else what stands in the reply before its answer."""
    reply = attempt.get("reply") or {}
    beside = str(reply.get("reasoning") or "").strip()
    return beside or _MARKS.sub(" ", str(reply.get("text") or "").partition("{")[0]).strip()
