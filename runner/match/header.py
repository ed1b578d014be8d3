"""Header record: all that a match is played with."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Annotated, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from runner.llm.skin import PLAIN, Skin

Schema = dict[str, object]

_CONSTRAINTS: Mapping[str, str] = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "minItems": "min_length",
    "maxItems": "max_length",
    "minLength": "min_length",
    "maxLength": "max_length",
    "pattern": "pattern",
}
"""pydantic's constraint for each keyword that is one. The others describe."""

LARGEST = 2**53
"""Maximum of a count: every reader of JSON has the whole numbers up to here."""

MOST_PLAYERS = 100
"""Maximum players of a match in a log."""


class Keywords:
    """JSON Schema keywords that a type does not say by itself."""

    def __init__(self, **keywords: object) -> None:
        self._keywords = keywords

    def __get_pydantic_json_schema__(self, core: object, handler: Callable[[object], Schema]) -> Schema:
        return {**handler(core), **self._keywords}

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Schema]) -> Schema:
        held = {_CONSTRAINTS[name]: value for name, value in self._keywords.items() if name in _CONSTRAINTS}
        return {**handler(source), **held}


_NO_FIELDS: Schema = {"type": "typed-dict", "fields": {}}


class FreeObject:
    """Marks a field as an object with any fields. Outlines of records leave its fields out."""

    def __get_pydantic_json_schema__(self, core: object, handler: Callable[[object], Schema]) -> Schema:
        return {"type": "object", "additionalProperties": True}

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Schema]) -> Schema:
        return _NO_FIELDS


class FreeValue:
    """Marks a field as any data. Outlines of records leave out what is in objects and lists."""

    def __get_pydantic_json_schema__(self, core: object, handler: Callable[[object], Schema]) -> Schema:
        return {}

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[object], Schema]) -> Schema:
        return {"type": "union", "mode": "left_to_right", "choices": [_NO_FIELDS, {"type": "generator"}, {"type": "any"}]}


Digest: TypeAlias = Annotated[str, Keywords(pattern="^[0-9a-f]{32}$")]
Time: TypeAlias = Annotated[str, Keywords(format="date-time")]
Count: TypeAlias = Annotated[int, Keywords(minimum=0, maximum=LARGEST)]
Positive: TypeAlias = Annotated[int, Keywords(minimum=1, maximum=LARGEST)]
Amount: TypeAlias = Annotated[float, Keywords(minimum=0, maximum=1e9)]
Integer: TypeAlias = Annotated[int, Keywords(minimum=-LARGEST, maximum=LARGEST)]
Players: TypeAlias = Annotated[int, Keywords(minimum=1, maximum=MOST_PLAYERS)]


SCHEMA = 2
"""The version of the log format."""

SAME_CONDITIONS: Mapping[int, int] = MappingProxyType({2: 1})
"""The older schema under whose conditions matches of a schema are played: the two differ only in how they are written."""


class PromptsRecord(TypedDict, closed=True):
    """The prompt pack of a match; empty where no model plays."""

    pack: NotRequired[str]
    """the pack's name"""
    version: NotRequired[str]
    """the pack's version, where its pack.toml has one"""
    offline_mistakes: NotRequired[Amount]
    """how often the offline model gives an invalid answer, where its pack.toml says so"""
    templates: NotRequired[dict[str, Digest]]
    """the digest of each template"""


class SeatRecord(TypedDict):
    """A seat of the match, without secrets."""

    spec: str
    """the SPEC of the seat"""
    name: str
    """the displayed name"""
    kind: str
    """bot, offline, model, human, program, function or mcp"""
    rated: NotRequired[bool]
    """whether its model is held to rated play: exactly that model, no other, no fallbacks"""
    mistakes: NotRequired[Amount]
    """how often the offline model gives an invalid answer, from 0 to 1"""
    playouts: NotRequired[Positive]
    """how many playouts a bot that searches makes for a decision"""
    reason: NotRequired[Literal["always", "never"]]
    """whether its model is always or never asked for a reason; auto where it does not say"""
    choices: NotRequired[Literal["shuffled"]]
    """whether its model is shown the choices of each question in a drawn order"""
    policy: NotRequired[Literal[True, "play"]]
    """whether its model is asked for the probability of each legal answer; `play`: and answers by a draw from them"""
    persona: NotRequired[str]
    """the text about its character in its system message, if it has one"""
    advice: NotRequired[str]
    """the hints on play in its prompts, if they are not those of the prompt pack"""
    command: NotRequired[str]
    """the command line of a program"""
    function: NotRequired[str]
    """the module and the name of a Python function"""
    sha256: NotRequired[Annotated[str, Keywords(pattern="^[0-9a-f]{64}$")]]
    """the digest of its model's GGUF file; that of a split model is of the digests of its parts"""
    chat_template: NotRequired[Literal["tabletop"]]
    """`tabletop`: the model gets tabletop's chat template, because its file has none"""
    prompts: NotRequired[PromptsRecord]
    """the prompt pack of the seat, if it is not that of the match"""


class BudgetRecord(TypedDict, closed=True):
    """The maximum to spend in all sessions of a match together: USD, tokens or both."""

    usd: NotRequired[Annotated[float, Keywords(exclusiveMinimum=0)]]
    """the maximum in USD"""
    tokens: NotRequired[Positive]
    """the maximum in tokens"""


class ForkRecord(TypedDict, closed=True):
    """The parent of a fork."""

    parent: Digest
    """the hash of the parent's first line"""
    match: NotRequired[Digest]
    """the parent's match id, if it has one"""
    file: str
    """the parent's file name then"""
    at: Positive
    """the first decision that differs, from 1"""
    lines: Count
    """how many records after the header were copied, shared values not counted"""
    seats: list[SeatRecord]
    """who decided in the copied part"""
    spent: Amount
    """USD charged in the copied part"""
    question: Count | None
    """the question that a chosen action answers; null where none was chosen"""
    action: object
    """the chosen action"""


class PlaybackRecord(TypedDict, closed=True):
    """The recording or log whose answers were given."""

    file: str
    """its file name then"""
    first: Digest
    """the hash of its first line"""


class HeaderRecord(TypedDict, closed=True):
    """The first line: all that the match is played with."""

    kind: Literal["header"]
    match: NotRequired[Digest]
    """the match's id, drawn at random: copies of a log share it, and nothing else does"""
    schema: Annotated[int, Keywords(enum=[*range(1, SCHEMA + 1)])]
    """the version of this format"""
    package: str
    """the version of tabletop that started the log"""
    game: str
    """the game's name, as `tabletop games` lists it"""
    rules_version: str
    """the version of the game's rules; another version does not replay the match"""
    rules: str
    """the preset of rules"""
    players: Players
    """how many play"""
    seed: int
    """the seed of all chance, up to 2^63 - 1: read it as a 64-bit integer"""
    options: dict[str, object]
    """every option of the game with its value, those of the preset included"""
    seats: list[SeatRecord]
    """the seats, in order"""
    prompts: PromptsRecord
    """the prompt pack's name, and the digest of each template; empty where no model plays"""
    ask: Literal["simultaneous", "sequential"]
    """whether seats that decide at the same time are asked at the same time"""
    ask_forced: bool
    """whether a decision with one legal answer is asked, too"""
    talk: NotRequired[bool]
    """true where every answer may bring a line of public table talk"""
    skin: NotRequired[str]
    """the name or the seed of the words that models read in place of the game's own; the log is in the game's"""
    skin_words: NotRequired[dict[str, str]]
    """each word of the game that models do not read, and the one in its place; both in lower case"""
    hopeless: NotRequired[Count]
    """strike-outs in a row of one seat after which the match pauses, or asks that seat once a decision; 0 for never"""
    created: Time
    """when the log was begun, UTC"""
    digest: Digest
    """the digest of the first state"""
    budget: NotRequired[Annotated[BudgetRecord, Keywords(minProperties=1)]]
    """the maximum to spend, if there is one; it applies until a `resumed` record names another"""
    fork: NotRequired[ForkRecord]
    """where the match branched off, if it did"""
    playback: NotRequired[PlaybackRecord]
    """the recording or log whose answers were given: its `file` name then, and the hash of its `first` line"""


def logged_skin(header: HeaderRecord) -> Skin:
    """The words that models read in a match."""
    return Skin(header["skin"], header.get("skin_words", {})) if "skin" in header else PLAIN


def rules_in_words(header: HeaderRecord) -> str:
    """The preset of rules, and the skin if there is one: `rules house, skin neutral`."""
    return f"rules {header['rules']}" + (f", skin {header['skin']}" if "skin" in header else "")


@cache
def package_version() -> str:
    """The version of this package; 0 where it is run from a folder without being installed."""
    try:
        return version("tabletop-runner")
    except PackageNotFoundError:
        return "0"


def new_match_id() -> str:
    """A match id: 128 random bits."""
    return secrets.token_hex(16)


def now(timespec: Literal["seconds", "milliseconds"] = "seconds") -> str:
    return datetime.now(UTC).isoformat(timespec=timespec)
