"""Kinds of seat: what every kind says of itself. A kind is a class in one file, in the list of `runner.agents.spec`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import Field
from typing_extensions import TypedDict

from games.core import Game, Setup, quoted
from runner.agents.environment import Environment
from runner.agents.protocol import Agent, Person
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.errors import UsageError
from runner.llm.skin import PLAIN, Skin
from runner.prompting.pack import PromptPack, PromptsRecord
from runner.validation import FreeObject, Positive

if TYPE_CHECKING:
    from runner.llm.client import Client

PACK = "+pack:"
_BEFORE_NAME, _LONGEST_SHORT = re.compile(r".*/|(bot|cmd|py):| model$", re.DOTALL), 20


class SeatIdentity(TypedDict, total=False):
    """What a seat is, as the log has it beside its settings, without secrets."""

    model: str
    base_url: str
    parameters: Annotated[dict[str, Any], FreeObject()]
    time_limit: float
    max_tokens: int
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    chat_template: str
    note: str
    playouts: Positive
    command: str
    function: str
    consent: bool
    prompts: PromptsRecord


class Reach(NamedTuple):
    """What a seat has this machine do beyond playing: call a host, open a path, start a program, think for a long time.
    `target` names it in one spelling, `words` says it to people, and that it was not done."""

    what: Literal["host", "path", "program", "time", "unknown"]
    target: str
    words: str


class AgentContext(NamedTuple):
    """What the agents of a match are made with: its game and set-up, the prompts of seats without a pack, the environment, the
    words that models read, the client of models and the error rate of its offline model, who puts decisions to people, and the
    log, beside which programs write their standard error."""

    game: Game
    setup: Setup
    pack: PromptPack
    environment: Environment
    skin: Skin = PLAIN
    client: Client | None = None
    mistakes: float = 0.0
    person: Person | None = None
    log: Path | None = None


@dataclass(frozen=True, slots=True)
class Spec(ABC):
    """A parsed SPEC, which says who plays a seat: `text` as given, which logs and JSON keep, the folder of the seat's own
    prompt pack, and the name that NAME=SPEC gives the player, empty for none.

    Each kind is a subclass. `kind` is what a log's header calls it, `noun` what sentences do. `forms` are how people write it,
    as help and errors list them; none for a kind that only a server asks.
    """

    kind: ClassVar[str] = ""
    noun: ClassVar[str] = ""
    forms: ClassVar[tuple[str, ...]] = ()

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
    def short_name(self) -> str:
        """The same in short, without vendor, folder and kind."""
        return _BEFORE_NAME.sub("", self.default_name)[:_LONGEST_SHORT]

    @property
    def named_text(self) -> str:
        """The text with the player's name: NAME=SPEC."""
        return f"{self.player}={self.text}" if self.player else self.text

    @classmethod
    @abstractmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        """The SPEC in a text, of which `who` is the part before a prompt pack; None for one of another kind."""

    @classmethod
    def completions(cls, games: Sequence[Game]) -> Iterable[str]:
        """What the shell completes for a seat of one of these games: by default its forms, up to what varies."""
        return (form[: form.find(":") + 1] or form for form in cls.forms)

    def check(self, game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> None:
        """TabletopError for what cannot play the game; `asks` has the kinds of seat that this door alone can ask."""
        if self.pack is not None:
            raise UsageError(
                f"The seat {quoted(self.who)} is a {self.noun or self.kind}, which reads no prompts: leave {PACK}{self.pack}"
                " away."
            )

    def given_name(self, environment: Environment) -> str:
        """The name that NAME=SPEC or agents.toml gives the player; empty for none."""
        entry = environment.agents.get(self.who) or environment.programs.get(self.who)
        return self.player or (entry.name if entry else None) or ""

    def kind_in(self, environment: Environment) -> str:
        """What a log's header calls it."""
        return self.kind

    def settings(self, environment: Environment) -> SeatSettings:
        """The settings that its agent says."""
        return DEFAULT_SETTINGS

    def describe(self, environment: Environment) -> SeatIdentity:
        """What it is, for the log."""
        return {}

    def reach(self, environment: Environment) -> Reach | None:
        """What it has this machine do; None for nothing. A log of a stranger may seat only what reaches nothing, and a kind
        that does not say what it reaches is not trusted."""
        return Reach("unknown", self.text, f"{quoted(self.who)}: nothing was done")

    @abstractmethod
    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> Agent:
        """Who answers for a seat. TabletopError, before any call, for one that is not available."""


def starting(spec: Spec, target: str) -> Reach:
    """The reach of a SPEC that starts something."""
    what = f"what it starts, {quoted(target)}" if target != spec.text else "what it starts"
    return Reach("program", target, f"{what}: nothing was started")
