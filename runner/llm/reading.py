"""Reading an answer: exactly one JSON object out of what a model said, or a reason why not.

Nothing is guessed: not from prose, not from text that was cut off, not when two objects differ (shared order of
extraction: whole text, then reasoning stripped, then balanced objects; repair last and only of complete answers).
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from runner.llm import unwrapping
from runner.llm.repairing import repaired_object
from runner.llm.strict_json import Unreadable, strict_object, strict_value

LARGEST = 64 * 1024
"""Letters an answer may have (catalogue row 49)."""

DEEPEST = 64
"""Brackets that may be open at once."""

_MOST_CANDIDATES = 32
_BRACKETS = re.compile(r"[\[{}\]]")
_LIKE_AN_OBJECT = re.compile(r"\{\s*(?:[\"'“”‘’][^\n]{0,200}?[\"'“”‘’]\s*:|[A-Za-z_]\w*\s*:|//|/\*|#|\})")
_REFUSAL = re.compile(
    r"\W*(?:i['’]?m (?:really |very )?sorry|i am sorry|sorry\b|i (?:can(?:no|['’])t|won['’]t|am unable|am not able)"
    r"|i must decline|as an ai\b)",
    re.IGNORECASE,
)

__all__ = ["Reading", "Unreadable", "extract"]


class Reading(NamedTuple):
    """The answer's data. `is_repaired` says that it was not quite JSON (catalogue row 40)."""

    data: dict[str, Any]
    is_repaired: bool = False


def extract(text: str, *, is_complete: bool = True) -> Reading:
    """The one object a model answered with. Raises Unreadable, and nothing else.

    `is_complete` is False for text whose end is in doubt: then only a text that is one whole object will do.
    """
    if len(text) > LARGEST:
        raise Unreadable("too_long", f"the answer has {len(text)} characters, more than the {LARGEST} that are read")
    text = unwrapping.whole(text)
    _check_depth(text)
    direct = _whole_object(text)
    if direct is not None:
        return Reading(direct)
    if not is_complete:
        raise Unreadable("unfinished", "the answer is not whole")
    said = unwrapping.said(text)
    if not said.strip():
        raise _nothing(text)
    return _only(_candidates(said), said)


def _check_depth(text: str) -> None:
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise Unreadable("too_deep", f"the answer nests more than {DEEPEST} levels deep")


def _whole_object(text: str) -> dict[str, Any] | None:
    """The object that is the whole text, also as the only item of a list or inside a string (catalogue row 42)."""
    value = strict_value(text)
    if isinstance(value, str):
        value = strict_value(value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return unwrapping.arguments_of(value) if isinstance(value, dict) else None


def _nothing(text: str) -> Unreadable:
    if text.strip():
        return Unreadable("reasoning_only", "the answer holds thoughts but no answer after them")
    return Unreadable("empty", "the answer is empty")


def _only(found: list[Reading], text: str) -> Reading:
    if not found:
        if _REFUSAL.match(text):
            raise Unreadable("refused", "the answer is a refusal")
        raise Unreadable("no_object", "the answer holds no JSON object")
    distinct = {json.dumps(reading.data, sort_keys=True) for reading in found}
    if len(distinct) > 1:
        raise Unreadable("ambiguous", f"the answer holds {len(distinct)} different JSON objects instead of one")
    return found[0]


def _candidates(text: str) -> list[Reading]:
    found: list[Reading] = []
    position = 0
    while (start := _LIKE_AN_OBJECT.search(text, position)) is not None:
        if len(found) >= _MOST_CANDIDATES:
            raise Unreadable("ambiguous", f"the answer holds more than {_MOST_CANDIDATES} JSON objects")
        reading, position = _candidate(text, start.start())
        found.append(reading)
    return found


def _candidate(text: str, start: int) -> tuple[Reading, int]:
    """The object that begins here, and where it ends."""
    strict = strict_object(text, start)
    if strict is not None:
        return Reading(unwrapping.arguments_of(strict[0])), strict[1]
    end = _balanced_end(text, start)
    if end is None:
        raise Unreadable("unfinished", "the answer's JSON object is not closed")
    return Reading(unwrapping.arguments_of(repaired_object(text[start:end])), is_repaired=True), end


def _balanced_end(text: str, start: int) -> int | None:
    """Where the braces opened here are closed, None when they are not."""
    end = _closing(text, start, heeds_strings=True)
    if end is not None:
        return end
    end = _closing(text, start, heeds_strings=False)
    return end if end is not None and not text[end:].strip("` \n\r\t") else None


_TOKENS = re.compile(r'\\.|["{}]', re.DOTALL)


def _closing(text: str, start: int, heeds_strings: bool) -> int | None:
    depth, in_string = 0, False
    for token in _TOKENS.finditer(text, start):
        mark = token[0]
        if mark == '"':
            in_string = heeds_strings and not in_string
        elif mark in "{}" and not in_string:
            depth += 1 if mark == "{" else -1
            if depth == 0:
                return token.end()
    return None
