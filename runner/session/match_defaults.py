"""Match defaults: the table `[defaults]` of agents.toml: values for what the command line of `play` does not specify."""

from collections.abc import Mapping, Sequence

from pydantic import Field, ValidationError

import games
from games.core import Game, Option, OptionError, quoted
from runner.agents.config_files import DEFAULTS, FILE, seat_faults
from runner.agents.environment import Environment
from runner.errors import AccountError
from runner.session.match_spec import MatchSettings
from runner.validation import did_you_mean, first_problem

_PATTERNS = {"view": "it has to be all, public or a seat such as P-2"}


class DefaultsEntry(MatchSettings):
    """Defaults for every game, or for one: every setting that matches can share, and how a match is shown."""

    players: int | None = Field(default=None, ge=1)
    speed: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    still: bool = False
    view: str | None = Field(default=None, pattern=r"^(all|public|[Pp]-\d+)$")

    @property
    def of_match(self) -> dict[str, object]:
        """The settings of a match that have a default here."""
        return {name: getattr(self, name) for name in self.model_fields_set & MatchSettings.model_fields.keys()}


Table = tuple[DefaultsEntry, dict[str, object]]
"""The settings of a table, and its options by the names that it has for them."""


def defaults_of(environment: Environment, game: Game) -> Table:
    """The defaults for a game, its own before those of all, and those of its options by name. AccountError for wrong ones."""
    (every, common), tables = _read_all(environment.defaults)
    own, options = tables.get(game.name, (DefaultsEntry(), {}))
    players = own.players or (every.players if every.players in game.players else None)
    given = {name: getattr(own, name) for name in own.model_fields_set}
    named = {found.name: value for name, value in {**common, **options}.items() if (found := _option(game, name)) is not None}
    return every.model_copy(update={**given, "players": players}), named


def faults_of(environment: Environment) -> list[str]:
    """A sentence for each thing that is wrong with the settings files: tables, defaults, variables that name players."""
    found = [*environment.faults.values(), *seat_faults(environment)]
    try:
        _read_all(environment.defaults)
    except AccountError as error:
        found.append(str(error))
    return found


def _read_all(table: object) -> tuple[Table, dict[str, Table]]:
    """The defaults of every game, and those of each game that has its own. AccountError names what is wrong."""
    if not isinstance(table, dict):
        raise AccountError(f"{FILE}: {DEFAULTS} has to be a table, [{DEFAULTS}].")
    own = {name: value for name, value in table.items() if isinstance(value, dict)}
    every = _read(DEFAULTS, {name: value for name, value in table.items() if name not in own}, games.names())
    if wrong := next((name for name in own if name not in games.names()), None):
        near = did_you_mean(wrong, games.names())
        raise AccountError(f"{FILE}, [{DEFAULTS}.{wrong}]: there is no game {quoted(wrong)}; {near}")
    return every, {name: _read(f"{DEFAULTS}.{name}", value, [name]) for name, value in own.items()}


def _read(where: str, table: Mapping[str, object], played: Sequence[str]) -> Table:
    """The defaults in a table, for games by their names. AccountError for what none of them has, or one does not take."""
    options = {name: value for name, value in table.items() if name not in DefaultsEntry.model_fields}
    known = [games.load(name) for name in played] if options or len(played) == 1 else []
    try:
        entry = DefaultsEntry.model_validate({name: value for name, value in table.items() if name not in options})
        for name, value in options.items():
            found = [option for game in known if (option := _option(game, name)) is not None]
            if not found:
                names = {word for game in known for one in game.options.values() for word in (one.name, *one.synonyms)}
                near = did_you_mean(name, {*DefaultsEntry.model_fields, *names})
                raise AccountError(f"{FILE}, [{where}]: {name} is not known; {near}")
            for option in found:
                option.check(value)
        if len(played) == 1:
            named = {option.name: options[name] for name in options if (option := _option(known[0], name)) is not None}
            known[0].set_up(entry.players, 0, None, named)
    except ValidationError as error:
        raise AccountError(f"{FILE}, [{where}]: {first_problem(error, DefaultsEntry, _PATTERNS)}") from error
    except OptionError as error:
        raise AccountError(f"{FILE}, [{where}]: {error}") from error
    return entry, options


def _option(game: Game, name: str) -> Option | None:
    """The option of a game with a name or a synonym."""
    return next((one for one in game.options.values() if name in (one.name, *one.synonyms)), None)
