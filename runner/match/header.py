"""Header record: all that a match is played with, and its configuration, of which the record is made."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from games.core import Game, Setup, State
from runner.agents.seat_kind import SeatIdentity
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings, recorded_fields
from runner.agents.spec import MODELS, Seat
from runner.digest import digest_of_state
from runner.llm.skin import PLAIN, Skin
from runner.prompting.pack import PromptsRecord
from runner.validation import Amount, Count, Digest, PlayerCount, Positive, Time

SCHEMA = 2
"""The version of the log format."""

SAME_CONDITIONS: Mapping[int, int] = MappingProxyType({2: 1})
"""The older schema under whose conditions matches of a schema are played: the two differ only in how they are written."""


class _SettingsRecord(TypedDict):
    """What is read by `SeatSettings.of_record` alone."""


if not TYPE_CHECKING:
    _SettingsRecord = TypedDict("_SettingsRecord", recorded_fields())


class SharedSettings(_SettingsRecord):
    """Settings that hold for all models of a match."""


class SeatRecord(SeatIdentity, _SettingsRecord):
    """A seat of the match, without secrets."""

    spec: str
    name: str
    kind: str


class BudgetRecord(TypedDict, closed=True):
    """The maximum to spend in all sessions of a match together: USD, tokens or both."""

    usd: NotRequired[Annotated[float, Field(gt=0)]]
    tokens: NotRequired[Positive]


class ForkRecord(TypedDict, closed=True):
    """The parent of a fork."""

    parent: Digest
    match: NotRequired[Digest]
    file: str
    at: Positive
    lines: Count
    seats: list[SeatRecord]
    spent: Amount
    question: Count | None
    action: object


class PlaybackRecord(TypedDict, closed=True):
    """The recording or log whose answers were given."""

    file: str
    first: Digest


class HeaderRecord(TypedDict, closed=True):
    """The first line: all that the match is played with."""

    kind: Literal["header"]
    match: NotRequired[Digest]
    schema: Annotated[int, Field(json_schema_extra={"enum": [*range(1, SCHEMA + 1)]})]
    package: str
    game: str
    rules_version: str
    rules: str
    players: PlayerCount
    seed: int
    options: dict[str, object]
    seats: list[SeatRecord]
    prompts: PromptsRecord
    shared: NotRequired[SharedSettings]
    ask: Literal["simultaneous", "sequential"]
    ask_forced: bool
    talk: NotRequired[bool]
    skin: NotRequired[str]
    skin_words: NotRequired[dict[str, str]]
    hopeless: NotRequired[Count]
    created: Time
    digest: Digest
    budget: NotRequired[Annotated[BudgetRecord, Field(json_schema_extra={"minProperties": 1})]]
    fork: NotRequired[ForkRecord]
    playback: NotRequired[PlaybackRecord]


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


Asking = Literal["simultaneous", "sequential"]


@dataclass(frozen=True, slots=True)
class MatchConfig:
    """Configuration of a match. `prompts` has the pack's name and template digests for the log, `budget` the limits of the
    whole match in `usd` and `tokens`. `playback` names the recording whose answers are given, if there is one. `hopeless` is
    how many strike-outs in a row make a seat hopeless, 0 for never; `plays_on` asks such a seat once a decision instead of
    pausing the match. `talk`: every answer may have a line of public table talk. `words` are those that models read in place of
    the game's own. `shared` are the settings that hold for all models."""

    game: Game
    setup: Setup
    seats: tuple[Seat, ...]
    prompts: PromptsRecord
    ask: Asking = "simultaneous"
    ask_forced: bool = False
    budget: Mapping[str, float] = field(default_factory=dict)
    playback: PlaybackRecord | None = None
    hopeless: int = 0
    plays_on: bool = False
    talk: bool = False
    words: Skin = PLAIN
    shared: SeatSettings = DEFAULT_SETTINGS

    def header(self, state: State) -> HeaderRecord:
        header: HeaderRecord = {
            "kind": "header",
            "schema": SCHEMA,
            "match": new_match_id(),
            "package": package_version(),
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "rules": self.setup.rules,
            "players": self.setup.players,
            "seed": self.setup.seed,
            "options": self.setup.options.to_json(),
            "seats": [cast(SeatRecord, seat.to_json()) for seat in self.seats],
            "prompts": self.prompts,
            "ask": self.ask,
            "ask_forced": self.ask_forced,
            "hopeless": self.hopeless,
            "created": now(),
            "digest": digest_of_state(state),
        }
        if self.shared.said or any(seat.kind in MODELS for seat in self.seats):
            header["shared"] = cast(SharedSettings, self.shared.said)
        if self.talk:
            header["talk"] = True
        if self.words:
            header["skin"], header["skin_words"] = self.words.name, dict(self.words.words)
        if self.budget:
            header["budget"] = cast(BudgetRecord, self.budget)
        if self.playback is not None:
            header["playback"] = self.playback
        return header


DealSeeds = Literal["hashed", "consecutive"]
"""How the seeds of deals follow from that of a tournament: `deal_seed`, or by counting up, as in folders of older versions."""

_BITS = 63
LARGEST_SEED = 2**_BITS - 1


def new_seed() -> int:
    """A seed of 63 random bits: too many to find a deal from one hand by trying them."""
    return secrets.randbits(_BITS)


def new_secret() -> str:
    """A secret of 128 bits for the deals of a tournament."""
    return secrets.token_hex(16)


def deal_seed(seed: int, deal: int, how: DealSeeds = "hashed", secret: str | None = None) -> int:
    """The seed of a deal, counted from 1: the first 63 bits of the SHA-256 of "SEED DEAL", or of "SEED SECRET DEAL". The seed
    of one deal, which its result shows, tells nothing about the other deals; but who guesses a small seed knows them all,
    unless there is a secret."""
    if how == "consecutive":
        return seed + deal - 1
    text = f"{seed} {secret} {deal}" if secret else f"{seed} {deal}"
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> (64 - _BITS)
