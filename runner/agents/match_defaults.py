"""Match defaults: the table `[defaults]` of agents.toml, which stands for what the command line of `play` leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import games
from games.core import OptionError, quoted
from runner.agents.game_defaults import GameDefaults
from runner.errors import AccountError
from runner.validation_messages import did_you_mean, first_problem

if TYPE_CHECKING:
    from games.core import Game

_OPTIONS = {"target": ("target_score",), "rounds": ("max_rounds",)}
"""The options of games, by name or synonym, that a default of all games stands for."""
_VIEW = r"^(all|public|[Pp]-\d+)$"


class DefaultsEntry(BaseModel):
    """Defaults for every game, or for one. None: no default."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    players: int | None = Field(default=None, ge=1)
    target: int | None = Field(default=None, ge=1)
    rounds: int | None = Field(default=None, ge=1)
    speed: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    view: str | None = Field(default=None, pattern=_VIEW)


_SHOWN = {"speed", "view"}
_PATTERNS = {"view": "it has to be all, public or a seat such as P-2"}


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
        found._entry()
        for name in tables:
            _check_game(name)
            found.of_game(games.load(name))
        return found

    def of_game(self, game: Game) -> GameDefaults:
        """The defaults of one game: its own, else those of every game, where the game has them."""
        own = dict(self.tables.get(game.name, {}))
        every, shown = self._entry(), _entry(f"defaults.{game.name}", {name: own.pop(name) for name in _SHOWN & own.keys()})
        players = own.pop("players", None)
        options = {_option_name(game, name): value for name, value in own.items()}
        try:
            game.set_up(cast(int | None, players), 0, None, options)
        except OptionError as error:
            raise AccountError(f"agents.toml, [defaults.{game.name}]: {error}") from error
        allowed = every.players if every.players in game.players else None
        return GameDefaults(
            players=allowed if players is None else cast(int, players),
            options={**_common_options(game, every), **options},
            speed=every.speed if shown.speed is None else shown.speed,
            view=shown.view or every.view,
        )

    def _entry(self) -> DefaultsEntry:
        return _entry("defaults", self.every)

    def to_json(self) -> dict[str, object]:
        """The table as it is written."""
        return {**self.every, **self.tables}


def _entry(where: str, table: Mapping[str, object]) -> DefaultsEntry:
    try:
        return DefaultsEntry.model_validate(table)
    except ValidationError as error:
        raise AccountError(f"agents.toml, [{where}]: {first_problem(error, DefaultsEntry, _PATTERNS)}") from error


def _check_game(name: str) -> None:
    if name not in games.names():
        near = did_you_mean(name, games.names())
        raise AccountError(f"agents.toml, [defaults.{name}]: there is no game {quoted(name)}; {near}")


def _common_options(game: Game, entry: DefaultsEntry) -> dict[str, object]:
    """The options of a game that the defaults of every game stand for."""
    given = [(_option_name(game, name), getattr(entry, name)) for name in _OPTIONS]
    return {name: value for name, value in given if value is not None and name in game.options}


def _option_name(game: Game, name: str) -> str:
    """The name of the option that a name or a synonym stands for; an unknown name stays."""
    names = (name, *_OPTIONS.get(name, ()))
    found = (option.name for option in game.options.values() if {option.name, *option.synonyms} & {*names})
    return next(found, name)
