"""Refusals: the outcome of every error of an endpoint, by a table (refusals.toml) of its status, what it says, and what that
means; and the parts of a request that an error names, by its fields first, then by its names, then by its words."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import NamedTuple

from runner.digest import JsonObject
from runner.files import read_toml
from runner.llm.budget import estimated_tokens
from runner.llm.outcome import (
    UNEXPLAINED,
    Configuration,
    Delivered,
    Infrastructure,
    ModelMistake,
    ModelReply,
    Outcome,
    Refused,
    ReplyRoom,
    Scope,
)
from runner.llm.request import SMALLEST_REPLY
from runner.llm.strict_json import mapping
from runner.llm.wire.error_object import ErrorObject, moment, parse_error, soon
from runner.llm.wire.exchange import (
    FORM_FIELDS,
    KEPT,
    PINNED,
    TOKEN_FIELDS,
    Exchange,
    amounts,
    bound_sent,
    form_field,
    has_system,
    optional_fields,
    roles,
)

_TABLES = read_toml(files(__package__).joinpath("refusals.toml").read_text("utf-8"))
_STOPS: Mapping[str, Scope] = _TABLES["stops"]
_HOLDS: Mapping[str, Scope] = _TABLES["holds"]
SENTENCES: Mapping[str, str] = _TABLES["sentences"]
MISTAKES: Mapping[str, str] = _TABLES["mistakes"]
"""What people are told of a kind that ends a call, and of a mistake of a model."""

_PATTERNS: dict[str, str] = {}
for _name, _text in _TABLES["patterns"].items():
    _PATTERNS[_name] = re.sub("<([a-z_]+)>", lambda found: _PATTERNS[found[1]], _text.replace("\n", ""))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """A pattern of the table, in which `<name>` stands for another one."""
    whole = re.sub("<([a-z_]+)>", lambda found: _PATTERNS[found[1]], text.replace("\n", ""))
    return re.compile(whole, re.IGNORECASE | re.MULTILINE)


def _says(name: str, text: str) -> re.Match[str] | None:
    """Where a text says what the pattern of this name in the table looks for."""
    return _pattern(_PATTERNS[name]).search(text)


_BOUND, _SYSTEM, _FORM, _REASONING, _MODEL = "(bound)", "(system)", "(form)", "(reasoning)", "(model)"
"""Parts of a request that no field of it stands for alone."""

_PART_OF = {name: part for part, names in _TABLES["names"].items() for name in names.split()}
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


_NUMBER = re.compile(r"(?<![\w.-])(\d{1,3}(?:[,_]\d{3})+|\d{1,8})(?![\w-]|[.,]\d)")
_SMALLEST_BOUND = 16
"""The smallest bound that is taken for one, in tokens."""


def room_for_reply(error: ErrorObject, asked: JsonObject, characters: int) -> ReplyRoom | None:
    """The room for a reply to a prompt of this many characters; None where the error's numbers do not say. The prompt's tokens
    are recognised by their size: among the numbers they are the ones that this prompt may well have."""
    in_words = (_whole(found) for found in _NUMBER.findall(error.words))
    numbers = [number for number in (*error.counts, *in_words) if number not in (0, error.status)]
    sent, estimate = bound_sent(asked) or 0, estimated_tokens(characters)
    prompt, is_context = estimate + estimate // 4 + 64, _says("context", error.words) is not None
    if is_context and (room := _beside_prompt(numbers, error.words, sent, estimate)):
        return room
    if below := [number for number in numbers if _SMALLEST_BOUND <= number < sent]:
        bound = max(below)
        if not re.search(r"\bcontext\b", error.words, re.IGNORECASE):
            return ReplyRoom(bound)
        return ReplyRoom(bound - prompt, bound, prompt) if bound - prompt >= SMALLEST_REPLY else None
    above = [number for number in numbers if number > sent]
    if above and _says("least", error.words) and sent < SMALLEST_REPLY:
        return ReplyRoom(min(above))
    tight = [number for number in numbers if is_context and prompt + SMALLEST_REPLY <= number <= estimate + sent]
    return ReplyRoom(min(tight) - prompt, min(tight), prompt) if tight else None


def _whole(digits: str) -> int:
    return int(re.sub(r"[,_]", "", digits))


def _beside_prompt(numbers: Sequence[int], words: str, sent: int, estimate: int) -> ReplyRoom | None:
    """The context less the prompt, where the numbers give both, or the context and the sum of prompt and bound."""
    found = _says("context_size", words)
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


_PLACE = re.compile(r"(?<![\w.])([A-Za-z_][\w.\[\]]{1,79}):\s")
"""A field before a colon, as in `output_config.format: Extra inputs are not permitted`."""

_WORD_BEGINS = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])(?!Length)")
"""Where the words of a name begin. `maxLength` is a keyword of JSON Schema, not a bound on the reply."""


def refused_parts(error: ErrorObject, asked: JsonObject, characters: int, is_certain: bool = True) -> Refused:
    """The parts of the request `asked`, with a prompt of this many characters, that an error names. Unless it `is_certain` that
    the error refuses the request, its words count only where they refuse."""
    sources = [_meant(error.places, asked), _in_words(error.labels, asked)]
    if is_certain or _says("refuses", error.words):
        leading = (place for text in error.said for place in _PLACE.findall(text))
        sources += [_meant(leading, asked), _in_words(error.said, asked)]
    return next(filter(None, (_refused(found, error, asked, characters) for found in sources)), UNEXPLAINED)


def _refused(found: set[str], error: ErrorObject, asked: JsonObject, characters: int) -> Refused:
    is_bound = _BOUND in found and bound_sent(asked) is not None
    room = room_for_reply(error, asked, characters) if is_bound else None
    other = next((name for name in TOKEN_FIELDS if name not in asked), None) if is_bound and room is None else None
    wants_other = other is not None and (other in error.words or any(_says("unknown_field", label) for label in error.labels))
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
    for part, words in _TABLES["words"].items():
        if (sent := fields.get(part, part in asked and part)) and _pattern(words).search(text):
            return {sent}
    if (named := _first_named(text, asked)) is not None:
        return {named}
    if re.search(r"\bpenalt(?:y|ies)\b", text, re.IGNORECASE):
        return {name for name in optional_fields(asked) if name.endswith("_penalty")}
    return {_REASONING} if _says("thinking", text) else set()


def _first_named(text: str, asked: JsonObject) -> str | None:
    """The parameter that a text mentions first. A name that is also a word of English has to be quoted or refused."""
    refuses = _says("refuses", text) or re.search(r"\bonly\b", text, re.IGNORECASE)
    places = {}
    for name in optional_fields(asked):
        spelt = re.escape(name).replace("_", "[_ -]?")
        pattern = spelt if "_" in name or refuses else rf"['\"`]{spelt}['\"`]"
        if found := re.search(rf"(?<![\w.]){pattern}(?!\w)", text, re.IGNORECASE):
            places[found.start()] = name
    return places[min(places)] if places else None


_HOUR = 3600.0
_VAGUE = (400, 403, 422, 500)
"""Statuses that servers also use for what others give a status of its own."""


class _Case(NamedTuple):
    """An error, the exchange in which it came, and the reply beside it."""

    error: ErrorObject
    exchange: Exchange
    reply: ModelReply
    document: JsonObject

    def ends(self, kind: str, until: float | None = None, wait: float | None = None) -> Outcome:
        """The outcome of this kind: a stop, or else a failure, which holds other calls for as long as it says."""
        if kind in _STOPS:
            return Configuration(kind, self.error.sentence, _STOPS[kind], self.reply, until)
        wait = self.error.wait if wait is None else wait
        holds = _HOLDS.get(kind, "match" if wait is None else "model")
        return Infrastructure(kind, self.error.sentence, wait, self.reply, holds)

    def change(self, refused: Refused) -> Outcome:
        """A refusal after which a changed request may be accepted."""
        return Configuration(refused.kind, self.error.sentence, "model" if refused else "match", self.reply, refused=refused)

    def parts(self, is_certain: bool = True) -> Refused:
        return refused_parts(self.error, self.exchange.body, self.exchange.prompt_characters, is_certain)


def refusal(document: object, status: int, exchange: Exchange, reply: ModelReply | None = None) -> Outcome:
    """The outcome of an error in a body of any shape: that of the first row about its status that finds what it looks for."""
    error = parse_error(document, status, exchange.headers, exchange.now)
    case, text = _Case(error, exchange, reply or exchange.blank_reply, mapping(document)), _marked(error, exchange.body)
    status = error.status
    if status in _VAGUE:
        status = 429 if _says("rate", text) else 503 if _says("busy", text) else status
    meant = (means for statuses, pattern, means in _ROWS if status in statuses and pattern.search(text))
    found = (_ACTS[means](case) if means.startswith("@") else case.ends(means) for means in meant)
    return next(outcome for outcome in found if outcome is not None)


def _marked(error: ErrorObject, asked: JsonObject) -> str:
    """All that an error says, a line each: `!` before what its parts say, `=` names that the endpoint gives, `:` all names,
    also the provider's, `@` facts of its metadata, `#` fields of the request; its sentences come last."""
    facts = {**error.metadata, **error.availability}
    marks = (
        "!now" if error.wait is None else "!wait",
        *(f"!{name}" for name in named_apart(error, asked)),
        *(f"={name}" for name in error.names),
        *(f":{label}" for label in error.labels),
        *(f"@{name}={facts[name]}" if isinstance(facts[name], bool) else f"@{name}" for name in facts),
        *(f"#{place}" for place in error.places),
    )
    return "\n".join((*marks, " ".join(error.message.split())))


def _written(case: _Case) -> Outcome | None:
    """What the model wrote, where the error quotes it: that is the answer, complete or not."""
    if (text := case.error.generation) is None:
        return None
    usage, cost, source = amounts(case.document, case.exchange, (text,))
    return Delivered(replace(case.reply, text=text, usage=usage, cost=cost, cost_source=source))


def _sized(case: _Case) -> Outcome | None:
    """A request that exceeds a limit by its size, whenever it is sent: with less room for the reply it may fit."""
    found = _says("size", case.error.message)
    limit, requested = (int(number.replace(",", "")) for number in found.groups()) if found else (0, 0)
    if requested <= limit:
        return None
    prompt = requested - (case.exchange.bound or 0)
    room = limit - (prompt if prompt > 0 else requested)
    if room < SMALLEST_REPLY:
        return case.ends("context_length")
    return case.change(Refused(bound=True, room=ReplyRoom(room, limit, prompt)))


def _affordable(case: _Case) -> Outcome | None:
    found = _says("afford", case.error.message)
    if found is None or not SMALLEST_REPLY <= int(found[1]) < (case.exchange.bound or 0):
        return None
    return case.change(Refused(bound=True, room=ReplyRoom(int(found[1]))))


def _limited(case: _Case) -> Outcome:
    """A limit: on money, which only the account ends, on a day, or on a rate, where waiting is all."""
    error, now = case.error, case.exchange.now
    words = "\n".join((error.words, *error.labels))
    is_spent = any(re.fullmatch(_PATTERNS["spent"], name) for name in error.names)
    if is_spent or (error.wait is None and not _says("rate", words) and _says("no_credit", words)):
        return case.ends("no_credit")
    is_soon = _says("rate", words) if error.wait is None else error.wait < _HOUR
    if not is_soon and _says("day", words):
        midnight = (now // 86_400 + 1) * 86_400  # of the UTC day, when free daily quotas reset
        return case.ends("daily_quota", until=error.quota_reset or midnight)
    wait = None if error.wait is not None or error.quota_reset is None else max(error.quota_reset - now, 0.0)
    return case.ends("throttled", wait=wait)


def _absent(case: _Case) -> Outcome:
    advice = case.error.availability.get("fallback_models")
    names = f"; the endpoint suggests {', '.join(map(str, advice[:5]))}" if isinstance(advice, list) and advice else ""
    why = case.error.sentence + names
    return Configuration("no_such_model", why, "model", case.reply, is_lasting=bool(case.error.availability))


def _filtered(case: _Case) -> Outcome:
    """A content filter: on the model's answer where the error says so, else on the prompt."""
    words = case.error.words
    is_output = _says("output", words) and not _says("input", words) and "flagged_input" not in case.error.metadata
    return ModelMistake("filtered", case.error.sentence, case.reply) if is_output else case.ends("input_moderated")


def _context(case: _Case) -> Outcome:
    """The prompt and the bound on the reply exceed the context: perhaps a lower bound fits."""
    room = room_for_reply(case.error, case.exchange.body, case.exchange.prompt_characters)
    return case.ends("context_length") if room is None else case.change(Refused(bound=True, room=room))


_ACTS: Mapping[str, Callable[[_Case], Outcome | None]] = {
    "@written": _written,
    "@sized": _sized,
    "@affordable": _affordable,
    "@limited": _limited,
    "@absent": _absent,
    "@filtered": _filtered,
    "@context": _context,
    "@refused": lambda case: ModelMistake("refused", case.error.sentence, case.reply),
    "@key_limit": lambda case: case.ends("key_limit", soon(moment(case.error.metadata.get("resets_at")), case.exchange.now)),
    "@form": lambda case: case.change(case.parts() or Refused(form=form_field(case.exchange.body))),
    "@parts": lambda case: case.change(refused) if (refused := case.parts()) else None,
    "@perhaps_parts": lambda case: case.change(refused) if (refused := case.parts(is_certain=False)) else None,
    "@unexplained": lambda case: case.change(Refused()),
    "@answers": lambda case: case.change(Refused(answers=True)) if "assistant" in roles(case.exchange.body) else None,
    "@stream": lambda case: None if case.exchange.body.get("stream") else case.change(Refused(stream=True)),
}
"""The acts of rows: the outcome of an error; None where it is none of this kind after all."""

_STATUSES: Mapping[str, Container[int]] = {
    "any": range(10_000),
    "refused": range(500),
    "failed": range(500, 10_000),
    "not limited": {*range(10_000)} - {402, 429},
}
_ROWS = [
    (_STATUSES[row["of"]] if isinstance(row["of"], str) else row["of"], _pattern(row.get("says", "")), str(row["means"]))
    for row in _TABLES["rows"]
]
