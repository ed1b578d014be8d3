"""SPEC: the text that says who plays a seat, parsed once into one of nine types; NAME=SPEC names the player."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, TypeAlias, TypeGuard

from games.core import quoted

OFFLINE = "offline"
HUMAN = "human"
MCP = "mcp"
BOT = "bot:"
PROGRAM = "cmd:"
FUNCTION = "py:"
LOCAL = "gguf:"
PACK = "+pack:"
_ROUTED = re.compile(r"openrouter/(?=[^@/]+/[^@]*$)")
"""`openrouter/VENDOR/MODEL`, as LiteLLM and others write VENDOR/MODEL. `openrouter/auto` is a model of OpenRouter's own."""
_NAMED = re.compile(r"\s*([^=:/@+\s][^=:/@+]*)=(.*)", re.DOTALL)
"""NAME=SPEC. A name has no mark of a SPEC, so that the `=` of an address or a folder begins none."""


LONGEST_SPEC, LONGEST_MODEL = 4096, 200
"""Characters of a SPEC in a new match, and of the name of a model in it."""

TIME_LIMIT = 60.0
"""Seconds that a program or a function has for an answer, unless agents.toml says otherwise."""


@dataclass(frozen=True, slots=True)
class _Spec:
    """Base of all types: `text` as given, which logs and JSON keep, the folder of the seat's own prompt pack, and the name
    that NAME=SPEC gives the player, empty for none. `kind` is what a log's header calls the type."""

    kind: ClassVar = "model"

    text: str
    pack: Path | None
    player: str = field(default="", kw_only=True)

    def __str__(self) -> str:
        return self.text

    @property
    def who(self) -> str:
        """The text without the prompt pack."""
        return self.text.partition(PACK)[0]

    @property
    def default_name(self) -> str:
        """What a player without a given name is called."""
        return self.who

    @property
    def named_text(self) -> str:
        """The text with the player's name: NAME=SPEC."""
        return f"{self.player}={self.text}" if self.player else self.text


@dataclass(frozen=True, slots=True)
class Bot(_Spec):
    """A bot of the game, or one that searches: `bot:steady`, `bot:search`, `bot:search:800`."""

    kind = "bot"
    name: str


@dataclass(frozen=True, slots=True)
class Human(_Spec):
    """A person at the terminal: `human`."""

    kind = "human"


@dataclass(frozen=True, slots=True)
class Mcp(_Spec):
    """A client of `tabletop mcp`: `mcp`."""

    kind = "mcp"


@dataclass(frozen=True, slots=True)
class Offline(_Spec):
    """The offline model, also with a fixed behaviour: `offline`, `offline/illegal`."""

    kind = "offline"
    model: str

    @property
    def default_name(self) -> str:
        return self.model.replace(OFFLINE, "offline model", 1)


@dataclass(frozen=True, slots=True)
class Endpoint(_Spec):
    """A model at OpenRouter, or at an address: `vendor/model`, `model@http://HOST:PORT/v1`. `url` is None for OpenRouter."""

    model: str
    url: str | None

    @property
    def default_name(self) -> str:
        return self.model or self.url or ""


@dataclass(frozen=True, slots=True)
class Local(_Spec):
    """A model file of this machine, which llama.cpp runs: `gguf:PATH`."""

    path: Path

    @property
    def default_name(self) -> str:
        return self.path.stem


@dataclass(frozen=True, slots=True)
class Named(_Spec):
    """An agent of agents.toml, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Program(_Spec):
    """A program, which speaks the protocol of seats: `cmd:COMMAND LINE`, or a name in agents.toml. It gets the variables of
    `environment` beside those that hold no secret."""

    kind = "program"
    command: str
    time_limit: float = field(default=TIME_LIMIT, kw_only=True)
    environment: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Function(_Spec):
    """A Python function: `py:MODULE:NAME`, or a name in agents.toml or of the entry-point group `tabletop.agents`."""

    kind = "function"
    module: str
    name: str
    time_limit: float = field(default=TIME_LIMIT, kw_only=True)


Spec: TypeAlias = Bot | Human | Mcp | Offline | Endpoint | Local | Named | Program | Function
ModelSpec: TypeAlias = Offline | Endpoint | Local | Named
"""The types that a model plays."""


def parse_spec(text: str) -> Spec:
    """The SPEC in a text. `check_spec` tells whether the bot, agent or address exists and whether the name is one."""
    named = _NAMED.fullmatch(text)
    return replace(_typed(named[2].lstrip()), player=named[1].rstrip()) if named else _typed(text)


def _typed(text: str) -> Spec:
    if routed := _ROUTED.match(text):
        text = text[routed.end() :]
    who, mark, folder = text.partition(PACK)
    pack = Path(folder) if mark else None
    if who.startswith(BOT):
        return Bot(text, pack, who.removeprefix(BOT))
    if who in (HUMAN, MCP):
        return Human(text, pack) if who == HUMAN else Mcp(text, pack)
    if who.startswith(PROGRAM):
        return Program(text, pack, who.removeprefix(PROGRAM).strip())
    if who.startswith(FUNCTION):
        module, _, name = who.removeprefix(FUNCTION).partition(":")
        return Function(text, pack, module, name)
    if who.startswith(LOCAL):
        return Local(text, pack, Path(who.removeprefix(LOCAL)))
    model, at, url = who.partition("@")
    if at:
        return Endpoint(text, pack, model, url)
    if who.partition("/")[0] == OFFLINE:
        return Offline(text, pack, who)
    return Endpoint(text, pack, model, None) if "/" in who else Named(text, pack, who)


def with_pack(spec: Spec, folder: Path | None) -> Spec:
    """The same player with another prompt pack."""
    return spec if folder is None else parse_spec(f"{spec.named_text}{PACK}{folder}")


def length_fault(spec: Spec) -> str | None:
    """What is too long of a SPEC for a new match; None when nothing is."""
    if len(spec.named_text) > LONGEST_SPEC:
        return f"a SPEC has at most {LONGEST_SPEC:,} characters"
    model = spec.name if isinstance(spec, Named) else spec.model if isinstance(spec, Endpoint | Offline) else ""
    return f"the name of a model has at most {LONGEST_MODEL} characters" if len(model) > LONGEST_MODEL else None


def model_flaw(text: str) -> str | None:
    """Why a SPEC is none of a model in a new match; None for one that is."""
    spec = parse_spec(text)
    return length_fault(spec) if is_model(spec) else f"that is no model; seat it with --seat {text}"


def is_model(spec: Spec) -> TypeGuard[ModelSpec]:
    """Whether a model plays the seat."""
    return not isinstance(spec, Bot | Human | Mcp | Program | Function)


def needs_client(specs: Iterable[Spec]) -> bool:
    return any(map(is_model, specs))


def count_programs(specs: Iterable[Spec]) -> int:
    """How many of the seats programs play."""
    return sum(isinstance(spec, Program) for spec in specs)


def people(specs: Iterable[Spec]) -> tuple[int, ...]:
    return tuple(seat for seat, spec in enumerate(specs) if isinstance(spec, Human))


def command_fault(command: str) -> str | None:
    """What is wrong with a command line; None for one that can be split into words."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"the command line {quoted(command)} cannot be split into words: {str(error).lower()}"
    if "\0" in command:
        return f"the command line {quoted(command)} has a NUL character"
    return None if words and words[0] else "a command line is needed, as in cmd:./bot.py"
