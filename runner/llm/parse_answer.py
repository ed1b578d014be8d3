"""Parser of answers: exactly one JSON object from a model's text, or the reason why there is none.

Nothing is guessed: not from prose, not from text that was cut off, not when two answers differ. The whole text is tried first,
then the text without reasoning, then each balanced object in it; only a complete answer is repaired. Last comes what models
write instead of JSON where it is unmistakable: calls in XML, drafts in blocks of their own, full-width punctuation.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, chain
from typing import NamedTuple

from runner.digest import JsonObject
from runner.llm.strict_json import Unreadable, each_text, repaired_object, strict_object, strict_value, without_surrogates

_NAME = r"[\w:.|-]{0,30}(?:think|thought|reason|reflect|scratchpad)[\w:.|-]{0,30}"
THOUGHT_BEGINS = rf"<(?!\|?end){_NAME}(?:\s[^<>]{{0,200}})?>|\[THINK\]|◁think▷"
THOUGHT_ENDS = rf"<(?:/|(?=\|?end)){_NAME}\s*>|\[/THINK\]|◁/think▷"
"""Patterns of the tags around reasoning inside the text."""

_LEADING = re.compile(
    rf"\s*(?:<(?P<name>[a-z][\w:.-]{{0,60}})(?:\s[^<>]{{0,200}})?>(?P<inside>.*?)</(?P=name)\s*>"
    rf"|<unused\d+>(?P<unused>.*?)<unused\d+>|(?:{THOUGHT_BEGINS})(?P<thought>.*?)(?:{THOUGHT_ENDS}))",
    re.IGNORECASE | re.DOTALL,
)
_NO_THOUGHTS = re.compile(
    r"answer|final|respon|result|output|json|tool|function|call|invoke|action|move|decision|code|xml", re.IGNORECASE
)
"""Names of tags around an answer."""

_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>(.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
_CHANNEL_MARK = "<|channel|>"
_ENVELOPE = {"name", "arguments", "parameters", "id", "type", "function"}


def _spoken(text: str) -> tuple[str, bool]:
    """The text of harmony's channels except analysis, and whether there are channels."""
    start, brace = text.find(_CHANNEL_MARK), text.find("{")
    if start < 0 or 0 <= brace < start:
        return text, False
    return "\n".join(part for channel, part in _CHANNEL.findall(text) if channel != "analysis"), True


def leading_thought(text: str) -> tuple[str, str] | None:
    """The block between a pair of tags that a text begins with, and the text behind it; None without one. Whatever the tags are
    called, such a block is thought, unless their name is that of an answer."""
    block = _LEADING.match(text)
    if block is None or _NO_THOUGHTS.search(block["name"] or ""):
        return None
    return (block["inside"] or block["unused"] or block["thought"] or "").strip(), text[block.end() :]


def _arguments_of(data: dict[str, object]) -> dict[str, object]:
    """The arguments of a tool call that is written as text, else the object itself."""
    inner = data.get("function") if isinstance(data.get("function"), dict) else data
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str) or not data.keys() <= _ENVELOPE:
        return data
    given = inner.get("arguments", inner.get("parameters"))
    if isinstance(given, str):
        given = strict_value(given)
    return given if isinstance(given, dict) else data


_MOST_OBJECTS = 32
_OBJECT_BEGINS = r"\{\s*(?:[\"'“”‘’][^\n]{0,200}?[\"'“”‘’]\s*:|[A-Za-z_]\w*\s*:|//|/\*|#|\})"
_MARK = re.compile(rf"(?P<thought>{THOUGHT_BEGINS})|(?P<end>{THOUGHT_ENDS})|(?P<object>{_OBJECT_BEGINS})", re.IGNORECASE)
_THOUGHT_BEGINS = re.compile(rf"\s*(?:{THOUGHT_BEGINS})", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(THOUGHT_ENDS, re.IGNORECASE)
_OBJECT = re.compile(_OBJECT_BEGINS)
_STRING_OR_BRACE = re.compile(r'\\.|["{}]', re.DOTALL)


class ParsedAnswer(NamedTuple):
    """The data of an answer. `is_repaired`: its text was not quite JSON."""

    data: dict[str, object]
    is_repaired: bool = False


def _scan(text: str) -> tuple[list[ParsedAnswer], str, bool]:
    """The objects of a text in their order, the text outside of objects and reasoning, and whether there is reasoning. Raises
    Unreadable for an object that is not closed or cannot be repaired, and for too many."""
    found: list[ParsedAnswer] = []
    rest: list[str] = []
    position, has_thoughts = 0, False
    while (mark := _MARK.search(text, position)) is not None:
        rest.append(text[position : mark.start()])
        closing = mark if mark["end"] else _THOUGHT_ENDS.search(text, mark.start())
        if mark["object"]:
            try:
                answer, position = _object_at(text, mark.start())
            except Unreadable:
                if closing is None:
                    raise
            else:
                found.append(answer)
                if len(found) > _MOST_OBJECTS:
                    raise Unreadable("ambiguous", f"the answer holds more than {_MOST_OBJECTS} JSON objects")
                continue
        has_thoughts, position = True, len(text) if closing is None else closing.end()
        if not mark["thought"]:  # all text so far was reasoning whose opening tag was in the prompt's template
            found.clear()
            rest.clear()
    return found, "".join((*rest, text[position:])), has_thoughts


def _object_at(text: str, start: int) -> tuple[ParsedAnswer, int]:
    strict = strict_object(text, start)
    if strict is not None:
        return ParsedAnswer(strict[0]), strict[1]
    end = _balanced_end(text, start)
    if end is None:
        raise Unreadable("unfinished", "the answer's JSON object is not closed")
    return ParsedAnswer(repaired_object(text[start:end]), is_repaired=True), end


def _balanced_end(text: str, start: int) -> int | None:
    """Where the braces opened here close, None if never. Where an odd quote hides the end, only that of the text counts."""
    end = _closing(text, start, heeds_strings=True)
    if end is not None:
        return end
    end = _closing(text, start, heeds_strings=False)
    return end if end is not None and not text[end:].strip("` \n\r\t") else None


def _closing(text: str, start: int, heeds_strings: bool) -> int | None:
    depth, in_string = 0, False
    for token in _STRING_OR_BRACE.finditer(text, start):
        mark = token[0]
        if mark == '"':
            in_string = heeds_strings and not in_string
        elif mark in "{}" and not in_string:
            depth += 1 if mark == "{" else -1
            if depth == 0:
                return token.end()
    return None


_KINDS: dict[object, type | tuple[type, ...]] = {"string": str, "integer": int, "number": (int, float), "boolean": bool}


def fits(data: Mapping[str, object], schema: JsonObject) -> bool:
    """Whether an object, or the one that it wraps, has all required fields with values of their enums or types. Letter case,
    blanks and punctuation of text do not matter here: the game reads them as leniently."""
    fields, required = schema.get("properties"), schema.get("required", ())
    if not (isinstance(fields, Mapping) and isinstance(required, (list, tuple))):
        return False
    if all(name in data and _is_value(data[name], fields.get(name)) for name in required):
        return True
    inner = next(iter(data.values())) if len(data) == 1 else None
    return isinstance(inner, Mapping) and fits(inner, schema)


def _is_value(value: object, field: object) -> bool:
    if not isinstance(field, Mapping):
        return True
    if isinstance(field.get("enum"), list):
        return isinstance(value, (str, int)) and _plain(value) in map(_plain, field["enum"])
    kind = _KINDS.get(field.get("type"))
    return kind is None or isinstance(value, kind)


def _plain(value: object) -> str:
    text = str(value).casefold()
    return "".join(filter(str.isalnum, text)) or text


LARGEST = 64 * 1024
"""Maximum characters of an answer."""

DEEPEST = 64
"""Maximum depth of open brackets."""

_BRACKETS = re.compile(r"[\[{}\]]")
_REFUSAL = re.compile(
    r"\W*(?:i['’]?m (?:really |very )?sorry|i am sorry|sorry\b|i (?:can(?:no|['’])t|won['’]t|am unable|am not able)"
    r"|i must decline|as an ai\b)",
    re.IGNORECASE,
)


def extract(text: str, schema: JsonObject | None = None, *, is_complete: bool = True) -> ParsedAnswer:
    """The one object of an answer. Raises Unreadable, and nothing else. With a schema, objects that do not fit it do not count
    beside those that do. `is_complete` is False for text that may be cut off; then the whole text has to be one object."""
    if len(text) > LARGEST:
        raise Unreadable("too_long", f"the answer has {len(text)} characters, more than the {LARGEST} that are read")
    text = without_surrogates(text).lstrip("\ufeff").strip()
    depths = accumulate(1 if bracket in "[{" else -1 for bracket in _BRACKETS.findall(text))
    if max(depths, default=0) > DEEPEST:
        raise Unreadable("too_deep", f"the answer nests more than {DEEPEST} levels deep")
    direct = _whole_object(text)
    if direct is not None:
        return _finished(ParsedAnswer(direct), text, schema)
    if not is_complete:
        raise Unreadable("unfinished", "the answer is not whole")
    first, why = None, list[Unreadable]()
    for said in chain((text,), _plainer(text)):
        try:
            answer = _finished(_found(said, schema), said, schema)
        except Unreadable as error:
            why.append(error)
            continue
        answer = answer if said is text else answer._replace(is_repaired=True)
        if schema is None or fits(answer.data, schema):
            return answer
        first = first or answer
    if first is None:
        raise why[0]
    return first


def _found(text: str, schema: JsonObject | None) -> ParsedAnswer:
    """The one object in a text that may hold others, and reasoning."""
    said, in_channels = _spoken(text)
    found, rest, has_thoughts = _scan(said)
    if len(found) > 1 and schema is not None:
        found = [one for one in found if fits(_arguments_of(one.data), schema)] or found
    return _only(found, rest, in_channels or has_thoughts)


def _finished(answer: ParsedAnswer, text: str, schema: JsonObject | None) -> ParsedAnswer:
    data = _arguments_of(answer.data)
    if schema is not None and fits(data, schema):  # with one wrapper, which games take off, at most
        while isinstance(inner := _wrapped(data), dict) and isinstance(_wrapped(inner), dict):
            data = inner
    return ParsedAnswer(each_text(data, without_surrogates) if "\\u" in text else data, answer.is_repaired)


def _wrapped(data: dict[str, object]) -> object:
    return next(iter(data.values())) if len(data) == 1 else None


_BEFORE_ANSWER = re.compile(
    r"\s*(?:analysis.*assistant(?:final|commentary)|<\|channel>.*<channel\|>"
    r"|here is my thought process.*here is my response:?)",
    re.IGNORECASE | re.DOTALL,
)
"""Reasoning that leaked into the text, as gpt-oss, Gemma and Granite mark it, up to the last mark before the answer."""

_VALUE = r"\s*([^<]*(?:<(?!/?(?:[\w-]+:)?(?:parameter|arg_))[^<]*)*)</"
_ARGUMENT = re.compile(
    rf"(?:<(?:[\w-]+:)?parameter(?:=|\s+name=)[\"']?([\w.-]+)[^<>]{{0,80}}>|<arg_key>\s*([\w.-]+)\s*</arg_key>\s*<arg_value>){_VALUE}"
)
"""An argument of a call in XML, as Qwen3-Coder, Claude and GLM write it."""

_WIDE = dict(zip("｛｝［］：，", "{}[]:,", strict=True))
_WIDE_OR_STRING = re.compile(r'"(?:\\.|[^"\\])*"|＂([^＂]*)＂|[｛｝［］：，]')
_BLOCK = re.compile(r"<(?P<name>[a-z][\w:.-]{0,60})(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_MOST_BLOCKS = 64


def _plainer(text: str) -> Iterator[str]:
    """The text as other words for it that the parser reads, where it means one thing only."""
    if (thought := _BEFORE_ANSWER.match(text)) is not None:
        yield text[thought.end() :]
    said = (leading_thought(text) or ("", text))[1]
    given = [(one[1] or one[2], one[3].strip()) for one in _ARGUMENT.finditer(said)]
    if given and len({*given}) == len(dict(given)):
        yield json.dumps({name: strict_value(value) if value[:1] in ("[", "{") else value for name, value in given})
    if not _WIDE.keys().isdisjoint(said):
        yield _WIDE_OR_STRING.sub(_narrow, said)
    yield _outside_blocks(said)
    head, _, last = text.rpartition("\n{")
    if _THOUGHT_BEGINS.match(text) and not (_THOUGHT_ENDS.search(text) or _OBJECT.search(head)):
        yield "{" + last


def _narrow(found: re.Match[str]) -> str:
    return f'"{found[1]}"' if found[1] is not None else _WIDE.get(found[0], found[0])


def _outside_blocks(text: str) -> str:
    """The text without the blocks between tags of the same name, those with the name of an answer excepted."""
    kept, position = list[str](), 0
    for _ in range(_MOST_BLOCKS):
        if (begin := _BLOCK.search(text, position)) is None:
            break
        end = -1 if _NO_THOUGHTS.search(begin["name"]) else text.find(f"</{begin['name']}", begin.end())
        kept.append(text[position : begin.end() if end < 0 else begin.start()])
        position = begin.end() if end < 0 else text.find(">", end) + 1 or len(text)
    return "".join((*kept, text[position:]))


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
    distinct = {json.dumps(answer.data, sort_keys=True) for answer in found}
    if len(distinct) > 1:
        raise Unreadable("ambiguous", f"the answer holds {len(distinct)} different JSON objects instead of one")
    if found:
        return found[0]
    rest = rest.strip()
    if _REFUSAL.match(rest):
        raise Unreadable("refused", "the answer is a refusal")
    if rest:
        raise Unreadable("no_object", "the answer holds no JSON object")
    if has_thoughts:
        raise Unreadable("reasoning_only", "the answer holds thoughts but no answer after them")
    raise Unreadable("empty", "the answer is empty")
