"""Address: the base URL of an endpoint, checked so that every library reads the same host in it."""

import re
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
