"""Digests: one short name for one piece of data."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeAlias

from games.core import State

LENGTH = 32
_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def canonical(data: Any) -> str:
    """The one way in which we write a piece of JSON data."""
    return _ENCODE(data)


def digest_of(text: str | bytes) -> str:
    """The first 128 bits of the SHA-256 of a text, in hexadecimal."""
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return sha256(raw).hexdigest()[:LENGTH]


def digest_of_state(state: State) -> str:
    """The digest of a whole state, hidden parts included, without what is fixed for the match (the header has that)."""
    return digest_of(canonical(_digested(state)))


def _digested(found: State | dict[str, Any]) -> dict[str, Any]:
    if isinstance(found, dict):
        return found
    excluded = {"setup", *found.game.undigested}
    return {name: value for name, value in found.to_json().items() if name not in excluded}


class Digester:
    """The digests of a match's states, or of its views, in order; what did not change is not written again."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[Any, str]] = {}

    def digest(self, found: State | dict[str, Any]) -> str:
        data = _digested(found)
        return digest_of("{" + ",".join(self._part(name, data[name]) for name in sorted(data)) + "}")

    def is_digest(self, digest: object, found: State | dict[str, Any]) -> bool:
        data = _digested(found)
        return self.digest(data) == digest or digest_of(canonical(data)) == digest

    def _part(self, name: str, value: Any) -> str:
        known = self._parts.get(name)
        if known is None or known[0] != value:
            known = self._parts[name] = (value, f'"{name}":{canonical(value)}')
        return known[1]


Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Any JSON value."""

JsonObject: TypeAlias = Mapping[str, object]
"""A JSON object whose values have not been checked yet."""
