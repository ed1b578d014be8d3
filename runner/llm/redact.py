"""Redaction: removes secrets from text of endpoints before it is shown, logged or raised."""

from __future__ import annotations

import re
from collections.abc import Sequence

PLACEHOLDER = "[key]"

_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|rk|pk|gsk|xai)-[A-Za-z0-9_-]{12,}")


def redact(text: str, secrets: Sequence[str]) -> str:
    """The text with every secret, and everything that looks like an API key, replaced by a placeholder."""
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, PLACEHOLDER)
    return _LOOKS_LIKE_A_KEY.sub(PLACEHOLDER, text) if "k-" in text or "xai-" in text else text
