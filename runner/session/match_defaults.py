"""Match defaults: the table `[defaults]` of agents.toml: values for what the command line of `play` does not specify."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from pydantic import Field, ValidationError

import games
from games.core import Game, Option, OptionError, quoted
from runner.agents.agents_file import DEFAULTS, FILE
from runner.agents.config_files import seat_faults
from runner.agents.environment import Environment
from runner.errors import AccountError
from runner.session.match_spec import MatchSettings
from runner.validation_messages import did_you_mean, first_problem

_PATTERNS = {"view": "it has to be all, public or a seat such as P-2"}


class DefaultsEntry(MatchSettings):
    """Defaults for every game, or for one: every setting that matches can share, and how a match is shown."""

    players: int | None = Field(default=None, ge=1)
    speed: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    view: str | None = Field(default=None, pattern=r"^(all|public|[Pp]-\d+)$")

    @classmethod
    def of(cls, where: str, table: Mapping[str, object]) -> Self:
        """The defaults of a TOML table. AccountError names what is wrong."""
        try:
            return cls.model_validate(table)
        except ValidationError as error:
            raise AccountError(f"{FILE}, [{where}]: {first_problem(error, cls, _PATTERNS)}") from error

    @property
    def of_match(self) -> dict[str, object]:
        """The settings of a match that have a default here."""
        return {name: getattr(self, name) for name in self.model_fields_set & MatchSettings.model_fields.keys()}


@dataclass(frozen=True, slots=True)
class MatchDefaults:
    """The defaults of every game, and those of each game that has its own: the settings in a table, and the other names, which
    are options of games."""

    every: DefaultsEntry
    options: Mapping[str, object]
    tables: Mapping[str, tuple[DefaultsEntry, Mapping[str, object]]]

    @classmethod
    def of(cls, table: object) -> Self:
        """The defaults of a TOML table. AccountError names what is wrong."""
        if not isinstance(table, dict):
            raise AccountError(f"{FILE}: {DEFAULTS} has to be a table, [{DEFAULTS}].")
        tables = {name: value for name, value in table.items() if isinstance(value, dict)}
        every, options = _parted({name: value for name, value in table.items() if name not in tables})
        found = cls(DefaultsEntry.of(DEFAULTS, every), options, {})
        _check_options(options)
        own = dict[str, tuple[DefaultsEntry, Mapping[str, object]]]()
        for name, values in tables.items():
            if name not in games.names():
                near = did_you_mean(name, games.names())
                raise AccountError(f"{FILE}, [{DEFAULTS}.{name}]: there is no game {quoted(name)}; {near}")
            own[name] = _of_one(games.load(name), values)
        return cls(found.every, options, own)

    def of_game(self, game: Game) -> tuple[DefaultsEntry, dict[str, object]]:
        """The defaults of one game, its own before those of every game, and those of its options."""
        own, options = self.tables.get(game.name, (DefaultsEntry(), {}))
        common = {option.name: value for name, value in self.options.items() if (option := _option(game, name)) is not None}
        players = own.players or (self.every.players if self.every.players in game.players else None)
        given = {name: getattr(own, name) for name in own.model_fields_set}
        return self.every.model_copy(update={**given, "players": players}), {**common, **options}


def defaults_of(environment: Environment, game: Game) -> tuple[DefaultsEntry, dict[str, object]]:
    """The match defaults for a game, and those of its options. AccountError when their table is wrong."""
    return MatchDefaults.of(environment.defaults).of_game(game)


def faults_of(environment: Environment) -> list[str]:
    """A sentence for each thing that is wrong with the settings files: tables, defaults, variables that name players."""
    found = [*environment.faults.values(), *seat_faults(environment)]
    try:
        MatchDefaults.of(environment.defaults)
    except AccountError as error:
        found.append(str(error))
    return found


def _parted(table: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table in two: the settings, and what is left for the games."""
    known = DefaultsEntry.model_fields
    return {name: table[name] for name in table if name in known}, {name: table[name] for name in table if name not in known}


def _of_one(game: Game, table: Mapping[str, object]) -> tuple[DefaultsEntry, Mapping[str, object]]:
    """The defaults of one game. AccountError for what the game does not have."""
    where, (settings, rest) = f"{DEFAULTS}.{game.name}", _parted(table)
    entry = DefaultsEntry.of(where, settings)
    options = {found.name if (found := _option(game, name)) else name: value for name, value in rest.items()}
    try:
        game.set_up(entry.players, 0, None, options)
    except OptionError as error:
        raise AccountError(f"{FILE}, [{where}]: {error}") from error
    return entry, options


def _check_options(options: Mapping[str, object]) -> None:
    """AccountError for a default of every game that no game has, or that one does not take."""
    played = games.registered().games if options else ()
    for name, value in options.items():
        found = [option for game in played if (option := _option(game, name)) is not None]
        if not found:
            names = {word for game in played for option in game.options.values() for word in (option.name, *option.synonyms)}
            known = sorted({*DefaultsEntry.model_fields, *names})
            raise AccountError(f"{FILE}, [{DEFAULTS}]: {name} is not known; {did_you_mean(name, known)}")
        try:
            _ = [option.check(value) for option in found]
        except OptionError as error:
            raise AccountError(f"{FILE}, [{DEFAULTS}]: {error}") from error


def _option(game: Game, name: str) -> Option | None:
    """The option of a game with a name or a synonym."""
    return next((one for one in game.options.values() if name in (one.name, *one.synonyms)), None)
