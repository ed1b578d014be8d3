"""Digests: one short name for one piece of data."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

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


def _digested(state: State) -> dict[str, Any]:
    left_out = {"setup", *state.game.undigested}
    return {name: value for name, value in state.to_json().items() if name not in left_out}


class Digester:
    """Proves the digests of a match's states, or of its views, in order; what did not change is not written again."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[Any, str]] = {}

    def is_digest(self, digest: Any, state: State) -> bool:
        """Whether this is the digest of a state."""
        return self.is_digest_of_data(digest, _digested(state))

    def is_digest_of_data(self, digest: Any, data: dict[str, Any]) -> bool:
        """Whether this is the digest of data."""
        text = "{" + ",".join(self._part(name, data[name]) for name in sorted(data)) + "}"
        return bool(digest_of(text) == digest) or bool(digest_of(canonical(data)) == digest)

    def _part(self, name: str, value: Any) -> str:
        known = self._parts.get(name)
        if known is None or known[0] != value:
            known = self._parts[name] = (value, f'"{name}":{canonical(value)}')
        return known[1]
