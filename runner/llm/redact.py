"""Secrets: which strings they are, and texts without them, in every spelling."""

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

_NAME = re.compile(
    r".*(?:key|token|secret|passw(?:or)?d|passphrase|credentials?)s?|(?:.*[._-])?(?:auth|authorization|bearer)", re.IGNORECASE
)


def named_secrets(fields: object) -> list[str]:
    found: list[str] = []
    _hidden(fields, False, found)
    return found


def without_named_secrets(fields: Mapping[str, object]) -> dict[str, object]:
    """A copy of nested data with a placeholder for each text under a secret name."""
    return {name: _hidden(inner, is_secret_name(name), []) for name, inner in fields.items()}


def _hidden(value: object, is_secret: bool, found: list[str]) -> object:
    """The value with placeholders for its secrets, which go into `found`."""
    if isinstance(value, Mapping):
        return {name: _hidden(inner, is_secret or is_secret_name(name), found) for name, inner in value.items()}
    if isinstance(value, list):
        return [_hidden(inner, is_secret, found) for inner in value]
    if not (is_secret and isinstance(value, str)):
        return value
    found.append(value)
    return PLACEHOLDER


def is_secret_name(name: object) -> bool:
    return _NAME.fullmatch(str(name)) is not None


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
    bare = (found[1].strip() for value in given if (found := _SCHEME.fullmatch(value.strip())))
    return tuple(dict.fromkeys(value for value in (*given, *bare) if len(value) >= _SHORTEST))


def redact(text: str, secrets: Sequence[str]) -> str:
    """The text with every secret, and everything that looks like an API key, replaced by a placeholder. A secret is found in
    any case, percent-encoded, escaped as in JSON, and in base64 or hexadecimal digits."""
    if secrets:
        folded, is_escaped = text.lower(), "%" in text or "\\u" in text
        for secret in secrets:
            spelled, pattern = _forms(secret)
            if is_escaped or any(form in folded for form in spelled):
                text = pattern.sub(PLACEHOLDER, text)
    return _LOOKS_LIKE_A_KEY.sub(PLACEHOLDER, text) if "k-" in text or "xai-" in text else text


@lru_cache(256)
def _forms(secret: str) -> tuple[tuple[str, ...], re.Pattern[str]]:
    """The forms of a secret in lower case, for a quick search, and a pattern that matches them, escaped or not."""
    encoded = sorted({*_encoded(secret.encode())}, key=len, reverse=True)
    pattern = "|".join(["".join(map(_escaped, secret)), *map(re.escape, encoded)])
    return (secret.lower(), *(form.lower() for form in encoded)), re.compile(pattern, re.IGNORECASE)


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
