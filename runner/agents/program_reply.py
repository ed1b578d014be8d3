"""Program reply: a line of a program, read strictly as the answer to one question."""

from __future__ import annotations

from typing import NamedTuple

from runner.agents.own_fields import REASON, SAY, in_words
from runner.agents.protocol import Given, Mistake
from runner.llm.strict_json import Unreadable, strict_value

_SHOWN = 4000
"""Characters of an invalid line that the log keeps."""

_DEEPEST = 32
"""Nesting of lists and objects in an answer."""

_FORM = 'a line has to be {"number": %d, "answer": {...}}'


class Ignored(NamedTuple):
    """A line that does not count: a blank one, or a reply to an older question."""

    number: int | None


def read_reply(line: bytes, number: int) -> Given | Ignored:
    """The answer or the mistake in a line, for the question of this number."""
    if not line.strip():
        return Ignored(None)
    text = line.decode("utf-8", "replace")
    try:
        found = strict_value(text)
        line.decode("utf-8")
    except Unreadable as error:
        return _mistake("unreadable", text, error.why)
    except UnicodeDecodeError:
        return _mistake("unreadable", text, f"the line is not text in UTF-8; {_FORM % number}")
    if not isinstance(found, dict):
        what = "is not JSON" if found is None else f"is no JSON object but a {type(found).__name__}"
        return _mistake("unreadable", text, f"the line {what}; {_FORM % number}")
    return _read_object(found, text, number)


def _read_object(found: dict[str, object], text: str, number: int) -> Given | Ignored:
    given = found.get("number")
    if type(given) is not int:
        return _mistake("unreadable", text, f"the line has no number of a question; {_FORM % number}")
    if given < number:
        return Ignored(given)
    if given > number:
        return _mistake("wrong_number", text, f"the line answers question {given}, but question {number} is asked")
    if "answer" not in found:
        return _mistake("unreadable", text, f"the line has no answer; {_FORM % number}")
    try:
        check_depth(found["answer"])
    except Unreadable as error:
        return _mistake(error.kind, text, error.why)
    say = found.get(SAY)
    return Given(
        found["answer"], text=text[:_SHOWN], say=say if isinstance(say, str) else "", reason=in_words(found.get(REASON))
    )


def _mistake(kind: str, text: str, why: str) -> Given:
    shown = text[:_SHOWN]
    return Given(mistake=Mistake(kind, shown, why), text=shown, facts={"reply": {"text": shown}})


def check_depth(answer: object) -> None:
    """Unreadable for answer data that is nested too deeply."""
    level = [answer]
    for _ in range(_DEEPEST):
        level = [part for whole in level for part in _parts(whole)]
    if level:
        raise Unreadable("unreadable", f"the answer is nested more than {_DEEPEST} levels deep")


def _parts(whole: object) -> list[object]:
    if isinstance(whole, dict):
        return list(whole.values())
    return whole if isinstance(whole, list) else []
