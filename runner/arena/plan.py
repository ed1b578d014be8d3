"""Tournament plan: the games, agents, schedule and limits of a tournament, from TOML, a manifest or flags.

UsageError says in one sentence what is wrong with it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

import games
from games.core import OptionError, counted, quoted
from runner.agents.environment import Environment
from runner.agents.spec import check_name, check_spec, parse_spec, resolved, stands_for_seat
from runner.errors import UsageError
from runner.files import read_regular_text, read_toml
from runner.match.header import LARGEST_SEED, DealSeeds, new_seed
from runner.prompting.pack import PromptPack
from runner.prompting.vocabulary import named_skin
from runner.session.match_spec import MatchSettings, ScheduledMatch, SeatSpec
from runner.validation import first_problem

_MOST_CONCURRENT = 5000
_OF_THE_PLAN = ("budget", "budget_tokens")
_ALWAYS = ("seed", "concurrency", "mistakes", "hopeless")

Schedule = Literal["round-robin", "gauntlet"]
Rotation = Literal["full", "balanced", "random"]
OnError = Literal["continue", "stop"]
"""What a tournament does when a match fails because of a bug."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game of a plan: `players` lists the table sizes; `deals` is the number of deals at each size. The opponents are those
    of the plan, unless the game has its own."""

    game: str
    players: tuple[int, ...]
    rules: str | None
    options: Mapping[str, object]
    deals: int
    opponents: tuple[SeatSpec, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The game as an entry of a plan: of its options, a deck as its list of cards."""
        known = games.load(self.game).options
        options = {name: known[name].to_json(known[name].check(value)) for name, value in self.options.items()}
        found = {"name": self.game, "players": [*self.players], "options": options, "deals": self.deals}
        return found | ({} if self.rules is None else {"rules": self.rules})


class PlanSettings(MatchSettings):
    """The settings of a plan and of its matches. The seeds of its deals follow from `seed` and `secret` as `deal_seeds` says.

    `budget` (USD) and `budget_tokens` are limits for all matches together. `concurrency` is the number of matches with models
    that run at once. A seat that was struck out `hopeless` times in a row is asked once a decision until it gives a valid
    answer again. `until` "sure": no match begins once every pair of agents is surely told apart.
    """

    schedule: Schedule = "round-robin"
    rotation: Rotation = "full"
    seed: int = Field(default_factory=new_seed, ge=0, le=LARGEST_SEED)
    deal_seeds: DealSeeds = "hashed"
    secret: str | None = Field(default=None, pattern="^[0-9a-f]{32}$")
    concurrency: int = Field(default=200, ge=1, le=_MOST_CONCURRENT)
    on_error: OnError = "continue"
    until: Literal["sure"] | None = None


class Plan(PlanSettings):
    """A tournament. `is_seed_drawn`: nobody named its seed, or its secret, so that what the tournament's folder has recorded
    takes its place. In a gauntlet each agent meets only the opponents. `is_paired`: on each deal every agent has the same seat
    in a match of its own, and the opponent all others; each agent has a folder of its own."""

    games: tuple[GamePlan, ...]
    agents: tuple[SeatSpec, ...]
    opponents: tuple[SeatSpec, ...] = ()
    is_seed_drawn: bool = False
    is_paired: bool = False

    def table(self, game: GamePlan, players: int) -> ScheduledMatch:
        """What all matches of a game with a number of players have: everything but seed and seats. The budget is the plan's."""
        known = {*MatchSettings.model_fields}.difference(_OF_THE_PLAN)
        shared = {name: value for name, value in self.specified.items() if name in known}
        return ScheduledMatch(game=game.game, players=players, rules=game.rules, options=dict(game.options), **shared)

    @property
    def entrants(self) -> tuple[SeatSpec, ...]:
        return (*self.agents, *self.opponents)

    def to_json(self) -> dict[str, object]:
        """The plan as data that `plan_of` reads. Settings that are off are left out, but for the oldest."""
        specified = {name: value for name, value in self.specified.items() if name in PlanSettings.model_fields}
        shared = {**{name: getattr(self, name) for name in _ALWAYS}, **specified}
        kept = {*_ALWAYS, *self.settings.said}
        return {
            "agents": {entrant.name: entrant.spec.text for entrant in self.agents},
            "opponents": {entrant.name: entrant.spec.text for entrant in self.opponents},
            **{name: value for name, value in shared.items() if name in kept or value not in (None, False, "consecutive")},
            **({"prompts": str(self.prompts)} if self.prompts else {}),
            "games": [game.to_json() for game in self.games],
        }


_MOST_DEALS = 1_000_000
_MOST_AGENTS = 500
_MOST_PAIRS = 5_000_000


class GameEntry(BaseModel):
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


class PlanEntry(PlanSettings):
    games: list[GameEntry]
    agents: list[SeatSpec]
    opponents: list[SeatSpec] = Field(default_factory=list)
    deals: int = Field(default=10, ge=1, le=_MOST_DEALS)

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
    if path.suffix == ".json":
        return {"deal_seeds": "consecutive", **recorded(path)["plan"]}
    try:
        return read_toml(read_regular_text(path, "The plan"))
    except ValueError as error:
        raise UsageError(f"The plan {path} is not TOML: {error}.") from error


def recorded(manifest: Path, kind: str = "tournament") -> dict[str, Any]:
    """The facts in the manifest of a tournament or of another kind of planned matches. UsageError for any other file."""
    try:
        found = dict(json.loads(read_regular_text(manifest, "The plan")))
        return {**found, "plan": dict(found["plan"])} if kind == "tournament" else found
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"The file {manifest} is not the record of a {kind}.") from error


def plan_of(data: Mapping[str, object]) -> Plan:
    """The plan that data describes. UsageError or OptionError says what is wrong."""
    try:
        entry = PlanEntry.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"The plan: {first_problem(error, PlanEntry, games=GameEntry)}") from error
    events = tuple(_game_plan(game, entry.deals) for game in entry.games)
    values = {name: value for name, value in entry.specified.items() if name in PlanSettings.model_fields}
    is_drawn = "seed" not in entry.model_fields_set
    plan = Plan(games=events, agents=tuple(entry.agents), opponents=tuple(entry.opponents), is_seed_drawn=is_drawn, **values)
    _check_size(plan)
    _check_entrants(plan)
    _check_tables(plan)
    return plan


def seated(plan: Plan, environment: Environment) -> Plan:
    """The plan with the names that agents.toml gives its agents. UsageError when an agent's SPEC names nothing that can play
    every game of the plan, and for a skin that a game does not have."""

    def called(entrant: SeatSpec) -> SeatSpec:
        spec, is_unnamed = resolved(entrant.spec, environment), entrant.name == entrant.spec.text
        return replace(entrant, spec=spec, name=(is_unnamed and spec.given_name(environment)) or entrant.name)

    agents, opponents = tuple(map(called, plan.agents)), tuple(map(called, plan.opponents))
    found = plan.model_copy(update={"agents": agents, "opponents": opponents})
    for game in plan.games:
        if plan.skin is not None:
            named_skin(plan.skin, game.game, PromptPack(plan.prompts))
        for entrant in found.entrants:
            check_spec(entrant.spec, games.load(game.game), environment)
            if entrant.spec.player:
                check_name(entrant.spec.player)
    _check_entrants(found)
    return found


def named(word: str) -> SeatSpec:
    spec = parse_spec(word.strip())
    return SeatSpec(spec, spec.player or spec.text)


def _of_table(name: str, text: str) -> SeatSpec:
    if stands_for_seat(name):
        raise ValueError(f"an agent cannot be called {quoted(name)}: that stands for a seat")
    spec = parse_spec(text)
    if spec.player:
        raise ValueError(f"the agent {quoted(name)} has a second name, {quoted(spec.player)}: leave one of them out")
    return SeatSpec(spec, name)


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


def _check_size(plan: Plan) -> None:
    """UsageError for a plan whose schedule takes long, because each agent of a deal is compared with the others."""
    deals = sum(game.deals * len(game.players) for game in plan.games)
    if (agents := len(plan.entrants)) > _MOST_AGENTS or agents**2 * deals > _MOST_PAIRS:
        raise UsageError(
            f"A tournament of {agents:,} agents and {counted(deals, 'deal')} is too large to schedule: play several, of at most"
            f" {_MOST_AGENTS} agents each and with agents x agents x deals at most {_MOST_PAIRS:,}."
        )


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
