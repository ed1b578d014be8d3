"""Match defaults: the table `[defaults]` of agents.toml: values for what the command line of `play` does not specify."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import games
from games.core import OptionError, quoted
from runner.errors import AccountError
from runner.validation_messages import did_you_mean, first_problem

if TYPE_CHECKING:
    from games.core import Game

TABLE_OF_DEFAULTS = "defaults"
"""The table of agents.toml that is no agent."""

_SYNONYMS = {"target": "target_score", "rounds": "max_rounds"}
"""The options of games that a default of all games sets, with the other name that a game may have for each."""

_SETTINGS = {"hopeless", "ask_forced", "mistakes"}
_OF_ALL_GAMES = {"speed", "view", *_SETTINGS}
_PATTERNS = {"view": "it has to be all, public or a seat such as P-2"}


class DefaultsEntry(BaseModel):
    """Defaults for every game, or for one. None: no default."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    players: int | None = Field(default=None, ge=1)
    target: int | None = Field(default=None, ge=1)
    rounds: int | None = Field(default=None, ge=1)
    speed: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    view: str | None = Field(default=None, pattern=r"^(all|public|[Pp]-\d+)$")
    hopeless: int | None = Field(default=None, ge=0)
    ask_forced: bool | None = None
    mistakes: float | None = Field(default=None, ge=0, le=1)

    @classmethod
    def of(cls, where: str, table: Mapping[str, object]) -> DefaultsEntry:
        """The defaults of a TOML table. AccountError names what is wrong."""
        try:
            return cls.model_validate(table)
        except ValidationError as error:
            raise AccountError(f"agents.toml, [{where}]: {first_problem(error, cls, _PATTERNS)}") from error

    @property
    def settings(self) -> dict[str, object]:
        """The settings of a match that have a default here."""
        return self.model_dump(include=_SETTINGS, exclude_none=True)


@dataclass(frozen=True, slots=True)
class MatchDefaults:
    """The table as it is written: the entries for every game, and a table for each game that has its own."""

    every: Mapping[str, object] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @classmethod
    def of(cls, table: object) -> MatchDefaults:
        """The defaults of a TOML table. AccountError names what is wrong."""
        if not isinstance(table, dict):
            raise AccountError("agents.toml: defaults has to be a table, [defaults].")
        tables = {name: value for name, value in table.items() if isinstance(value, dict)}
        found = cls({name: value for name, value in table.items() if name not in tables}, tables)
        DefaultsEntry.of(TABLE_OF_DEFAULTS, found.every)
        for name in tables:
            if name not in games.names():
                near = did_you_mean(name, games.names())
                raise AccountError(f"agents.toml, [defaults.{name}]: there is no game {quoted(name)}; {near}")
            found.of_game(games.load(name))
        return found

    def of_game(self, game: Game) -> tuple[DefaultsEntry, dict[str, object]]:
        """The defaults of one game, its own before those of every game, and those of its options."""
        where, own = f"{TABLE_OF_DEFAULTS}.{game.name}", dict[str, Any](self.tables.get(game.name, {}))
        every = DefaultsEntry.of(TABLE_OF_DEFAULTS, self.every)
        shown = DefaultsEntry.of(where, {name: own.pop(name) for name in _OF_ALL_GAMES & own.keys()})
        players = own.pop("players", None)
        options = {_option_name(game, name): value for name, value in own.items()}
        try:
            game.set_up(players, 0, None, options)
        except OptionError as error:
            raise AccountError(f"agents.toml, [{where}]: {error}") from error
        common = {_option_name(game, name): value for name in _SYNONYMS if (value := getattr(every, name)) is not None}
        if players is None and every.players in game.players:
            players = every.players
        entry = every.model_copy(update={"players": players, **shown.model_dump(exclude_none=True)})
        return entry, {name: value for name, value in common.items() if name in game.options} | options

    def to_json(self) -> dict[str, object]:
        return {**self.every, **self.tables}


def _option_name(game: Game, name: str) -> str:
    """The name of the option with a name or a synonym; an unknown name stays."""
    names = {name, _SYNONYMS.get(name)}
    return next((option.name for option in game.options.values() if {option.name, *option.synonyms} & names), name)
