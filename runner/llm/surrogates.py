"""Lone surrogates: code units that no UTF-8 can carry, but that JSON escapes can bring in."""

from __future__ import annotations


def without_surrogates(text: str) -> str:
    """The text with lone surrogates replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
