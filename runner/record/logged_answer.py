"""Logged answers: whether the answer in an attempt is what the reader of answers gives for the reply beside it."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import quoted
from runner.agents.settings import NOTES
from runner.match.records import AttemptRecord


def unread(attempt: AttemptRecord) -> str | None:
    """Why a model's valid answer is not that of its reply, in words; None when it is, or when no model answered."""
    reply = attempt.get("reply")
    if not reply or "form" not in attempt:
        return None
    answer = attempt["answer"]
    if any(data == answer for data in _readings(reply.get("text", ""), has_notes="notes" in attempt)):
        return None
    return f"seat {attempt['seat']} answers {quoted(answer)} by the log, and its reply says something else"


def _readings(text: str, has_notes: bool) -> Iterator[dict[str, object]]:
    """What the text of a reply says: as text that the model has ended, and as text that may be cut off."""
    from runner.llm.parse_answer import extract
    from runner.llm.strict_json import Unreadable

    for is_complete in (True, False):
        try:
            data = dict(extract(text, is_complete=is_complete).data)
        except Unreadable:
            continue
        if has_notes:
            data.pop(NOTES, None)
        yield data
