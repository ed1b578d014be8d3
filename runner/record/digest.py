"""Digests: one short name for one piece of data."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from games.core import State

_LENGTH = 32


def canonical(data: Any) -> str:
    """The one way in which we write a piece of JSON data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def digest_of(text: str | bytes) -> str:
    """The first 128 bits of the SHA-256 of a text, in hexadecimal."""
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return sha256(raw).hexdigest()[:_LENGTH]


def digest_of_state(state: State) -> str:
    """The digest of a whole state, hidden parts included, without what is fixed for the match (the header has that)."""
    data = state.to_json()
    del data["setup"]
    return digest_of(canonical(data))
