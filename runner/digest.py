"""Digests: one short name for one piece of data."""

import inspect
import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import games
import games.core
import games.search
from games.core import State, decks

LENGTH = 32
_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def canonical(data: Any) -> str:
    """The one way in which we write a piece of JSON data."""
    return _ENCODE(data)


def digest_of(text: str | bytes) -> str:
    """The first 128 bits of the SHA-256 of a text, in hexadecimal."""
    return sha256(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def digest_of_state(state: State) -> str:
    """The digest of a whole state, hidden parts included, without what is fixed for the match (the header has that)."""
    return digest_of(canonical(_digested(state)))


def _digested(found: State | dict[str, Any]) -> dict[str, Any]:
    if isinstance(found, dict):
        return found
    excluded = {"setup", *found.game.undigested}
    return {name: value for name, value in found.to_json().items() if name not in excluded}


@cache
def code_of(game: str) -> str:
    """The digest of all that grades a game: its rules, bots and their weights, and the search."""
    state = games.load(game).begin()
    modules = games.core, games.search, inspect.getmodule(type(state))
    folders = [Path(str(module.__file__)).parent for module in modules if module is not None]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    return digest_of(b"\0".join([decks.built_in(), digest_of_state(state).encode(), *(path.read_bytes() for path in files)]))


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
