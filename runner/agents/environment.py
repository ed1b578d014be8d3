"""Environment: the variables and named agents that a command was started with, and where its keys may be sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

from runner.llm.address import Address, AddressError, parse_address

if TYPE_CHECKING:
    from runner.agents.agent_entries import AgentEntry, FunctionEntry, ProgramEntry

KEY_VARIABLE = "OPENROUTER_API_KEY"
DEFAULT_MODEL_VARIABLE = "DEFAULT_MODEL"
OTHER_KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
KEY_HOSTS_VARIABLE = "TABLETOP_KEY_HOSTS"


@dataclass(frozen=True, slots=True)
class Environment(Mapping[str, str]):
    """The variables by name, and from agents.toml: the models, the programs and functions by name, the faults of its tables,
    the table of match defaults as it is written. `own` names the variables whose values `.env` defines. `files` is a digest of
    `.env` and `agents.toml`, empty without them."""

    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    agents: Mapping[str, AgentEntry] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    defaults: object = field(default_factory=dict)
    programs: Mapping[str, ProgramEntry | FunctionEntry] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    files: str = ""

    @property
    def of_shell(self) -> Environment:
        """The settings without what `.env` and agents.toml say."""
        return Environment({name: value for name, value in self.variables.items() if name not in self.own})

    def __getitem__(self, name: str) -> str:
        return self.variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)


def seat_variable(seat: int) -> str:
    """The variable that names a seat's model: MODEL_PLAYER_0, ..."""
    return f"MODEL_PLAYER_{seat}"


SEAT_VARIABLES = (DEFAULT_MODEL_VARIABLE, *map(seat_variable, range(16)))
"""The variables that name models."""

_OPENROUTER = "openrouter.ai"
_OPENAI = "api.openai.com"


def key_variable(address: Address) -> str:
    """The variable that holds the key for an address: OpenRouter's key goes to OpenRouter only."""
    return KEY_VARIABLE if address.is_within(_OPENROUTER) else OTHER_KEY_VARIABLE


def is_openrouter(address: Address) -> bool:
    """Whether an address is OpenRouter's, over an encrypted connection."""
    return address.is_within(_OPENROUTER) and address.is_encrypted


def may_have_key(address: Address, environment: Environment) -> bool:
    """Whether the key of `key_variable` may be sent to an address. OpenRouter's goes to openrouter.ai, the other to
    api.openai.com, to this machine and to hosts that the settings name; a host that `.env` names gets a key of `.env` alone,
    never one of the shell. Nothing but the last two gets a key without encryption."""
    if address.is_within(_OPENROUTER) or address.is_within(_OPENAI):
        return address.is_encrypted
    naming = environment if OTHER_KEY_VARIABLE in environment.own else environment.of_shell
    return address.is_loopback or names_host(naming, address)


def other_endpoint(environment: Environment) -> str | None:
    """OPENAI_BASE_URL, the endpoint of bare model names: where OPENAI_API_KEY may be sent there and OpenRouter has no key."""
    url = environment.get(BASE_URL_VARIABLE, "").strip()
    if environment.get(KEY_VARIABLE) or not environment.get(OTHER_KEY_VARIABLE) or (found := _address(url)) is None:
        return None
    return url if "://" in url and may_have_key(found, environment) else None


def names_host(environment: Environment, address: Address) -> bool:
    """Whether OPENAI_BASE_URL or TABLETOP_KEY_HOSTS name the host of an address, with its port if they name one."""
    return any(host == address.host and port in (None, address.port) for host, port in _named_hosts(environment))


def _named_hosts(environment: Environment) -> Iterator[tuple[str, int | None]]:
    for word in environment.get(KEY_HOSTS_VARIABLE, "").split(","):
        if found := _address(word):
            yield found.host, found.port
    if found := _address(environment.get(BASE_URL_VARIABLE, "")):
        yield found.host, None


def _address(text: str) -> Address | None:
    """The address in a host, a host with a port, or a URL; None where there is none, which then allows nothing."""
    text = text.strip()
    try:
        return parse_address(text if "://" in text else f"https://{text}")
    except AddressError:
        return None


_OURS = "TABLETOP_"
_ALIKE = 0.85
"""How alike a name has to be to one of tabletop's; keys of other services stay below."""


def misspelt(names: Iterable[str], also_known: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """Each name that is like a variable of tabletop but none, with the variable that may be meant, or nothing."""
    known = (KEY_VARIABLE, OTHER_KEY_VARIABLE, KEY_HOSTS_VARIABLE, BASE_URL_VARIABLE, *SEAT_VARIABLES)
    for name in sorted({*names} - {*known, *also_known}):
        alike = sorted(get_close_matches(name.upper(), known, len(known), _ALIKE))
        near = max(alike, key=lambda one: SequenceMatcher(None, one, name.upper()).ratio(), default="")
        if near or name.upper().startswith(_OURS):
            yield name, near
