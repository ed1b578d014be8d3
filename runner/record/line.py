"""Lines of a log: how a record is sealed into one, and how one is read.

A line is a JSON object: the fields of the record, `prev` with the hash of the line before, and `hash` with that of all bytes
before itself. Logs come from strangers, too: a line that was read has the shape of its kind, names no seat that is not in the
match, refers to no shared value that is not there, and stays within the bounds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast, get_args

from games.core import State, View, quoted
from runner.agents.spec import Bot
from runner.digest import LENGTH, Digester, canonical, digest_of
from runner.errors import LogDamagedError
from runner.llm.strict_json import is_deeper
from runner.match.match_state import MatchEvent
from runner.match.records import AttemptRecord, QuestionRecord, Record, RequestRecord, SharedRecord

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator


LONGEST_LINE = 16 * 2**20
"""Maximum bytes of a line, and of a record with its references resolved."""

DEEPEST = 128
"""Maximum nesting of lists and objects in a line."""

FIRST = "0" * LENGTH
"""What the first line names as the hash of the line before."""

_SEAL, _END = b',"hash":"', b'"}'
_SEALED = len(_SEAL) + LENGTH + len(_END)
_MOST_SHOWN = 40
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ENCODE_ASCII = json.JSONEncoder(separators=(",", ":")).encode
_TOO_DEEP = f"lists and objects are nested more than {DEEPEST} levels deep"


class UnsoundLineError(ValueError):
    """A line that is not what was written. The text says what is wrong with it."""


def seal(record: Mapping[str, object], previous: str) -> tuple[bytes, str]:
    """The line for a record, newline included, and its hash."""
    linked = {**record, "prev": previous}
    try:
        body = _ENCODE(linked).encode()[:-1]
    except UnicodeEncodeError:
        body = _ENCODE_ASCII(linked).encode()[:-1]
    own = digest_of(body)
    return body + _SEAL + own.encode() + _END + b"\n", own


def unseal(line: bytes, previous: str | None) -> tuple[dict[str, Any], str]:
    """The record of a line (no newline) and its hash. UnsoundLineError when line or chain, from `previous`, is broken."""
    if len(line) > LONGEST_LINE:
        raise UnsoundLineError(f"the line is longer than {LONGEST_LINE // 2**20} MiB")
    body = line[:-_SEALED]
    own = digest_of(body)
    if line[-_SEALED:] != _SEAL + own.encode() + _END:
        raise UnsoundLineError(_broken_seal(line))
    try:
        record = decode(str(body, "utf-8") + "}")
    except ValueError as error:
        raise UnsoundLineError(f"the line is not JSON ({error})") from error
    if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
        raise UnsoundLineError("the line is no record of a log")
    if record.pop("prev", None) != previous and previous is not None:
        raise UnsoundLineError("the line does not follow the one before: a line is missing, doubled or out of place")
    return record, own


def _broken_seal(line: bytes) -> str:
    body, seal_mark, rest = line.rpartition(_SEAL)
    if not seal_mark or not rest.endswith(_END):
        return "the line is cut short or does not end in its hash"
    said = rest[: -len(_END)][:_MOST_SHOWN].decode("utf-8", "replace")
    return f"the line has been changed: its hash is {digest_of(body)}, it says {ascii(said)[1:-1]}"


def objection_to(record: Mapping[str, Any], players: int | None = None) -> str | None:
    """What is wrong with the fields of a record after the header, None: nothing. A result has the `players` itself."""
    why = problem(record, record["kind"])
    return _wrong_seat(record, record.get("players", 0) if players is None else players) if why is None else why


def wrong_players(record: Mapping[str, Any], players: int) -> str | None:
    """What is wrong with the number of seats that a header or a record of a resumed match names."""
    for name, seats in (("seats", record.get("seats")), ("fork.seats", (record.get("fork") or {}).get("seats"))):
        if seats is not None and len(seats) != players:
            return f"{name} of the {record['kind']} has {len(seats)} seats, and the match has {players} players"
    return None


def _wrong_seat(record: Mapping[str, Any], players: int) -> str | None:
    """What the type of a record cannot say: seats out of range, and fields that another field demands."""
    if (seat := record.get("seat")) is not None and seat >= players:
        return f"seat {seat} is not in the match: the seats are 0 to {players - 1}"
    match record["kind"]:
        case "shared" if (own := digest_of(canonical(record["value"]))) != record["name"]:
            return f"the shared value named {record['name']} is {own}"
        case "question" if not has_view_digest(record["view"]):
            missing = [name for name in ("text", "schema") if name not in record]
            return f"{missing[0]} of the question is missing" if missing else None
        case "attempt":
            demanded = _DEMANDED.get(record["outcome"], ("what", "why"))
            if record["outcome"] == "mistake" and record.get("what") == "illegal":
                demanded = ("answer", *demanded)
            if missing := [name for name in demanded if name not in record]:
                return f"{missing[0]} of the attempt is missing, whose outcome is {record['outcome']}"
        case "resumed":
            return wrong_players(record, players)
        case "result":
            for name in ("scores", "seats"):
                if len(record[name]) != players:
                    return f"{name} of the result has {len(record[name])} entries, and the match has {players} players"
            strangers = [seat for seat in record["winners"] if seat >= players]
            return f"the winner {strangers[0]} is not in the match: the seats are 0 to {players - 1}" if strangers else None
    return None


_DEMANDED = {"answer": ("answer",), "policy": ()}
"""The fields that an attempt's outcome demands, where that is not the reason of a failure."""


def expanded_size(record: Mapping[str, Any], size: int, sizes: Mapping[str, int]) -> int:
    """The bytes of a record with its line of `size` and its shared values. UnsoundLineError for too many or a missing value."""
    for name in references(cast(Record, record)):
        if not isinstance(name, str) or name not in sizes:
            raise UnsoundLineError(f"the {record['kind']} refers to a shared value that no line before it has")
        size += sizes[name]
    if size > LONGEST_LINE:
        raise UnsoundLineError(f"the {record['kind']} has more than {LONGEST_LINE // 2**20} MiB with its shared values")
    return size


def decode(text: str) -> object:
    """The data of JSON text. ValueError when it is not JSON, has a number that is not finite, or is nested too deeply."""
    try:
        data, end = _DECODER.raw_decode(text)
        if end != len(text):
            data = _DECODER.decode(text)  # blanks may follow, and nothing else
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    if text.count("[") + text.count("{") > DEEPEST and is_deeper(data, DEEPEST):
        raise ValueError(_TOO_DEEP)
    return data


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number of JSON")


def _finite(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise ValueError("a number is too large")
    return value


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_constant)


REFERENCE = "$"
_MARK = f'"{REFERENCE}"'
LONG = 160
"""Characters of JSON from which a value is long."""


def name_of(data: object) -> str | None:
    """The name under which a value is written once; None for a short one, which is written in its place."""
    text = canonical(data)
    return None if len(text) < LONG and _MARK not in text else digest_of(text)


PARAGRAPH = "\n\n"
"""What joins the paragraphs of a message."""

_CONTAINERS = (dict, list)
_SCALARS = frozenset({int, float, bool, type(None)})


class Deduplicator:
    """Replaces long values by references. `take_new` returns the records of values that have to be written first."""

    def __init__(self, names: set[str] | None = None) -> None:
        """Start with the values of these names written already."""
        self._names = set() if names is None else names
        self._new: list[SharedRecord] = []

    def record(self, record: Record) -> Record:
        if record["kind"] == "question":
            return self._question(record)
        return self._attempt(record) if record["kind"] == "attempt" else record

    def _question(self, record: QuestionRecord) -> QuestionRecord:
        found: QuestionRecord = {**record, "view": {name: self.value(value) for name, value in record["view"].items()}}
        if "schema" in record:
            found["schema"] = self.value(record["schema"])
        return found

    def _attempt(self, record: AttemptRecord) -> AttemptRecord:
        request = record.get("request")
        if not request:
            return record
        messages = [{**message, "content": self._content(message["content"])} for message in request["messages"]]
        body = {name: self.value(value) for name, value in request.items() if name != "messages"}
        return {**record, "request": cast(RequestRecord, {**body, "messages": messages})}

    def value(self, data: object) -> Any:
        """The data itself, or a reference to it when it is long; of a list each item by itself, since lists grow."""
        kind = type(data)
        if kind is list:
            return [self.value(item) for item in cast(list[object], data)]
        is_short = kind in _SCALARS or (kind is str and len(cast(str, data)) < LONG)
        if is_short or (name := name_of(data)) is None:
            return data
        self.add(name, data)
        return {REFERENCE: name}

    def _content(self, text: str | list[object]) -> object:
        """A text as its paragraphs, long ones replaced: joined again by blank lines they are the text."""
        return [self.value(part) for part in text.split(PARAGRAPH)] if isinstance(text, str) and len(text) >= LONG else text

    def add(self, name: str, value: object) -> None:
        """Have a value written, unless it is already."""
        if name not in self._names:
            self._names.add(name)
            self._new.append({"kind": "shared", "name": name, "value": value})

    def take_new(self) -> list[SharedRecord]:
        """The records to be written first; each is returned once."""
        new, self._new = self._new, []
        return new

    def take_back(self, records: Iterable[SharedRecord]) -> None:
        """Note that records of `take_new` were not written."""
        self._names.difference_update(record["name"] for record in records)


def is_reference(data: object) -> bool:
    return isinstance(data, dict) and len(data) == 1 and REFERENCE in data


def expand(data: object, shared: Mapping[str, object]) -> Any:
    """A value with its references resolved. KeyError for a reference to nothing."""
    if isinstance(data, dict):
        if len(data) == 1 and REFERENCE in data:
            return shared[data[REFERENCE]]
        return {key: expand(value, shared) if type(value) in _CONTAINERS else value for key, value in data.items()}
    if isinstance(data, list):
        return [expand(value, shared) if type(value) in _CONTAINERS else value for value in data]
    return data


def paragraphs(content: str | list[object]) -> list[Any]:
    """The paragraphs of a logged message's content; long ones are references."""
    return content.split(PARAGRAPH) if isinstance(content, str) else content


def references(record: Record) -> Iterator[str]:
    """The names of the shared values that a record refers to. Answers are not searched: a player may write anything."""
    waiting: list[Any] = []
    if record["kind"] == "question":
        waiting += record.get("schema"), record["view"]
    elif record["kind"] == "attempt":
        waiting.append(record.get("request"))
    while waiting:
        part = waiting.pop()
        if type(part) is list:
            waiting.extend(value for value in part if type(value) in _CONTAINERS)
        elif type(part) is dict:
            if len(part) == 1 and REFERENCE in part:
                yield part[REFERENCE]
            else:
                waiting.extend(value for value in part.values() if type(value) in _CONTAINERS)


_TYPES: Final[Mapping[str, type]] = {
    record.__name__.removesuffix("Record").lower(): record for record in (*get_args(Record), SharedRecord)
}
"""The types by kind, which is their name."""
_HAS_TO_BE = {"list_type": "a list", "dict_type": "an object", "string_pattern_mismatch": "32 hexadecimal digits"}
"""Clauses for kinds of errors that read otherwise in a log than in a file that a person wrote."""


def problem(record: Mapping[str, Any], kind: str) -> str | None:
    """What is wrong with the shape of a record, None: nothing. Fields that are not known are ignored: they may be newer."""
    if kind == "recording":
        return problem({**record, "kind": "header"}, "header")
    if kind not in _TYPES:
        return f"a record of kind {quoted(kind)} is not known"
    from pydantic_core import ValidationError

    try:
        _validator(kind).validate_python(record, strict=True)
    except ValidationError as error:
        wrong = [one for one in error.errors(include_url=False) if one["type"] != "extra_forbidden"]
        return _sentence(record, kind, wrong[0]) if wrong else None
    return None


@cache
def _validator(kind: str) -> SchemaValidator:
    from pydantic import TypeAdapter

    return cast("SchemaValidator", TypeAdapter(_TYPES[kind]).validator)


def _sentence(record: Mapping[str, Any], kind: str, error: Mapping[str, Any]) -> str:
    from runner.validation import problem_of

    where = f"{_place(record, error['loc'])} of the {kind}"
    if error["type"] == "missing":
        return f"{where} is missing"
    clause = _HAS_TO_BE.get(error["type"])
    return f"{where} cannot be {quoted(error['input'])}: {f'it has to be {clause}' if clause else problem_of(error)}"


def _place(data: Any, loc: Sequence[str | int]) -> str:
    """The path of a field, without the names of types that pydantic adds to it."""
    path: list[str] = []
    for step in loc:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int):
            data = data[step]
        else:
            break
        path.append(str(step))
    return ".".join(path)


DIGEST = "digest"


def has_view_digest(view: Mapping[str, object]) -> bool:
    """Whether a logged view is a digest alone. A view of a game has its seat and phase too."""
    return view.keys() == {DIGEST}


WRONG_VIEW = "the rules show seat {} another view than the one in the log."

_LEFT_TO_RULES = frozenset({"text", "schema", "view"})


def as_logged(event: MatchEvent, views: Digester) -> Record:
    """The record of an event as logged: of a built-in bot's question, the digest of the view (by `views`) and no words."""
    record = event.record
    if record["kind"] == "question" and event.match.config.seats[record["seat"]].kind == Bot.kind:
        brief = {name: value for name, value in record.items() if name not in _LEFT_TO_RULES}
        return cast(QuestionRecord, {**brief, "view": {DIGEST: views.digest(record["view"])}})
    return record


def whole_question(line: int, record: QuestionRecord, state: State) -> QuestionRecord:
    """The question on a line, asked in a state, with what its record leaves to the rules; long values stay references. Words
    and schema are those of this version. LogDamagedError when the rules do not ask it, or show another view."""
    seat, logged = record["seat"], record["view"]
    if not has_view_digest(logged):
        return record
    view = view_named(logged[DIGEST], state, seat) if seat in state.pending else None
    if view is None:
        raise LogDamagedError(line, WRONG_VIEW.format(seat))
    question = state.question(seat)
    return {**record, "text": question.whole, "schema": question.schema, "view": view}


def view_named(name: object, state: State, seat: int) -> View | None:
    """The seat's view with this digest, perhaps without fields that views have gained since; None when it has another."""
    view = state.view(seat)
    gained = sorted(state.game.later_fields & view.keys())
    for missing in chain.from_iterable(combinations(gained, count) for count in range(len(gained) + 1)):
        found = {field: value for field, value in view.items() if field not in missing}
        if digest_of(canonical(found)) == name:
            return found
    return None
