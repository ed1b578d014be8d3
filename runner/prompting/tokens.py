"""How long a prompt is in tokens, by estimate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil

BYTES_A_TOKEN = 4
"""UTF-8 bytes that make a token of English prose, on the average of the tokenizers in use; lists and JSON take more."""

TOKENS_A_MESSAGE = 4


def estimate(messages: Iterable[Mapping[str, str]]) -> int:
    """About how many tokens the messages have. The count of the endpoint that answered is in the log."""
    sizes = (len(message["content"].encode("utf-8", "replace")) for message in messages)
    return sum(ceil(size / BYTES_A_TOKEN) + TOKENS_A_MESSAGE for size in sizes)
