"""Token estimates, for where no endpoint has counted yet. The exact counts are in the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

LETTERS_A_TOKEN = 4
"""Letters of English prose in a token, on average over the tokenizers in use; lists and JSON take more tokens."""

_TOKENS_A_MESSAGE = 4


def estimated_tokens(letters: int) -> int:
    """Estimated tokens of a text with this many letters."""
    return -(-letters // LETTERS_A_TOKEN)


def message_tokens(messages: Iterable[Mapping[str, str]]) -> int:
    """About how many tokens these messages have; letters outside ASCII count by their UTF-8 bytes."""
    sizes = (len(message["content"].encode("utf-8", "replace")) for message in messages)
    return sum(estimated_tokens(size) + _TOKENS_A_MESSAGE for size in sizes)
