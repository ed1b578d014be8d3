"""Redaction: removes secrets from text of endpoints before it is shown, logged or raised."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

PLACEHOLDER = "[key]"

_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|rk|pk|gsk|xai)-[A-Za-z0-9_-]{12,}")
_SHORTEST = 6
"""Characters of the shortest secret that is looked for: a shorter one is part of ordinary words."""

_SHORTEST_ENCODED = 8
"""Characters of the shortest base64 that is looked for."""

_SCHEME = re.compile(r"(?:basic|bearer|token|apikey|key|digest)\s+(.+)", re.IGNORECASE)
"""A header's value with the scheme of its credentials (RFC 9110, section 11.4)."""


def secrets_of(key: str, headers: Mapping[str, str], others: Iterable[str] = ()) -> tuple[str, ...]:
    """The strings that nothing may show: the key, the values of headers and others, also without a scheme such as Bearer."""
    given = (key, *headers.values(), *others)
    bare = [found[1].strip() for value in given if (found := _SCHEME.fullmatch(value.strip()))]
    values = (*given, *bare)
    return tuple(dict.fromkeys(value for value in values if len(value) >= _SHORTEST))


def redact(text: str, secrets: Sequence[str]) -> str:
    """The text with every secret, and everything that looks like an API key, replaced by a placeholder.

    A secret is found in any case, percent-encoded, escaped as in JSON, and in base64 or hexadecimal digits.
    """
    if secrets:
        folded, is_escaped = text.lower(), "%" in text or "\\u" in text
        for secret in secrets:
            text = _patterns(secret).redacted(text, folded, is_escaped)
    return _LOOKS_LIKE_A_KEY.sub(PLACEHOLDER, text) if "k-" in text or "xai-" in text else text


class _Patterns(NamedTuple):
    """The forms of a secret: `spelled` in lower case, for a quick search; `pattern` matches them, escaped or not."""

    spelled: tuple[str, ...]
    pattern: re.Pattern[str]

    def redacted(self, text: str, folded: str, is_escaped: bool) -> str:
        """The text without the secret; `folded` is the text in lower case. Escaped text is searched by the pattern alone."""
        return self.pattern.sub(PLACEHOLDER, text) if is_escaped or any(form in folded for form in self.spelled) else text


@lru_cache(256)
def _patterns(secret: str) -> _Patterns:
    encoded = sorted({*_encoded(secret.encode())}, key=len, reverse=True)
    escaped = "".join(map(_escaped, secret))
    pattern = re.compile("|".join([escaped, *map(re.escape, encoded)]), re.IGNORECASE)
    return _Patterns((secret.lower(), *(form.lower() for form in encoded)), pattern)


def _escaped(letter: str) -> str:
    """A pattern for a letter as it is, percent-encoded once or more, or as JSON escapes it."""
    percent = "".join(f"%(?:25)*{byte:02x}" for byte in letter.encode())
    return rf"(?:{re.escape(letter)}|{percent}|\\+u{ord(letter):04x})"


def _encoded(secret: bytes) -> Iterator[str]:
    """The secret in hexadecimal digits, and what of its base64 is the same whatever stands before and after it."""
    yield secret.hex()
    for before in range(3):
        after = -(before + len(secret)) % 3
        for encode in (b64encode, urlsafe_b64encode):
            whole = encode(bytes(before) + secret + bytes(after)).decode()
            fixed = whole[-(-before * 4 // 3) : len(whole) - (-(-after * 4 // 3))]
            if len(fixed) >= _SHORTEST_ENCODED:
                yield fixed
