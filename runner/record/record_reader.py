"""Record reader: a line's record, its hash, shape, seats and references checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from runner.digest import canonical, digest_of
from runner.match.records import Record
from runner.record.dedup import references
from runner.record.hash_chain import UnsoundLineError, unseal
from runner.record.json_line import LONGEST_LINE
from runner.record.record_schema import problem

MOST_EXPANDED = LONGEST_LINE
"""Maximum bytes of a record with its references resolved."""


def read_record(line: bytes, previous: str, players: int, sizes: Mapping[str, int]) -> tuple[dict[str, Any], str]:
    """The record of a line after the header, and its hash. UnsoundLineError when the line is not sound.

    `sizes` has the length of the line of each shared value before it, by name.
    """
    record, own = unseal(line, previous)
    kind = record["kind"]
    why = problem(record, kind) or _wrong_place(line, kind)
    why = why or _wrong_seat(record, players)
    if why is None and kind in ("question", "attempt"):
        why = _wrong_reference(record, len(line), sizes)
    elif why is None and kind == "shared":
        why = _wrong_name(record)
    if why is not None:
        raise UnsoundLineError(why)
    return record, own


def read_last_record(line: bytes) -> tuple[dict[str, Any], str]:
    """The record of a log's last line, and its hash, without the lines before it. UnsoundLineError when it is not sound."""
    record, own = unseal(line, None)
    why = problem(record, record["kind"])
    if why is None and record["kind"] == "result":
        why = _wrong_result(record, record["players"])
    if why is not None:
        raise UnsoundLineError(why)
    return record, own


def _wrong_place(line: bytes, kind: str) -> str | None:
    if kind == "header":
        return "a second header stands in the log"
    return None if line.startswith(b'{"kind":"' + kind.encode()) else "the line does not begin with its kind"


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
    if record["kind"] == "result":
        return _wrong_result(record, players)
    return _missing_of_attempt(record) if record["kind"] == "attempt" else wrong_players(record, players)


def _missing_of_attempt(attempt: Mapping[str, Any]) -> str | None:
    """The fields that an attempt's outcome demands: the answer of a valid or illegal one, the reason of all others."""
    outcome = attempt["outcome"]
    needed = {"answer"} if outcome == "answer" else {"what", "why"}
    if outcome == "mistake" and attempt.get("what") == "illegal":
        needed.add("answer")
    missing = sorted(needed - attempt.keys())
    return f"{missing[0]} of the attempt is missing, whose outcome is {outcome}" if missing else None


def _wrong_result(result: Mapping[str, Any], players: int) -> str | None:
    for name in ("scores", "seats"):
        if len(result[name]) != players:
            return f"{name} of the result has {len(result[name])} entries, and the match has {players} players"
    if wrong := [winner for winner in result["winners"] if winner >= players]:
        return f"the winner {wrong[0]} is not in the match: the seats are 0 to {players - 1}"
    return None


def _wrong_reference(record: Mapping[str, Any], size: int, sizes: Mapping[str, int]) -> str | None:
    for name in references(cast(Record, record)):
        if not isinstance(name, str) or name not in sizes:
            return f"the {record['kind']} refers to a shared value that no line before it has"
        size += sizes[name]
    if size > MOST_EXPANDED:
        return f"the {record['kind']} has more than {MOST_EXPANDED // 2**20} MiB with its shared values"
    return None


def _wrong_name(record: Mapping[str, Any]) -> str | None:
    own = digest_of(canonical(record["value"]))
    return None if own == record["name"] else f"the shared value named {record['name']} is {own}"
