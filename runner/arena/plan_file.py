"""Plan file: a plan from TOML, from a tournament's manifest or from flags; UsageError says in one sentence what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

import games
from games.core import OptionError, quoted
from runner.agents.environment import Settings
from runner.agents.factory import check_spec, given_name
from runner.agents.named_spec import resolved
from runner.agents.player_name import stands_for_seat
from runner.agents.settings import Reason
from runner.agents.spec import parse_spec
from runner.arena.plan import Entrant, GamePlan, OnError, Plan, Schedule
from runner.arena.seating import Rotation
from runner.errors import UsageError
from runner.match.config import Asking
from runner.match.hopeless import DEFAULT_HOPELESS
from runner.match.seeds import LARGEST_SEED, DealSeeds, new_seed
from runner.regular_files import read_regular_text
from runner.toml_text import read_toml
from runner.validation_messages import first_problem

_MOST_DEALS = 1_000_000
_MOST_CONCURRENT = 5000
_LARGEST = 2**53


class GameEntry(BaseModel):
    """A table of `[[games]]`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    players: list[int] | None = Field(default=None, min_length=1)
    rules: str | None = Field(default=None, min_length=1)
    options: dict[str, object] = Field(default_factory=dict)
    deals: int | None = Field(default=None, ge=1, le=_MOST_DEALS)

    @field_validator("players", mode="before")
    @classmethod
    def _as_list(cls, players: object) -> object:
        return [players] if isinstance(players, int) else players


class PlanEntry(BaseModel):
    """A plan as it is written."""

    model_config = ConfigDict(extra="forbid", strict=True)

    games: list[GameEntry]
    agents: list[Entrant]
    opponents: list[Entrant] = Field(default_factory=list)
    deals: int = Field(default=10, ge=1, le=_MOST_DEALS)
    schedule: Schedule = "round-robin"
    rotation: Rotation = "full"
    seed: int = Field(default_factory=new_seed, ge=0, le=LARGEST_SEED)
    deal_seeds: DealSeeds = "hashed"
    budget: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    budget_tokens: int | None = Field(default=None, ge=1, le=_LARGEST)
    rated: bool = False
    concurrency: int = Field(default=200, ge=1, le=_MOST_CONCURRENT)
    prompts: str | None = Field(default=None, min_length=1)
    mistakes: float = Field(default=0.0, ge=0, le=1)
    ask: Asking = "simultaneous"
    hopeless: int = Field(default=DEFAULT_HOPELESS, ge=0, le=_LARGEST)
    on_error: OnError = "continue"
    reason: Reason | None = None
    talk: bool = False

    @field_validator("games", mode="before")
    @classmethod
    def _as_tables(cls, found: object) -> object:
        found = [found] if isinstance(found, str) else found
        if not isinstance(found, list) or not found:
            raise ValueError('a plan needs games: [[games]] with name = "...", or a list of names')
        return [{"name": game} if isinstance(game, str) else game for game in found]

    @field_validator("agents", "opponents", mode="before")
    @classmethod
    def _as_entrants(cls, found: object) -> object:
        if isinstance(found, dict) and all(isinstance(spec, str) for spec in found.values()):
            return [_of_table(name, spec) for name, spec in found.items()]
        if isinstance(found, list) and all(isinstance(word, str) and word for word in found):
            return [named(word) for word in found]
        raise ValueError('write a list of SPECs, or a table of names with their SPECs: agents = ["bot:steady", "offline"]')


def read_plan(path: Path) -> dict[str, object]:
    """The data of a plan's file. UsageError when it cannot be read. A manifest that does not say how the seeds of its deals
    follow is of a version that counted up."""
    text = read_regular_text(path, "The plan")
    if path.suffix == ".json":
        return _recorded_plan(path, text)
    try:
        return read_toml(text)
    except ValueError as error:
        raise UsageError(f"The plan {path} is not TOML: {error}.") from error


def _recorded_plan(path: Path, text: str) -> dict[str, object]:
    """The plan in the record of a tournament."""
    try:
        return {"deal_seeds": "consecutive", **json.loads(text)["plan"]}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"The file {path} is not the record of a tournament.") from error


def plan_of(data: Mapping[str, object]) -> Plan:
    """The plan that data describes. UsageError or OptionError says what is wrong."""
    try:
        entry = PlanEntry.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"The plan: {first_problem(error, PlanEntry, games=GameEntry)}") from error
    events = tuple(_game_plan(game, entry.deals) for game in entry.games)
    values = entry.model_dump(exclude={"games", "agents", "opponents", "deals"})
    is_drawn = "seed" not in entry.model_fields_set
    plan = Plan(games=events, agents=tuple(entry.agents), opponents=tuple(entry.opponents), is_seed_drawn=is_drawn, **values)
    _check_entrants(plan)
    _check_tables(plan)
    return plan


def seated(plan: Plan, settings: Settings) -> Plan:
    """The plan with the names that agents.toml gives its agents. UsageError when an agent's SPEC names nothing that can play
    every game of the plan."""
    agents, opponents = (tuple(_called(entrant, settings) for entrant in group) for group in (plan.agents, plan.opponents))
    found = replace(plan, agents=agents, opponents=opponents)
    for game in plan.games:
        for entrant in found.entrants:
            check_spec(entrant.spec, games.load(game.game), settings)
    _check_entrants(found)
    return found


def _called(entrant: Entrant, settings: Settings) -> Entrant:
    entrant, is_unnamed = replace(entrant, spec=resolved(entrant.spec, settings)), entrant.name == entrant.spec.text
    return replace(entrant, name=given_name(entrant.spec, settings) or entrant.name) if is_unnamed else entrant


def named(word: str) -> Entrant:
    """The entrant of `NAME=SPEC`, or of a SPEC, which is its own name."""
    spec = parse_spec(word.strip())
    return Entrant(spec.player or spec.text, spec)


def _of_table(name: str, text: str) -> Entrant:
    """The entrant of a table of names with their SPECs."""
    if stands_for_seat(name):
        raise ValueError(f"an agent cannot be called {quoted(name)}: that stands for a seat")
    spec = parse_spec(text)
    if spec.player:
        raise ValueError(f"the agent {quoted(name)} has a second name, {quoted(spec.player)}: leave one of them out")
    return Entrant(name, spec)


def _check_entrants(plan: Plan) -> None:
    names = [entrant.name for entrant in plan.entrants]
    if doubled := next((name for name in names if names.count(name) > 1), None):
        hint = 'give them names, such as agents = { a = "SPEC", b = "SPEC" }'
        raise UsageError(f"The agent {quoted(doubled)} is named twice: {hint}.")
    if plan.schedule == "gauntlet" and not plan.opponents:
        raise UsageError("A gauntlet needs opponents: name the agents that every agent meets.")
    if plan.schedule == "round-robin" and plan.opponents:
        raise UsageError('Opponents belong to a gauntlet: set schedule = "gauntlet" or leave them out.')
    if len(plan.entrants) < 2:
        raise UsageError("A tournament needs at least two agents.")


def _check_tables(plan: Plan) -> None:
    """UsageError when the same matches are planned twice: their logs would have one name, or count twice."""
    tables = [(game, players) for game in plan.games for players in game.players]
    setups = [(game.game, games.load(game.game).set_up(players, 0, game.rules, game.options)) for game, players in tables]
    for place, setup in enumerate(setups):
        if setup in setups[:place]:
            game, players = tables[place]
            raise UsageError(
                f"The plan has {game.game} with {players} players twice, with the same rules and options: keep one and raise"
                " its deals."
            )


def _game_plan(entry: GameEntry, deals: int) -> GamePlan:
    game = games.load(entry.name)
    counts = tuple(entry.players or [game.default_players])
    for count in counts:
        game.set_up(count, 0, entry.rules, entry.options)
    try:
        game.begin(counts[0], 0, entry.rules, **entry.options)
    except OptionError as error:
        raise OptionError(f"{game.name}: {error}") from error
    return GamePlan(game.name, counts, entry.rules, entry.options, entry.deals or deals)
