"""Header record: all that a match is played with."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from runner.match.schema_keywords import Amount, Count, Digest, Keywords, Players, Positive, Time

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
    """the seat as it was asked for"""
    name: str
    """the name for people"""
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
    """whose chat template its model gets, where the file has none"""
    prompts: NotRequired[PromptsRecord]
    """the prompt pack of the seat, if it is not that of the match"""


class BudgetRecord(TypedDict, closed=True):
    """The most that all sittings of a match may take: USD, tokens or both."""

    usd: NotRequired[Annotated[float, Keywords(exclusiveMinimum=0)]]
    """USD that may be charged"""
    tokens: NotRequired[Positive]
    """tokens that may be taken"""


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
    """the version of tabletop that began the log"""
    game: str
    """the game's name, as `tabletop games` lists it"""
    rules_version: str
    """the version of the game's rules; with another one the match is not played again"""
    rules: str
    """the preset of rules"""
    players: Players
    """how many play"""
    seed: int
    """all chance of the match comes from it"""
    options: dict[str, object]
    """every option of the game with its value, those of the preset included"""
    seats: list[SeatRecord]
    """the seats, in order"""
    prompts: PromptsRecord
    """the prompt pack's name, and the digest of each template; empty where no model plays"""
    ask: Literal["simultaneous", "sequential"]
    """whether seats that decide at the same time are asked at once"""
    ask_forced: bool
    """whether a decision with one legal answer is asked, too"""
    talk: NotRequired[bool]
    """true where every answer may bring a line of public table talk"""
    hopeless: NotRequired[Count]
    """strike-outs in a row of one seat after which the match pauses, or asks that seat once a decision; 0 for never"""
    created: Time
    """when the log was begun, UTC"""
    digest: Digest
    """the digest of the first state"""
    budget: NotRequired[Annotated[BudgetRecord, Keywords(minProperties=1)]]
    """the most that may be spent, if it is bounded"""
    fork: NotRequired[ForkRecord]
    """where the match branched off, if it did"""
    playback: NotRequired[PlaybackRecord]
    """the recording or log whose answers were given: its `file` name then, and the hash of its `first` line"""


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
    """The time, UTC, in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec=timespec)
