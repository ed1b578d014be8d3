"""Refused parts: what an error says about the request, by its structured fields first, then by its names, then by its words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from runner.json_types import JsonObject
from runner.llm.refused import UNEXPLAINED, Refused
from runner.llm.wire.error_object import ErrorObject
from runner.llm.wire.request_fields import (
    TOKEN_FIELDS,
    Part,
    form_field,
    has_system,
    meant,
    optional_fields,
    reasoning_fields,
)  # fmt: skip
from runner.llm.wire.token_room import bound_sent, room_for_reply

_REFUSES = re.compile(
    r"unsupported|not supported|does(?: not|n't) support|unrecogni[sz]ed|unknown|not permitted|not allowed|unexpected"
    r"|invalid|literal_error|must be|should be|extra inputs|cannot|can't|not available|not implemented|no endpoints"
    r"|not enabled|may not|must alternate|requires\b"
    r"|failed to (?:parse|compile|convert|initiali[sz]e)|error (?:parsing|compiling|rendering)",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"response[_ ]?(?:format|schema)|output[_ ]config|additional_properties|m(?:ax|in)_?(?:Length|Items)"
    r"|json[_ -]?(?:schema|object|mode|output|validate)"
    r"|structured[_ -]?(?:output|generation|decoding|response)|output[_ ]format"
    r"|grammar|constrained|guided|\bschemas?\b|\btools?\b|tool[_ -]|function[_ -]call",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"tool[_ ]?choice|forc\w+\W+(?:\w+\W+){0,2}(?:tool|function)|(?:tool|function)\w*\W+(?:\w+\W+){0,3}forc", re.IGNORECASE
)
_SYSTEM = re.compile(
    r"(?:system|developer)['\"`]?[\s_-]+(?:messages?|prompts?|instructions?)|\broles?\b|['\"`](?:system|developer)['\"`]"
    r"|start with a user",
    re.IGNORECASE,
)
_PLACE = re.compile(r"(?<![\w.])([A-Za-z_][\w.\[\]]{1,79}):\s")
"""A field before a colon, as in `output_config.format: Extra inputs are not permitted`."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])(?!Length)")
"""Where the words of a name begin. `maxLength` is a keyword of JSON Schema, not a bound on the reply."""

_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_PENALTY = re.compile(r"\bpenalt(?:y|ies)\b", re.IGNORECASE)
_THINKING = re.compile(r"\bthinking|\breasoning", re.IGNORECASE)
_BOUND = re.compile(
    r"max[_ ](?:completion_|output_|new_|gen_|total_)?(?:tokens|length)"
    r"|(?:output|completion|response|reply|generated|maximum|new) tokens",
    re.IGNORECASE,
)
_BOUND_LABEL = re.compile(r"token_limit|max_tokens|context_length|context_window|context_size|too_many_tokens", re.IGNORECASE)
_UNKNOWN_FIELD = re.compile(
    r"unsupported_param|unknown_param|unrecognized|unknown_field|extra_forbidden|deprecated", re.IGNORECASE
)


def refused_parts(error: ErrorObject, asked: JsonObject, letters: int, is_certain: bool = True) -> Refused:
    """The parts of the request `asked`, with a prompt of this many letters, that an error names.

    Unless it `is_certain` that the error refuses the request, its words count only where they refuse.
    """
    found = {part for place in error.places if (part := meant(place, asked)) is not None}
    by_field = _refused(found, error, asked, letters)
    if by_field:
        return by_field
    by_label = _refused(_in_words(error.labels, asked), error, asked, letters)
    if by_label:
        return by_label
    if not is_certain and not _REFUSES.search(error.words):
        return UNEXPLAINED
    leading = {part for text in error.said for place in _PLACE.findall(text) if (part := meant(place, asked)) is not None}
    return _refused(leading, error, asked, letters) or _refused(_in_words(error.said, asked), error, asked, letters)


def names_model(error: ErrorObject) -> bool:
    """Whether a structured field says that the model's name is the problem."""
    return any(meant(place, {}) is Part.MODEL for place in error.places)


def _refused(found: set[str | Part], error: ErrorObject, asked: JsonObject, letters: int) -> Refused:
    """The refusal of these parts; unexplained where this request has none of them."""
    is_bound = Part.BOUND in found and bound_sent(asked) is not None
    room = room_for_reply(error, asked, letters) if is_bound else None
    names = {part for part in found if isinstance(part, str)}
    form = next((name for name in ("tool_choice", "tools", "response_format") if name in names and name in asked), None)
    parameters = names & set(optional_fields(asked))
    if Part.REASONING in found and not parameters:
        parameters = set(reasoning_fields(asked))
    return Refused(
        form=form,
        parameters=frozenset(parameters),
        bound=is_bound,
        room=room,
        token_field=_other_token_field(error, asked) if is_bound and room is None else None,
        system=Part.SYSTEM in found and has_system(asked),
    )


def _other_token_field(error: ErrorObject, asked: JsonObject) -> str | None:
    """The other name of the bound, where the error asks for it or does not know the one that was sent."""
    other = next((name for name in TOKEN_FIELDS if name not in asked), None)
    is_unknown = any(_UNKNOWN_FIELD.search(label) for label in error.labels)
    return other if other is not None and (is_unknown or other in error.words) else None


def _in_words(texts: Iterable[str], asked: JsonObject) -> set[str | Part]:
    """The parts of the request that sentences or names mention: the first kind found, from the surest on."""
    text = "\n".join(texts).replace(str(asked.get("model") or "\n"), "\n")
    text = _CAMEL.sub("_", text)
    if _BOUND.search(text) or _BOUND_LABEL.search(text):
        return {Part.BOUND}
    if _SYSTEM.search(text) and has_system(asked):
        return {Part.SYSTEM}
    if _CHOICE.search(text) and "tool_choice" in asked:
        return {"tool_choice"}
    if _FORM.search(text) and (name := form_field(asked)) is not None:
        return {name}
    if (named := _first_named(text, asked)) is not None:
        return {named}
    if _PENALTY.search(text):
        return {name for name in optional_fields(asked) if name.endswith("_penalty")}
    return {Part.REASONING} if _THINKING.search(text) else set()


def _first_named(text: str, asked: JsonObject) -> str | None:
    """The parameter that a text mentions first. A name that is also a word of English has to be quoted or refused."""
    refuses = any(pattern.search(text) for pattern in (_REFUSES, _ONLY))
    places = {}
    for name in optional_fields(asked):
        spelt = re.escape(name).replace("_", "[_ -]?")
        pattern = spelt if "_" in name or refuses else rf"['\"`]{spelt}['\"`]"
        if found := re.search(rf"(?<![\w.]){pattern}(?!\w)", text, re.IGNORECASE):
            places[found.start()] = name
    return places[min(places)] if places else None
