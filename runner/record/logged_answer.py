"""Logged answers: whether the answer in an attempt is what the reader of answers gives for the reply beside it."""

from __future__ import annotations

from collections.abc import Iterator, Set

from games.core import quoted
from runner.agents.own_fields import NOTES, REASON, SAY, in_words, taken_off
from runner.agents.talk import clean_line
from runner.match.records import AttemptRecord


def unread(attempt: AttemptRecord, can_talk: bool) -> str | None:
    """Why a model's valid answer is not that of its reply, in words; None when it is, or when no model answered.

    `can_talk`: the model may say something with its answer.
    """
    reply = attempt.get("reply")
    if not reply or "form" not in attempt:
        return None
    answer, own = attempt["answer"], {name for name in (REASON, NOTES) if name in attempt}
    said = attempt.get("reason", ""), attempt.get("say", "")
    readings = _readings(reply.get("text", ""), own | ({SAY} if can_talk else set()))
    if any(reading == (answer, *said) for reading in readings):
        return None
    return f"seat {attempt['seat']} answers {quoted(answer)} by the log, and its reply says something else"


def _readings(text: str, own: Set[str]) -> Iterator[tuple[dict[str, object], str, str]]:
    """What the text of a reply says, as text that the model has ended, and as text that may be cut off: answer, reason, talk.

    A game may have fields of its own with these names.
    """
    from runner.llm.parse_answer import extract
    from runner.llm.strict_json import Unreadable

    for is_complete in (True, False):
        try:
            data = extract(text, is_complete=is_complete).data
        except Unreadable:
            continue
        for names in (own, own - {SAY}):
            bare, said = taken_off(data, names)
            yield bare, in_words(said.get(REASON)), clean_line(said.get(SAY))
