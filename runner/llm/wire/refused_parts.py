"""Refused parts: what an error says about the parts of a request, by its fields first, then by its names, then by its words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from runner.digest import JsonObject
from runner.llm.budget import estimated_tokens
from runner.llm.outcome import UNEXPLAINED, Refused, ReplyRoom
from runner.llm.request import SMALLEST_REPLY
from runner.llm.wire.error_object import ErrorObject

FORM_FIELDS = ("tool_choice", "tools", "response_format")
TOKEN_FIELDS = ("max_tokens", "max_completion_tokens")
PINNED = {"provider", "plugins", "models", "route", "transforms", "store"}
"""Fields that pin providers or say how data may be used."""

KEPT = {"model", "messages", "stream", *PINNED, *FORM_FIELDS, *TOKEN_FIELDS}
"""Never left out: the question itself, and what is pinned."""

_BOUND, _SYSTEM, _FORM, _REASONING, _MODEL = "(bound)", "(system)", "(form)", "(reasoning)", "(model)"
"""Parts of a request that no field of it stands for alone."""

_NAMES = {
    "tool_choice": "tool_choice function_call tool_config function_calling_config function_calling_mode",
    "tools": "tools tool functions function function_declarations tool_calls",
    "response_format": "response_format json_schema json_object structured_output structured_outputs output_format grammar"
        " output_schema format response_schema response_json_schema response_mime_type response_mimetype guided_json"
        " guided_decoding json_mode text_format output_config",
    _BOUND: "max_tokens max_completion_tokens max_output_tokens max_new_tokens max_tokens_to_sample num_predict n_predict"
        " max_gen_len max_length max_token",
    _SYSTEM: "system developer role system_instruction system_prompt developer_instruction preamble",
    _REASONING: "reasoning reasoning_effort effort thinking thinking_config thinking_budget budget_tokens enable_thinking"
        " include_reasoning reasoning_format chat_template_kwargs think reasoning_budget",
    _MODEL: "model model_id deployment",
    "stop": "stop_sequences", "seed": "random_seed", "top_p": "p", "top_k": "k",
}  # fmt: skip
"""The parts of a request, and what providers behind OpenAI's format call them."""

_PART_OF = {name: part for part, names in _NAMES.items() for name in names.split()}
_SEPARATORS = re.compile(r"[^A-Za-z0-9_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _meant(places: Iterable[str], asked: JsonObject) -> set[str]:
    """The parts of the request at places such as `body.temperature`: parameters that were sent, form fields, other parts."""
    found = set()
    for place in places:
        names = [_CAMEL.sub("_", name).lower() for name in _SEPARATORS.split(place) if name]
        in_messages = names[:1] == ["messages"]
        found.add(next((part for name in names if (part := _named(name, asked, in_messages)) is not None), ""))
    return found - {""}


def _named(name: str, asked: JsonObject, in_messages: bool) -> str | None:
    part = _PART_OF.get(name, name)
    if in_messages:
        return _SYSTEM if part == _SYSTEM else None
    if (sent := next((one for one in (name, part) if one in asked and one not in KEPT), None)) is not None:
        return sent
    return form_field(asked, part) if part in FORM_FIELDS else (part if part.startswith("(") else None)


def named_apart(error: ErrorObject, asked: JsonObject) -> Iterator[str]:
    """What an error blames beside the parts to change: the `model`, by a field, or a `pinned` field that was sent."""
    if any(_MODEL in _meant([place], {}) for place in error.places):
        yield "model"
    named = {name for place in error.places for name in _SEPARATORS.split(place)}
    if (named | set(re.findall(r"['\"`](\w+)['\"`]", error.words))) & PINNED & asked.keys():
        yield "pinned"


def form_field(asked: JsonObject, wanted: str | None = None) -> str | None:
    """The field of this request that carries the form of the answer: the wanted one if it was sent; None for plain text."""
    sent = [name for name in FORM_FIELDS if name in asked]
    return wanted if wanted in sent else (sent[-1] if sent else None)


def optional_fields(asked: JsonObject) -> list[str]:
    return [name for name in asked if name not in KEPT]


def has_system(asked: JsonObject) -> bool:
    return not roles(asked).isdisjoint({"system", "developer"})


def roles(asked: JsonObject) -> set[str]:
    messages = asked.get("messages")
    return {str(message.get("role")) for message in messages} if isinstance(messages, list) else set()


_NUMBER = re.compile(r"(?<![\w.-])(\d{1,3}(?:[,_]\d{3})+|\d{1,8})(?![\w-]|[.,]\d)")
_CONTEXT = re.compile(r"\bcontext\b|\binput|\bprompt|\bmessages\b", re.IGNORECASE)
_CONTEXT_SIZE = re.compile(r"context(?:[ _-](?:length|window|size))?(?: is| of|:| =)? (\d[\d,_]*)", re.IGNORECASE)
"""The number that a sentence calls the context."""

_LEAST = re.compile(r"minimum|at least|>=|greater|below|too small|lower bound", re.IGNORECASE)
_SMALLEST_BOUND = 16
"""The smallest bound that is taken for one, in tokens."""


def bound_sent(asked: JsonObject) -> int | None:
    return next((sent for name in TOKEN_FIELDS if isinstance(sent := asked.get(name), int)), None)


def room_for_reply(error: ErrorObject, asked: JsonObject, characters: int) -> ReplyRoom | None:
    """The room for a reply to a prompt of this many characters; None where the error's numbers do not say. The prompt's tokens
    are recognised by their size: among the numbers they are the ones that this prompt may well have."""
    in_words = (_whole(found) for found in _NUMBER.findall(error.words))
    numbers = [number for number in (*error.counts, *in_words) if number not in (0, error.status)]
    sent, estimate = bound_sent(asked) or 0, estimated_tokens(characters)
    prompt, is_context = estimate + estimate // 4 + 64, _CONTEXT.search(error.words) is not None
    if is_context and (room := _beside_prompt(numbers, error.words, sent, estimate)):
        return room
    if below := [number for number in numbers if _SMALLEST_BOUND <= number < sent]:
        bound = max(below)
        if not re.search(r"\bcontext\b", error.words, re.IGNORECASE):
            return ReplyRoom(bound)
        return ReplyRoom(bound - prompt, bound, prompt) if bound - prompt >= SMALLEST_REPLY else None
    above = [number for number in numbers if number > sent]
    if above and _LEAST.search(error.words) and sent < SMALLEST_REPLY:
        return ReplyRoom(min(above))
    tight = [number for number in numbers if is_context and prompt + SMALLEST_REPLY <= number <= estimate + sent]
    return ReplyRoom(min(tight) - prompt, min(tight), prompt) if tight else None


def _whole(digits: str) -> int:
    return int(re.sub(r"[,_]", "", digits))


def _beside_prompt(numbers: Sequence[int], words: str, sent: int, estimate: int) -> ReplyRoom | None:
    """The context less the prompt, where the numbers give both, or the context and the sum of prompt and bound."""
    found = _CONTEXT_SIZE.search(words)
    named = _whole(found[1]) if found else None
    for summed in (0, sent):
        rooms = [
            ReplyRoom(context - prompt, context, prompt)
            for context, prompt in ((one, other - summed) for one, other in permutations(numbers, 2))
            if named in (None, context)
            and estimate * 2 <= prompt * 5
            and prompt <= estimate * 3 + 500
            and SMALLEST_REPLY <= context - prompt < sent
        ]
        if rooms:
            return min(rooms, key=lambda room: (abs((room.prompt or 0) - estimate), -room.bound))
    return None


_REFUSES = re.compile(
    r"unsupported|not supported|does(?: not|n't) support|unrecogni[sz]ed|unknown|not permitted|not allowed|unexpected"
    r"|invalid|literal_error|must be|should be|extra inputs|cannot|can't|not available|not implemented|no endpoints"
    r"|not enabled|may not|must alternate|requires\b"
    r"|failed to (?:parse|compile|convert|initiali[sz]e)|error (?:parsing|compiling|rendering)",
    re.IGNORECASE,
)
_WORDS = (
    (_BOUND, r"max[_ ](?:completion_|output_|new_|gen_|total_)?(?:tokens|length)|too_many_tokens|context_(?:length|window|size)"
        r"|(?:output|completion|response|reply|generated|maximum|new) tokens|token_limit"),
    (_SYSTEM, r"(?:system|developer)['\"`]?[\s_-]+(?:messages?|prompts?|instructions?)|['\"`](?:system|developer)['\"`]"
        r"|\broles?\b|start with a user"),
    ("tool_choice", r"tool[_ ]?choice|forc\w+\W+(?:\w+\W+){0,2}(?:tool|function)|(?:tool|function)\w*\W+(?:\w+\W+){0,3}forc"),
    (_FORM, r"response[_ ]?(?:format|schema)|output[_ ](?:config|format)|additional_properties|m(?:ax|in)_?(?:Length|Items)"
        r"|json[_ -]?(?:schema|object|mode|output|validate)|structured[_ -]?(?:output|generation|decoding|response)"
        r"|grammar|constrained|guided|\bschemas?\b|\btools?\b|tool[_ -]|function[_ -]call"),
)  # fmt: skip
"""What sentences and names call the parts of a request, the surest first."""

_PLACE = re.compile(r"(?<![\w.])([A-Za-z_][\w.\[\]]{1,79}):\s")
"""A field before a colon, as in `output_config.format: Extra inputs are not permitted`."""

_WORD_BEGINS = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])(?!Length)")
"""Where the words of a name begin. `maxLength` is a keyword of JSON Schema, not a bound on the reply."""

_THINKING = re.compile(r"\bthinking|\breasoning", re.IGNORECASE)
_UNKNOWN_FIELD = re.compile(
    r"unsupported_param|unknown_param|unrecognized|unknown_field|extra_forbidden|deprecated", re.IGNORECASE
)


def refused_parts(error: ErrorObject, asked: JsonObject, characters: int, is_certain: bool = True) -> Refused:
    """The parts of the request `asked`, with a prompt of this many characters, that an error names. Unless it `is_certain` that
    the error refuses the request, its words count only where they refuse."""
    sources = [_meant(error.places, asked), _in_words(error.labels, asked)]
    if is_certain or _REFUSES.search(error.words):
        leading = (place for text in error.said for place in _PLACE.findall(text))
        sources += [_meant(leading, asked), _in_words(error.said, asked)]
    return next(filter(None, (_refused(found, error, asked, characters) for found in sources)), UNEXPLAINED)


def _refused(found: set[str], error: ErrorObject, asked: JsonObject, characters: int) -> Refused:
    is_bound = _BOUND in found and bound_sent(asked) is not None
    room = room_for_reply(error, asked, characters) if is_bound else None
    other = next((name for name in TOKEN_FIELDS if name not in asked), None) if is_bound and room is None else None
    wants_other = other is not None and (other in error.words or any(map(_UNKNOWN_FIELD.search, error.labels)))
    optional = set(optional_fields(asked))
    parameters = found & optional
    if _REASONING in found and not parameters:
        parameters = {name for name in optional if _PART_OF.get(name) == _REASONING}
    return Refused(
        form=next((name for name in FORM_FIELDS if name in found and name in asked), None),
        parameters=frozenset(parameters),
        bound=is_bound,
        room=room,
        token_field=other if wants_other else None,
        system=_SYSTEM in found and has_system(asked),
    )


def _in_words(texts: Iterable[str], asked: JsonObject) -> set[str]:
    """The parts of the request that sentences or names mention: the first kind found, from the surest on."""
    text = "\n".join(texts).replace(str(asked.get("model") or "\n"), "\n")
    text = _WORD_BEGINS.sub("_", text)
    fields = {_BOUND: _BOUND, _SYSTEM: has_system(asked) and _SYSTEM, _FORM: form_field(asked)}
    for part, words in _WORDS:
        if (sent := fields.get(part, part in asked and part)) and re.search(words, text, re.IGNORECASE):
            return {sent}
    if (named := _first_named(text, asked)) is not None:
        return {named}
    if re.search(r"\bpenalt(?:y|ies)\b", text, re.IGNORECASE):
        return {name for name in optional_fields(asked) if name.endswith("_penalty")}
    return {_REASONING} if _THINKING.search(text) else set()


def _first_named(text: str, asked: JsonObject) -> str | None:
    """The parameter that a text mentions first. A name that is also a word of English has to be quoted or refused."""
    refuses = _REFUSES.search(text) or re.search(r"\bonly\b", text, re.IGNORECASE)
    places = {}
    for name in optional_fields(asked):
        spelt = re.escape(name).replace("_", "[_ -]?")
        pattern = spelt if "_" in name or refuses else rf"['\"`]{spelt}['\"`]"
        if found := re.search(rf"(?<![\w.]){pattern}(?!\w)", text, re.IGNORECASE):
            places[found.start()] = name
    return places[min(places)] if places else None
