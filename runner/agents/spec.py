"""SPEC: the text that says who plays a seat, parsed once into one of five types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeGuard

OFFLINE = "offline"
HUMAN = "human"
BOT = "bot:"
PACK = "+pack:"


@dataclass(frozen=True, slots=True)
class _Spec:
    """Base of all types: `text` as given, which logs and JSON keep, and the folder of the seat's own prompt pack."""

    text: str
    pack: Path | None

    def __str__(self) -> str:
        return self.text

    @property
    def who(self) -> str:
        """The text without the prompt pack."""
        return self.text.partition(PACK)[0]


@dataclass(frozen=True, slots=True)
class Bot(_Spec):
    """A bot of the game: `bot:steady`."""

    name: str


@dataclass(frozen=True, slots=True)
class Human(_Spec):
    """A person at the terminal: `human`."""


@dataclass(frozen=True, slots=True)
class Offline(_Spec):
    """The offline model, also with a fixed behaviour: `offline`, `offline/illegal`."""

    model: str


@dataclass(frozen=True, slots=True)
class Endpoint(_Spec):
    """A model at OpenRouter, or at an address: `vendor/model`, `model@http://HOST:PORT/v1`. `url` is None for OpenRouter."""

    model: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Named(_Spec):
    """An agent of agents.toml, by its name."""

    name: str


Spec: TypeAlias = Bot | Human | Offline | Endpoint | Named
ModelSpec: TypeAlias = Offline | Endpoint | Named
"""The types that a model plays."""


def parse_spec(text: str) -> Spec:
    """The type a text stands for. Whether the bot, agent or address exists is for `check_spec`."""
    who, mark, folder = text.partition(PACK)
    pack = Path(folder) if mark else None
    if who.startswith(BOT):
        return Bot(text, pack, who.removeprefix(BOT))
    if who == HUMAN:
        return Human(text, pack)
    model, at, url = who.partition("@")
    if at:
        return Endpoint(text, pack, model, url)
    if who.partition("/")[0] == OFFLINE:
        return Offline(text, pack, who)
    return Endpoint(text, pack, model, None) if "/" in who else Named(text, pack, who)


def with_pack(spec: Spec, folder: Path | None) -> Spec:
    """The same player with a prompt pack of its own."""
    return spec if folder is None else parse_spec(f"{spec.text}{PACK}{folder}")


def is_model(spec: Spec) -> TypeGuard[ModelSpec]:
    """Whether a model plays the seat."""
    return not isinstance(spec, Bot | Human)


def needs_client(specs: Iterable[Spec]) -> bool:
    """Whether a model plays any of the seats."""
    return any(map(is_model, specs))


def people(specs: Iterable[Spec]) -> tuple[int, ...]:
    """The seats that people play."""
    return tuple(seat for seat, spec in enumerate(specs) if isinstance(spec, Human))
