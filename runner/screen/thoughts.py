"""Thoughts: the reasoning that a model gave with its answer."""

from __future__ import annotations

import re

from rich.text import Text

from games.core import seat_name
from runner.match.records import AttemptRecord
from runner.screen.palette import QUIET
from runner.screen.safe_text import clean

_LONGEST = 600
_MARKS = re.compile(r"</?[A-Za-z]{1,20}>|\[/?THINK\]|```\w*|<\|[^|]*\|>")


def thoughts_line(attempt: AttemptRecord) -> Text | None:
    """The reasoning behind an attempt, bounded; None where there is none. For perspectives that read the seat's answers."""
    told = clean(" ".join(thoughts(attempt).split()), _LONGEST)
    return Text(f"  {seat_name(attempt['seat'])} thinks: {told}", style=f"{QUIET} italic") if told else None


def thoughts(attempt: AttemptRecord) -> str:
    """The reasoning that came beside the reply; otherwise the text in the reply before its answer."""
    reply = attempt.get("reply") or {}
    beside = str(reply.get("reasoning") or "").strip()
    return beside or _MARKS.sub(" ", str(reply.get("text") or "").partition("{")[0]).strip()
