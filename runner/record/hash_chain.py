"""Hash chain: each line of a log ends with its own hash and names that of the line before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from runner.digest import LENGTH, digest_of
from runner.record.json_line import LONGEST_LINE, decode

FIRST = "0" * 32
_SEAL = b',"hash":"'
_TAIL = b'"}'
_SEALED = len(_SEAL) + LENGTH + len(_TAIL)
_MOST_SHOWN = 40
_OUT_OF_PLACE = "the line does not follow the one before: a line is missing, doubled or out of place"
_TOO_LONG = f"the line is longer than {LONGEST_LINE // 2**20} MiB"
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ENCODE_ASCII = json.JSONEncoder(separators=(",", ":")).encode


class UnsoundLineError(ValueError):
    """A line that is not what was written. The text says what is wrong with it."""


def seal(record: Mapping[str, object], previous: str) -> tuple[bytes, str]:
    """The line for a record, newline included, and its hash: over the bytes of the line up to the hash itself."""
    body = _dump({**record, "prev": previous})[:-1]
    own = digest_of(body)
    return body + _SEAL + own.encode() + _TAIL + b"\n", own


def unseal(line: bytes, previous: str | None) -> tuple[dict[str, Any], str]:
    """The record of a line (without its newline) and its hash. UnsoundLineError when line or chain is broken.

    Without a `previous` hash the place in the chain is not checked.
    """
    body, own = opened(line)
    record = record_of(body)
    if record.pop("prev", None) != previous and previous is not None:
        raise UnsoundLineError(_OUT_OF_PLACE)
    return record, own


def link_to(previous: str) -> bytes:
    """The bytes with which a line names the hash of the line before, at the end of what its own hash covers."""
    return f',"prev":"{previous}"'.encode()


def opened(line: bytes) -> tuple[bytes, str]:
    """The bytes of a line that its hash covers, and the hash. UnsoundLineError when the hash is another one."""
    if len(line) > LONGEST_LINE:
        raise UnsoundLineError(_TOO_LONG)
    body = line[:-_SEALED]
    own = sha256(body).hexdigest()[:LENGTH]
    if line[-_SEALED:] != _SEAL + own.encode() + _TAIL:
        raise UnsoundLineError(_broken_seal(line))
    return body, own


def record_of(body: bytes) -> dict[str, Any]:
    """The record in the bytes that a line's hash covers. UnsoundLineError when they are no record's."""
    try:
        record = decode(str(body, "utf-8") + "}")
    except ValueError as error:
        raise UnsoundLineError(f"the line is not JSON ({error})") from error
    if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
        raise UnsoundLineError("the line is no record of a log")
    return record


def _broken_seal(line: bytes) -> str:
    body, seal_mark, rest = line.rpartition(_SEAL)
    if not seal_mark or not rest.endswith(_TAIL):
        return "the line is cut short or does not end in its hash"
    own = sha256(body).hexdigest()[:LENGTH]
    return f"the line has been changed: its hash is {own}, it says {_shown(rest[: -len(_TAIL)])}"


def _dump(record: Mapping[str, object]) -> bytes:
    try:
        return _ENCODE(record).encode()
    except UnicodeEncodeError:
        return _ENCODE_ASCII(record).encode()


def _shown(raw: bytes) -> str:
    return ascii(raw[:_MOST_SHOWN].decode("utf-8", "replace"))[1:-1]
