"""Record reader: a line's record, its hash, shape, seats and references checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from functools import lru_cache
from typing import Any, NamedTuple, cast

from runner.digest import LENGTH, canonical, digest_of
from runner.match.records import Record
from runner.record.dedup import is_reference, references
from runner.record.hash_chain import UnsoundLineError, link_to, opened, unseal
from runner.record.json_line import LONGEST_LINE, decode_quickly
from runner.record.record_schema import KINDS, is_sound, problem, read_outline
from runner.record.value_names import REFERENCE

MOST_EXPANDED = LONGEST_LINE
"""Maximum bytes of a record with its references resolved."""

_HEADS = {kind: f'{{"kind":"{kind}"'.encode() for kind in KINDS}
"""How a line of a kind begins."""

_KINDS = {head: kind for kind, head in _HEADS.items() if kind != "header"}
_KIND_AT, _LONGEST_HEAD = len(b'{"kind":"'), max(map(len, _KINDS))

_LONGEST_REPEATED, _MOST_REPEATED = 300, 1024
_REFERENCE = f'{{"{REFERENCE}":"'.encode()
_REFERENCE_END = b'"}'
_MARK, _QUOTED_MARK, _ESCAPED_MARK = REFERENCE.encode(), f'"{REFERENCE}"'.encode(), b"\\u0024"
_REFERRING = ("question", "attempt")

_NAME = re.compile(f"[0-9a-f]{{{LENGTH}}}")
_VIEW_BY_NAME = re.compile(rb',"view":\{"\$":"([0-9a-f]{32})"\}\}')
"""The end of a question's record whose view is a reference: the last of these braces closes the record."""

_VIEW_SIZE = len(f',"view":{{"{REFERENCE}":""}}}}') + LENGTH


class ReadRecord(NamedTuple):
    """A record after the header, the hash of its line, and its size in bytes with its shared values."""

    record: dict[str, Any]
    own: str
    expanded: int


def read_record(line: bytes, previous: str, players: int, sizes: Mapping[str, int], whole: Set[str] = KINDS) -> ReadRecord:
    """The record of a line after the header. UnsoundLineError when the line is not sound.

    `sizes` has the length of the line of each shared value before it, by name. A record whose kind is not in `whole` may lack
    the fields of its free objects: of these only the references are checked, of a shared value not its name.
    """
    body, own = opened(line)
    link = link_to(previous)
    kind = _KINDS.get(line[: line.find(b'"', _KIND_AT, _LONGEST_HEAD) + 1])
    if kind is not None and body.endswith(link):
        raw = body[: -len(link)] + b"}"
        name = _view_name(raw) if kind == "question" else None
        found = _read_quickly(raw, kind, whole)
        referring = raw[:-_VIEW_SIZE] if name is not None and name not in sizes else line
        size = _quick_size(referring, len(line), sizes) if kind in _REFERRING else len(line)
        if found is not None and size is not None and _wrong_in_match(found, players, name is not None) is None:
            return ReadRecord(found, own, size)
    return read_with_care(line, previous, players, sizes)


def _view_name(raw: bytes) -> str | None:
    """The name in a question's record that ends with a reference instead of a view; None where it does not."""
    end = _VIEW_BY_NAME.fullmatch(raw[-_VIEW_SIZE:])
    return str(end[1], "ascii") if end else None


def _wrong_in_match(record: Mapping[str, Any], players: int, has_view_name: bool) -> str | None:
    """What is wrong with a record that its type does not say; `has_view_name`: the view of a question is a reference."""
    if record["kind"] == "question" and not has_view_name:
        missing = next((name for name in ("role", "text", "schema") if name not in record), None)
        if missing is not None:
            return f"{missing} of the question is missing"
    return _wrong_seat(record, players)


def read_with_care(line: bytes, previous: str, players: int, sizes: Mapping[str, int]) -> ReadRecord:
    """The same for a line whose record `_read_quickly` does not find sound: it may have fields of a newer version."""
    record, own = unseal(line, previous)
    kind = _checked(record)["kind"]
    if not line.startswith(_HEADS[kind]):
        raise UnsoundLineError("the line does not begin with its kind")
    if (why := _wrong_in_match(record, players, is_reference(record.get("view")))) is not None:
        raise UnsoundLineError(why)
    return ReadRecord(record, own, _expanded_size(record, line, sizes) if kind in _REFERRING else len(line))


def read_last_record(line: bytes) -> tuple[dict[str, Any], str]:
    """The record of a log's last line, and its hash, without the lines before it. UnsoundLineError when it is not sound."""
    record, own = unseal(line, None)
    why = problem(record, record["kind"])
    if why is None and record["kind"] == "result":
        why = _wrong_result(record, record["players"])
    if why is not None:
        raise UnsoundLineError(why)
    return record, own


def _read_quickly(raw: bytes, kind: str, whole: Set[str]) -> dict[str, Any] | None:
    """The record of a kind in JSON; None unless it is sound at first sight."""
    if kind == "phase" and len(raw) <= _LONGEST_REPEATED:
        return dict(_repeated(raw) or {}) or None
    if kind not in whole:
        return read_outline(raw, kind)
    record = _read_whole(raw, kind)
    return None if record is None or (kind == "shared" and _wrong_name(record) is not None) else record


@lru_cache(_MOST_REPEATED)
def _repeated(raw: bytes) -> dict[str, Any] | None:
    """The record of a phase: the same ones come often."""
    return _read_whole(raw, "phase")


def _read_whole(raw: bytes, kind: str) -> dict[str, Any] | None:
    try:
        record = decode_quickly(raw)
    except ValueError:
        return None
    return cast(dict[str, Any], record) if is_sound(record, kind) else None


def _checked(record: dict[str, Any]) -> dict[str, Any]:
    """A record of the shape of its kind; a shared value under its own name. UnsoundLineError when it is not that."""
    kind = record["kind"]
    why = "a second header stands in the log" if kind == "header" else problem(record, kind)
    if why is None and kind == "shared":
        why = _wrong_name(record)
    if why is not None:
        raise UnsoundLineError(why)
    return record


def wrong_players(record: Mapping[str, Any], players: int) -> str | None:
    """What is wrong with the number of seats that a header or a record of a resumed match names."""
    for name, seats in (("seats", record.get("seats")), ("fork.seats", (record.get("fork") or {}).get("seats"))):
        if seats is not None and len(seats) != players:
            return f"{name} of the {record['kind']} has {len(seats)} seats, and the match has {players} players"
    return None


def _wrong_seat(record: Mapping[str, Any], players: int) -> str | None:
    seat = record.get("seat")
    if seat is not None and seat >= players:
        return f"seat {seat} is not in the match: the seats are 0 to {players - 1}"
    further = _FURTHER.get(record["kind"])
    return further(record, players) if further is not None else None


def _missing_of_attempt(attempt: Mapping[str, Any], players: int) -> str | None:
    """The fields that an attempt's outcome demands: the answer of a valid or illegal one, the reason of all others."""
    outcome = attempt["outcome"]
    needed: tuple[str, ...] = ("answer",) if outcome == "answer" else ("what", "why")
    if outcome == "mistake" and attempt.get("what") == "illegal":
        needed = ("answer", "what", "why")
    missing = next((name for name in needed if name not in attempt), None)
    return f"{missing} of the attempt is missing, whose outcome is {outcome}" if missing else None


def _wrong_result(result: Mapping[str, Any], players: int) -> str | None:
    for name in ("scores", "seats"):
        if len(result[name]) != players:
            return f"{name} of the result has {len(result[name])} entries, and the match has {players} players"
    if wrong := [winner for winner in result["winners"] if winner >= players]:
        return f"the winner {wrong[0]} is not in the match: the seats are 0 to {players - 1}"
    return None


_FURTHER: Mapping[str, Callable[[Mapping[str, Any], int], str | None]] = {
    "attempt": _missing_of_attempt,
    "resumed": wrong_players,
    "result": _wrong_result,
}
"""What is wrong with a record that its type cannot say, by kind."""


def _expanded_size(record: Mapping[str, Any], line: bytes, sizes: Mapping[str, int]) -> int:
    """The bytes of a record with its shared values. UnsoundLineError when there is no such value, or they are too many."""
    size = _quick_size(line, len(line), sizes)
    return _exact_size(record, len(line), sizes) if size is None else size


def _quick_size(line: bytes, size: int, sizes: Mapping[str, int]) -> int | None:
    """The size by the text of the line alone, which has `size` bytes itself, where every name that follows a mark is known:
    quotes within a text are escaped, so that no text looks like a reference. None where the text does not tell, or the size is
    too large."""
    _, *parts = line.split(_REFERENCE)
    if (line.count(_MARK) != len(parts) and line.count(_QUOTED_MARK) != len(parts)) or _has_escaped_mark(line):
        return None
    for part in parts:
        known = sizes.get(str(part[:LENGTH], "latin-1"))
        if known is None or not part.startswith(_REFERENCE_END, LENGTH):
            return None
        size += known
    return size if size <= MOST_EXPANDED else None


def _has_escaped_mark(line: bytes) -> bool:
    return b"\\" in line and _ESCAPED_MARK in line


def _exact_size(record: Mapping[str, Any], size: int, sizes: Mapping[str, int]) -> int:
    if record["kind"] == "question" and _is_given_by_rules(record["view"], sizes):
        record = {**record, "view": {}}
    for name in references(cast(Record, record)):
        if not isinstance(name, str) or name not in sizes:
            raise UnsoundLineError(f"the {record['kind']} refers to a shared value that no line before it has")
        size += sizes[name]
    if size > MOST_EXPANDED:
        raise UnsoundLineError(f"the {record['kind']} has more than {MOST_EXPANDED // 2**20} MiB with its shared values")
    return size


def _is_given_by_rules(view: Mapping[str, Any], sizes: Mapping[str, int]) -> bool:
    """Whether a logged view is a reference to a value that the log does not have."""
    name = view.get(REFERENCE)
    return is_reference(view) and isinstance(name, str) and bool(_NAME.fullmatch(name)) and name not in sizes


def _wrong_name(record: Mapping[str, Any]) -> str | None:
    own = digest_of(canonical(record["value"]))
    return None if own == record["name"] else f"the shared value named {record['name']} is {own}"
