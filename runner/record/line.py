"""Lines of a log: how a record is sealed into one, and how one is read.

A line is a JSON object: the fields of the record, `prev` with the hash of the line before, and `hash` with that of all bytes
before itself. Logs come from strangers, too: a line that was read has the shape of its kind, names no seat that is not in the
match, refers to no shared value that is not there, and stays within the bounds.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from runner.digest import LENGTH, canonical, digest_of
from runner.match.records import Record
from runner.record.bot_questions import has_view_digest
from runner.record.dedup import references
from runner.record.record_schema import problem

LONGEST_LINE = 16 * 2**20
"""Maximum bytes of a line, and of a record with its references resolved."""

LARGEST_LOG = 2**30
"""Maximum bytes of a log, and of a log with every reference resolved."""

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
    if text.count("[") + text.count("{") > DEEPEST and _is_deeper(data, DEEPEST):
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


def _is_deeper(data: object, levels: int) -> bool:
    level: list[Any] = [data]
    for _ in range(levels):
        inner = (whole.values() if isinstance(whole, dict) else whole for whole in level if type(whole) in (dict, list))
        level = [part for parts in inner for part in parts if type(part) in (dict, list)]
        if not level:
            return False
    return True
