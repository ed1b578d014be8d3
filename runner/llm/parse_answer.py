"""Parser of answers: exactly one JSON object from a model's text, or the reason why there is none.

Nothing is guessed: not from prose, not from text that was cut off, not when two answers differ. The whole text is tried first,
then the text without reasoning, then each balanced object in it; only a complete answer is repaired, and last.
"""

from __future__ import annotations

import json
import re

from runner.json_types import JsonObject
from runner.llm import strip_wrappers
from runner.llm.find_json import ParsedAnswer, Scan
from runner.llm.schema_fit import fits
from runner.llm.strict_json import Unreadable, strict_value

LARGEST = 64 * 1024
"""Maximum letters of an answer."""

DEEPEST = 64
"""Maximum depth of open brackets."""

_BRACKETS = re.compile(r"[\[{}\]]")
_REFUSAL = re.compile(
    r"\W*(?:i['’]?m (?:really |very )?sorry|i am sorry|sorry\b|i (?:can(?:no|['’])t|won['’]t|am unable|am not able)"
    r"|i must decline|as an ai\b)",
    re.IGNORECASE,
)


def extract(text: str, schema: JsonObject | None = None, *, is_complete: bool = True) -> ParsedAnswer:
    """The one object of an answer. Raises Unreadable, and nothing else.

    With a schema, objects that do not fit it do not count beside those that do. `is_complete` is False for text that may be
    cut off; then the whole text has to be one object.
    """
    if len(text) > LARGEST:
        raise Unreadable("too_long", f"the answer has {len(text)} characters, more than the {LARGEST} that are read")
    text = strip_wrappers.whole(text)
    _check_depth(text)
    direct = _whole_object(text)
    if direct is not None:
        return _finished(ParsedAnswer(direct), text)
    if not is_complete:
        raise Unreadable("unfinished", "the answer is not whole")
    said, has_thoughts = strip_wrappers.spoken(text)
    scan = Scan(said)
    found = _answers(scan.objects(), schema)
    return _finished(_only(found, scan.rest, has_thoughts or scan.has_thoughts), text)


def _answers(found: list[ParsedAnswer], schema: JsonObject | None) -> list[ParsedAnswer]:
    """The objects that fit the schema; all of them if none does."""
    if schema is None or len(found) < 2:
        return found
    return [one for one in found if fits(strip_wrappers.arguments_of(one.data), schema)] or found


def _finished(answer: ParsedAnswer, text: str) -> ParsedAnswer:
    data = strip_wrappers.arguments_of(answer.data)
    return ParsedAnswer(strip_wrappers.clean(data) if "\\u" in text else data, answer.is_repaired)


def _check_depth(text: str) -> None:
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            raise Unreadable("too_deep", f"the answer nests more than {DEEPEST} levels deep")


def _whole_object(text: str) -> dict[str, object] | None:
    """The object that is the whole text, also as the only item of a list or inside a string."""
    value = strict_value(text)
    if isinstance(value, str):
        value = strict_value(value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, dict) else None


def _only(found: list[ParsedAnswer], rest: str, has_thoughts: bool) -> ParsedAnswer:
    """The one object among those found, which may be repeated."""
    if not found:
        raise _nothing(rest.strip(), has_thoughts)
    distinct = {json.dumps(answer.data, sort_keys=True) for answer in found}
    if len(distinct) > 1:
        raise Unreadable("ambiguous", f"the answer holds {len(distinct)} different JSON objects instead of one")
    return found[0]


def _nothing(rest: str, has_thoughts: bool) -> Unreadable:
    if _REFUSAL.match(rest):
        return Unreadable("refused", "the answer is a refusal")
    if rest:
        return Unreadable("no_object", "the answer holds no JSON object")
    if has_thoughts:
        return Unreadable("reasoning_only", "the answer holds thoughts but no answer after them")
    return Unreadable("empty", "the answer is empty")
