"""System text: messages for a model or a chat template that has no system role."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from runner.json_types import JsonObject

_SYSTEM = ("system", "developer")


def without_system(messages: Sequence[JsonObject]) -> list[dict[str, object]]:
    """The messages with the text of system messages in the first user message. Roles alternate, as such templates demand."""
    texts = [str(message["content"]) for message in messages if message["role"] in _SYSTEM]
    rest = [message for message in messages if message["role"] not in _SYSTEM]
    first = next((place for place, message in enumerate(rest) if message["role"] == "user"), 0)
    merged = [*rest[:first], *({"role": "user", "content": text} for text in texts), *rest[first:]]
    return [_joined(role, list(group)) for role, group in groupby(merged, lambda message: str(message["role"]))]


def _joined(role: str, messages: Sequence[JsonObject]) -> dict[str, object]:
    return {"role": role, "content": "\n\n".join(str(message["content"]) for message in messages)}
