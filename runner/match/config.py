"""Match configuration: what a match is played with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from games.core import Game, Setup, State
from runner.agents.seat import MODELS, Seat
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.digest import digest_of_state
from runner.llm.skin import PLAIN, Skin
from runner.match.header import (
    SCHEMA,
    BudgetRecord,
    HeaderRecord,
    PlaybackRecord,
    SeatRecord,
    SharedSettings,
    new_match_id,
    now,
    package_version,
)
from runner.prompting.pack import PromptsRecord

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
