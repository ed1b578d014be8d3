"""Seat settings: what the model of a seat is played with. Each is declared here alone, with its check; its sentence and its
flag are in settings.toml, with those of the settings of matches.

Agents of agents.toml, the flags and tables that hold for all models of a match, and single seats have the same settings;
`merge` says what a seat is played with. Flags, plans, servers, Python, logs and their schema follow from the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from runner.files import read_toml

Help = Literal["legal", "shape", "kaggle", "none"]
Memory = Literal["none", "notes", "summary", "full"]
Reason = Literal["auto", "always", "never"]
Order = Literal["listed", "shuffled"]
PolicyUse = bool | Literal["play"]

PLAY = "play"
"""The use of a policy that draws the answer from it."""

LONGEST_PERSONA = 2000
LONGEST_ADVICE = 8000
HIGH, HIGH_TOKENS = {"effort": "high"}, 16_384
"""The reasoning of `help = "kaggle"`, and the bound on replies that leaves room for it."""

NO_ADVICE = "none"
"""The advice that leaves the pack's out."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How people are told of a setting: its sentence, and `again`, that where a match continues from a log. A sentence says
    what holds where nothing is specified, unless the default value says it.

    `is_fixed`: it stays when a match continues. `is_rare`: `--help` does not list it. `is_of_agent`: it belongs to an agent,
    which brings it along to every match; the others hold for a match, which keeps them. `flags` are its names on a command
    line, by default its own; `expects` says what a value has to be.
    """

    help: str
    metavar: str | None = None
    changed: str = ""
    is_fixed: bool = False
    is_rare: bool = False
    is_of_agent: bool = False
    flags: tuple[str, ...] = ()
    expects: str = ""

    @property
    def again(self) -> str:
        """The sentence where a match continues from a log."""
        return self.changed or f"{self.help.partition(' [default:')[0]} [default: as before]"

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The JSON Schema of the setting, with its sentence."""
        return {**handler(core_schema), "description": self.help}


_TOLD = read_toml(files(__package__).joinpath("settings.toml").read_text("utf-8"))


def told(name: str, **words: str) -> Setting:
    """How people are told of the setting of this name; `words` stand for their names in braces in its sentence."""
    table: dict[str, Any] = _TOLD[name]
    sentence = table["help"].format(**words) if words else table["help"]
    return Setting(**{**table, "help": sentence, "flags": tuple(table.get("flags", ()))})


def _folder(value: object) -> object:
    if value is None or isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value:
        raise ValueError("it has to be a word" if value == "" else "it has to be text")
    return Path(value)


def _text(value: object) -> object:
    if not isinstance(value, str):
        return value
    return NO_ADVICE if value.strip().casefold() == NO_ADVICE else value.strip()


def _reason(value: object) -> object:
    return {True: "always", False: "never"}[value] if isinstance(value, bool) else value


_Advice = Annotated[str, Field(max_length=LONGEST_ADVICE)]


class SeatSettings(BaseModel):
    """The settings of a seat. What nobody has specified (`said`) has its default."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    prompts: Annotated[Path | None, BeforeValidator(_folder), told("prompts")] = None
    rated: Annotated[bool, told("rated")] = False
    mistakes: Annotated[float, Field(ge=0, le=1), told("mistakes")] = 0.0
    reason: Annotated[Reason, BeforeValidator(_reason), told("reason")] = "auto"
    belief: Annotated[bool, told("belief")] = False
    choices: Annotated[Order, told("choices")] = "listed"
    policy: Annotated[PolicyUse, told("policy")] = False
    help: Annotated[Help, told("help")] = "legal"
    memory: Annotated[Memory, told("memory")] = "none"
    memory_tokens: Annotated[int, Field(ge=500), told("memory_tokens")] = 16_000
    persona: Annotated[str, Field(max_length=LONGEST_PERSONA), BeforeValidator(_text), told("persona")] = ""
    advice: Annotated[_Advice | None, BeforeValidator(_text), told("advice")] = None

    @property
    def settings(self) -> SeatSettings:
        """The settings of seats alone, of an object that has more."""
        return SeatSettings.model_construct({*_NAMES & self.model_fields_set}, **{name: getattr(self, name) for name in _NAMES})

    @property
    def said(self) -> dict[str, Any]:
        """What somebody has specified, as a log has it: all but the prompt pack, of which it has the digests."""
        return {name: getattr(self, name) for name in RECORDED if name in self.model_fields_set}

    def to_json(self) -> dict[str, Any]:
        """What differs from the default, as a log has it."""
        return {name: value for name, value in self.said.items() if value != DEFAULTS[name]}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """The settings that a log has, among other fields."""
        return cls.model_validate({name: record[name] for name in RECORDED if name in record})

    def without(self, names: Collection[str]) -> SeatSettings:
        """The settings, these not specified."""
        return SeatSettings.model_validate({name: getattr(self, name) for name in self.model_fields_set - {*names}})


def setting_of(model: type[BaseModel], name: str) -> Setting:
    """How people are told of a setting, a field of this model."""
    return next(found for found in model.model_fields[name].metadata if isinstance(found, Setting))


_NAMES = {*SeatSettings.model_fields}
DEFAULTS: Mapping[str, Any] = {name: field.default for name, field in SeatSettings.model_fields.items()}
RECORDED = tuple(name for name in SeatSettings.model_fields if name != "prompts")
"""The settings of which a log has the value itself."""

OF_MATCH = tuple(name for name in RECORDED if not setting_of(SeatSettings, name).is_of_agent)
"""Those of them that hold for a match."""

DEFAULT_SETTINGS = SeatSettings()


def merge(agent: SeatSettings, match: SeatSettings, seat: SeatSettings) -> SeatSettings:
    """The settings of a seat: what holds for it alone, else for all models of its match, else for its agent. A prompt pack of
    its own comes before that of the match. A match that asks for policies lets an agent play by its own."""
    found = {**agent.said, **match.said, **seat.said}
    if agent.policy == PLAY and match.policy is True and "policy" not in seat.said:
        found["policy"] = PLAY
    return SeatSettings.model_validate({**found, "prompts": seat.prompts or agent.prompts})


def recorded_fields() -> dict[str, Any]:
    """The settings as optional fields of a record."""
    fields = ((name, SeatSettings.model_fields[name]) for name in RECORDED)
    return {name: NotRequired[Annotated[(field.annotation, *field.metadata)]] for name, field in fields}
