"""Playback: the recorded answers of a match, to play the same match again without asking anyone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

from games.core import State
from runner.agents.bot_seats import bot_agent
from runner.agents.playback_agent import Attempts, PlaybackAgent, PlaybackOrder
from runner.agents.protocol import Agent, Record
from runner.agents.spec import Bot
from runner.errors import UsageError
from runner.match.config import MatchConfig
from runner.match.header import HeaderRecord, PlaybackRecord
from runner.match.records import AttemptRecord
from runner.record.reader import RECORDING, Log, read_sound_part

_SAME = (
    "game",
    "rules_version",
    "rules",
    "players",
    "seed",
    "options",
    "seats",
    "prompts",
    "ask",
    "ask_forced",
    "digest",
    "talk",
)
_TELLING = ("spec", "pack")
"""What says by itself that a seat or a prompt pack is another one."""

_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Playback:
    """A recording of replies, or a log: the attempts at each question, whose references are resolved when they are given."""

    log: Log
    answers: Mapping[int, Attempts]

    @property
    def path(self) -> Path:
        """The file."""
        return self.log.path

    @property
    def header(self) -> HeaderRecord:
        """The header of the match."""
        return self.log.header

    def check(self, config: MatchConfig, state: State) -> None:
        """UsageError when the match is another one than that of the recording."""
        asked = json.loads(json.dumps(config.header(state)))
        for name in _SAME:
            if asked.get(name) != self.header.get(name):
                where, here, there = _difference(name, asked.get(name), self.header.get(name))
                raise UsageError(
                    f"The recording {self.path} is of another match: its {where} is {_shown(there)}, not {_shown(here)}."
                )

    def agents(self, config: MatchConfig) -> list[Agent]:
        """Whoever gives the recorded answers, for every seat but those of bots, which decide as ever."""
        bots = {number: seat.spec for number, seat in enumerate(config.seats) if isinstance(seat.spec, Bot)}
        attempts = [attempt for found in self.answers.values() for attempt in found]
        turns = PlaybackOrder(place for place, record in attempts if record["seat"] not in bots)
        return [
            bot_agent(bots[number], config.game) if number in bots else self._agent(turns)
            for number in range(len(config.seats))
        ]

    def _agent(self, turns: PlaybackOrder) -> Agent:
        return PlaybackAgent(str(self.path), self.answers, partial(_whole, self.log), turns)

    def to_json(self) -> PlaybackRecord:
        """The recording as the log of what is played from it names it."""
        return {"file": self.path.name, "first": self.log.first}


def read_playback(path: Path) -> Playback:
    """The recording or log in a file. UsageError when it cannot be played back, LogDamagedError when it is damaged."""
    log = read_sound_part(path, ("header", RECORDING))
    if log.damage is not None and not log.is_torn:
        raise log.damage
    for name in ("seats", "prompts"):
        if log.latest_header.get(name) != log.header.get(name):
            raise UsageError(f"{path} cannot be played back: its {name} were changed in the middle of the match.")
    return Playback(log, _answers(log))


def _answers(log: Log) -> dict[int, Attempts]:
    """The attempts at each question, with their places in the order in which they came."""
    found: dict[int, Attempts] = {}
    for place, (_, attempt) in enumerate(log.of_kind("attempt")):
        found.setdefault(attempt["question"], []).append((place, cast(Record, attempt)))
    return found


def _whole(log: Log, attempt: Record) -> Record:
    """An attempt with its references resolved."""
    body = attempt.get("request")
    if not body:
        return dict(attempt)
    return {**attempt, "request": {**log.expand(body), "messages": log.messages(cast(AttemptRecord, attempt))}}


def _difference(name: str, here: object, there: object) -> tuple[str, object, object]:
    """Where two values differ, as deep as there is a name for it."""
    if isinstance(here, dict) and isinstance(there, dict):
        keys = sorted(here.keys() | there.keys(), key=lambda key: (key not in _TELLING, key))
        key = next(key for key in keys if here.get(key) != there.get(key))
        return _difference(f"{name}.{key}", here.get(key), there.get(key))
    if name == "seats" and isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        seat = next(number for number, (one, other) in enumerate(zip(here, there, strict=True)) if one != other)
        return _difference(f"seat P-{seat}", here[seat], there[seat])
    return name, here, there


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
