"""Addresses and secrets: the base URL of an endpoint, checked so that every library reads the same host in it; which strings
are secrets, and texts without them, in every spelling."""

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from urllib.parse import parse_qsl

_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[^\]/?#@]*\]|[^/?#@:\\\[\]]*)(?::(?P<port>[^/?#@\\]*))?"
    r"(?P<path>/[^?#\\\s]*)?(?:\?(?P<query>[^#\\\s]*))?",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?")
_HIGHEST_PORT, _LONGEST_HOST = 65_535, 253
_SECRET_NAME = r"[^=&#{}\s]*(?:key|token|secret|passw(?:or)?d|signature|credentials?)|sig|code|auth(?:orization)?"
_SECRET_QUERY = re.compile(_SECRET_NAME.format(""), re.IGNORECASE)
_SHOWN_SECRET = re.compile(rf"(?<=[?&])(?P<name>{_SECRET_NAME.format('?')})=[^&\s'\"`]*", re.IGNORECASE)
_AFTER_SCHEME = re.compile(r"://([^\s'\"`]*)")

HOW = "write http://HOST:PORT/v1 for it"


class AddressError(ValueError):
    """A text is no address that can be called. The message is a clause and holds no secret."""


@dataclass(frozen=True, slots=True)
class Address:
    """A base URL in parts: `host` in lower case and ASCII, `port` None for the scheme's own, `path` without a last slash."""

    scheme: str
    host: str
    port: int | None
    path: str
    query: str

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.path}"

    @property
    def full(self) -> str:
        return f"{self.url}?{self.query}" if self.query else self.url

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can be reached by it."""
        try:
            address = ip_address(self.host)
        except ValueError:
            return self.host == "localhost"
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return (mapped or address).is_loopback

    @property
    def is_encrypted(self) -> bool:
        return self.scheme == "https"

    def is_within(self, domain: str) -> bool:
        return self.host == domain or self.host.endswith(f".{domain}")


@lru_cache(256)
def parse_address(url: str) -> Address:
    """The address in a URL. AddressError when there is none, or one that no request can be sent to."""
    if "@" in url:
        raise AddressError("holds a user name or a password: put it into `headers` of an agent in agents.toml")
    found = _URL.fullmatch(url)
    if found is None or not found["host"]:
        if "://" in url and not url.lower().startswith(("http://", "https://")):
            raise AddressError("has an address of another scheme: only http and https work")
        raise AddressError(f"has no address: {HOW}")
    query = found["query"] or ""
    for name, _ in parse_qsl(query, keep_blank_values=True):
        if _SECRET_QUERY.fullmatch(name):
            raise AddressError(f"holds a secret in its query ({name}): put it into `headers` of an agent in agents.toml")
    scheme = found["scheme"].lower()
    return Address(scheme, _host(found["host"]), _port(found["port"], scheme), (found["path"] or "").rstrip("/"), query)


def is_within(url: str, domain: str) -> bool:
    """Whether the host of a URL is a domain or lies below it; a text that is no address never is."""
    try:
        return parse_address(url).is_within(domain)
    except AddressError:
        return False


def host_of(url: str) -> str:
    """Host and port of a URL for people, without a password."""
    try:
        return parse_address(url).netloc
    except AddressError:
        return without_password(url).partition("://")[2].partition("/")[0]


def without_password(text: str) -> str:
    """A text whose URLs show no user names, passwords and secret parameters."""
    if "://" not in text:
        return text
    shown = _AFTER_SCHEME.sub(lambda found: f"://[key]@{found[1].rpartition('@')[2]}" if "@" in found[1] else found[0], text)
    return _SHOWN_SECRET.sub(r"\g<name>=[key]", shown)


def _host(text: str) -> str:
    if text.startswith("["):
        try:
            return IPv6Address(text[1:-1]).compressed
        except ValueError:
            raise AddressError(f"has no host: {text} is no IPv6 address") from None
    if len(text) > _LONGEST_HOST:
        raise AddressError(f"has a host of more than {_LONGEST_HOST} characters")
    try:
        host = text.encode("idna").decode("ascii").lower().removesuffix(".")
    except UnicodeError:
        host = ""
    if not all(map(_LABEL.fullmatch, host.split("."))):
        raise AddressError(f"has no host: {text} is no host name")
    return host


def _port(text: str | None, scheme: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text[:6]) <= _HIGHEST_PORT):
        raise AddressError(f"has no port: {text} is no number from 1 to {_HIGHEST_PORT}")
    port = int(text)
    return None if port == {"http": 80, "https": 443}[scheme] else port


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
