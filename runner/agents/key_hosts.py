"""Key hosts: the hosts that each key of the environment may be sent to."""

from __future__ import annotations

from collections.abc import Iterator

from runner.agents.environment import BASE_URL_VARIABLE, KEY_HOSTS_VARIABLE, KEY_VARIABLE, OTHER_KEY_VARIABLE, Settings
from runner.llm.address import Address, AddressError, parse_address

_OPENROUTER = "openrouter.ai"
_OPENAI = "api.openai.com"


def key_variable(address: Address) -> str:
    """The variable that holds the key for an address: OpenRouter's key goes to OpenRouter only."""
    return KEY_VARIABLE if address.is_within(_OPENROUTER) else OTHER_KEY_VARIABLE


def is_openrouter(address: Address) -> bool:
    """Whether an address is OpenRouter's, over an encrypted connection."""
    return address.is_within(_OPENROUTER) and address.is_encrypted


def may_have_key(address: Address, settings: Settings) -> bool:
    """Whether the key of `key_variable` may be sent to an address.

    OpenRouter's goes to openrouter.ai, the other to api.openai.com, to this machine and to hosts that the settings name.
    Nothing but the last two gets a key without encryption.
    """
    if address.is_within(_OPENROUTER):
        return address.is_encrypted
    if address.is_within(_OPENAI):
        return address.is_encrypted
    return address.is_loopback or names_host(settings, address)


def names_host(settings: Settings, address: Address) -> bool:
    """Whether OPENAI_BASE_URL or TABLETOP_KEY_HOSTS name the host of an address, with its port if they name one."""
    return any(host == address.host and port in (None, address.port) for host, port in _named_hosts(settings))


def _named_hosts(settings: Settings) -> Iterator[tuple[str, int | None]]:
    for word in settings.get(KEY_HOSTS_VARIABLE, "").split(","):
        if found := _address(word):
            yield found.host, found.port
    if found := _address(settings.get(BASE_URL_VARIABLE, "")):
        yield found.host, None


def _address(text: str) -> Address | None:
    """The address in a host, a host with a port, or a URL; None where there is none, which then allows nothing."""
    text = text.strip()
    try:
        return parse_address(text if "://" in text else f"https://{text}")
    except AddressError:
        return None
