"""Thoughts: the reasoning that a model gave with its answer, wherever it put it."""

from __future__ import annotations

import re

from runner.match.records import AttemptRecord
from runner.screen.hanging_text import HangingText
from runner.screen.palette import QUIET
from runner.screen.safe_text import clean

_MOST_WORDS = 60
_LONGEST = 500
_MARKS = re.compile(r"</?[A-Za-z]{1,20}>|\[/?THINK\]|```\w*|<\|[^|]*\|>")


def thoughts_line(attempt: AttemptRecord, who: str) -> HangingText | None:
    """The thoughts behind an attempt, cut; None where there are none. For perspectives that read the seat's answers."""
    told = shortened(thoughts(attempt))
    return HangingText(f"  {who} thinks: {told}", style=f"{QUIET} italic") if told else None


def thoughts(attempt: AttemptRecord) -> str:
    """The reasoning beside the reply, or else the text before its answer; then the `reason` in the answer."""
    reply = attempt.get("reply") or {}
    beside = str(reply.get("reasoning") or "").strip()
    found = (
        beside or _MARKS.sub(" ", str(reply.get("text") or "").partition("{")[0]).strip(),
        attempt.get("reason", "").strip(),
    )
    return "\n\n".join(dict.fromkeys(filter(None, found)))


def shortened(text: str) -> str:
    """The first 60 words of a text on one line, and how many more there are."""
    words = text.split(maxsplit=_MOST_WORDS)
    told = clean(" ".join(words[:_MOST_WORDS]), _LONGEST)
    more = len(words[_MOST_WORDS].split()) if len(words) > _MOST_WORDS else 0
    return f"{told} … (+{more} words)" if more else told
