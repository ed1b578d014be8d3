"""Taskset: every task is one match, its deal and who sits where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar, Self

import verifiers.v1 as vf
from pydantic import ConfigDict, Field, model_validator

from games.core import OptionError
from runner.agents.agent_entries import AgentEntry
from runner.agents.config_files import read_environment
from runner.agents.own_fields import prompt_options
from runner.errors import TabletopError
from runner.prompting.pack import prompt_context, template_name
from runner.session.match_spec import ReadyMatch, ScheduledMatch, ready

TRAINABLE, FIXED = "trainable", "fixed"
"""The seats that verifiers plays: one that learns, and a model that does not."""

MOST_SEATS = 8


class TabletopConfig(vf.TasksetConfig):
    """Which matches: the game, who plays, and the settings of every match."""

    game: str = "coup"
    """The game: `tabletop games` lists them."""
    seats: list[str] = Field([TRAINABLE, TRAINABLE, "bot:steady"], min_length=2, max_length=MOST_SEATS)
    """Each player: "trainable", "fixed" (a model that verifiers calls and does not train), or a SPEC of tabletop such as
    "bot:steady" or "openai/gpt-5-mini". Player N is the role `playerN`."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the game, as `tabletop rules GAME --options` lists them."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings of `runner.api.play`: rules, strikes, ask, ask_forced, prompts, reason, talk, budget, ..."""
    seed: int = 0
    """The seed of the first deal; the others count up from it."""
    rotate: bool = True
    """Play every deal once for each place at the table that the first player can have."""

    @model_validator(mode="after")
    def _can_be_played(self) -> Self:
        if not roles(self.seats):
            raise ValueError(f'seats has no player for verifiers: name at least one "{TRAINABLE}" or "{FIXED}"')
        try:
            ready_match(self.match(0), {role: _entry(role) for role in roles(self.seats).values()})
        except (TabletopError, OptionError) as error:
            raise ValueError(str(error)) from None
        return self

    def match(self, index: int) -> dict[str, Any]:
        """The match spec of a task, as data; a seat that verifiers plays has the name of its role."""
        deal, first = divmod(index, len(self.seats)) if self.rotate else (index, 0)
        named = roles(self.seats)
        players = [named.get(number, spec) for number, spec in enumerate(self.seats)]
        own = {"game": self.game, "seed": self.seed + deal, "options": self.options}
        return {**self.settings, **own, "seats": [*players[first:], *players[:first]]}


def roles(seats: list[str]) -> dict[int, str]:
    """The roles of the players that verifiers plays, by their numbers."""
    return {number: f"player{number}" for number, spec in enumerate(seats) if spec in (TRAINABLE, FIXED)}


def _entry(role: str) -> AgentEntry:
    return AgentEntry(model=role, base_url="http://localhost/v1")


def ready_match(match: Mapping[str, Any], entries: Mapping[str, AgentEntry]) -> ReadyMatch:
    """The match of a task with every check made; `entries` describe the roles that play. Keys and other agents are those of the
    current folder. TabletopError or OptionError for what cannot be played."""
    seats = tuple(match["seats"])
    spec = ScheduledMatch.of({**match, "seats": seats, "players": len(seats)}, lambda name, value: f"{name}={value!r}")
    environment = read_environment()
    return ready(spec, replace(environment, agents={**environment.agents, **entries}))


def advice_of(found: ReadyMatch) -> str:
    """The hints on play of a match's prompt pack, as its first player reads them; empty where the pack has none."""
    game, setup, name = found.config.game, found.config.setup, template_name(found.config.game.name, "advice")
    if name not in found.pack.names(game.name):
        return ""
    state = game.state_type.deal(setup, None)
    question = state.question(state.pending[0])
    return found.pack.render_text(
        name, prompt_context(state.view(state.pending[0]), question, prompt_options(setup), prints_schema=False)
    ).strip()


class MatchData(vf.TaskData):
    """One match: `match` is its spec. `system_prompt` is the advice on play of the players that learn; an optimiser of prompts
    writes another one than `advice`, the prompt pack's."""

    match: dict[str, Any]
    advice: str = ""

    @property
    def written(self) -> str | None:
        """The advice that somebody wrote in place of the pack's."""
        return None if self.system_prompt == self.advice else self.system_prompt


class SeatState(vf.State):
    """What a seat and its harness hand each other: the model's address during the rollout, the call to make, its outcome."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    endpoint: str = ""
    secret: str = ""
    call: Any = None
    outcome: Any = None


class MatchTask(vf.Task[MatchData, SeatState, vf.TaskConfig]):
    """One match. What it is worth is judged over all its seats, by the environment."""


class TabletopTaskset(vf.Taskset[MatchTask, TabletopConfig]):
    """Matches without end: each deal in turn, with every rotation of the players."""

    INFINITE: ClassVar[bool] = True

    def load(self) -> Iterator[MatchTask]:
        found = ready_match(self.config.match(0), {role: _entry(role) for role in roles(self.config.seats).values()})
        advice = advice_of(found)
        for index in count():
            match = self.config.match(index)
            name = f"{match['game']}, seed {match['seed']}: {', '.join(match['seats'])}"
            yield MatchTask(MatchData(name=name, match=match, advice=advice, system_prompt=advice), self.config.task)
