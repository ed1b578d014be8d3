"""Settings of a command: read from the environment, from `.env` and from `agents.toml`."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from runner.agents.environment import Settings
from runner.agents.game_defaults import TABLE_OF_DEFAULTS, GameDefaults
from runner.errors import AccountError, TabletopError, UnreadableFileError
from runner.regular_files import read_regular_text
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from games.core import Game

_MOST_SEATS = 8


def load_settings() -> Settings:
    """The settings of the current folder; a note on standard error names variables that look misspelt."""
    settings = read_settings()
    for note in variable_notes(settings):
        print_note(f"Note: {note}")
    return settings


def read_settings() -> Settings:
    """The environment's variables before those of `.env` in the current folder, and what its `agents.toml` defines.

    Empty values count as absent. AccountError for a file that cannot be read.
    """
    own = _dotenv(Path(".env"))
    variables = {name: value for name, value in {**own, **os.environ}.items() if value}
    text = _text(Path("agents.toml"))
    if not text:
        return Settings(variables, own=frozenset(own))
    from runner.agents.agents_file import parse_agents

    found = parse_agents(text)
    return Settings(variables, found.agents, found.faults, found.defaults, found.programs, frozenset(own))


def variable_notes(settings: Settings) -> list[str]:
    """A sentence for each variable that is like one of tabletop's but none."""
    from runner.agents.variable_names import misspelt

    keys = [entry.key for entry in settings.agents.values() if entry.key]
    return [
        f"{clean(name)} is no variable of tabletop and has no effect" + (f"; did you mean {near}?" if near else ".")
        for name, near in misspelt(settings, keys)
    ]


def defaults_of(settings: Settings, game: Game) -> GameDefaults:
    """The match defaults for a game. AccountError when their table is wrong."""
    if TABLE_OF_DEFAULTS in settings.faults:
        raise AccountError(settings.faults[TABLE_OF_DEFAULTS])
    return GameDefaults() if settings.defaults is None else settings.defaults.of_game(game)


def seat_faults(settings: Settings) -> list[str]:
    """A sentence for each variable that names a player nobody can seat, in any game."""
    from runner.agents.environment import DEFAULT_MODEL_VARIABLE, seat_variable

    names = [DEFAULT_MODEL_VARIABLE, *map(seat_variable, range(_MOST_SEATS))]
    faults = [(name, seat_fault(settings[name], settings)) for name in names if name in settings]
    return [f"{name}: {fault}" for name, fault in faults if fault is not None]


def seat_fault(text: str, settings: Settings) -> str | None:
    """What is wrong with a SPEC in every game; None when one game takes it."""
    import games
    from runner.agents.factory import check_spec
    from runner.agents.named_spec import seat_spec

    faults = []
    known = games.registered().games
    for game in known:
        try:
            check_spec(seat_spec(text, settings), game, settings, has_people=True)
        except TabletopError as error:
            faults.append(str(error))
    return faults[-1] if len(faults) == len(known) else None


def _dotenv(path: Path) -> Mapping[str, str | None]:
    text = _text(path)
    if not text:
        return {}
    from dotenv import dotenv_values

    return dotenv_values(stream=io.StringIO(text))


def _text(path: Path) -> str:
    """The text of a settings file; empty without the file. AccountError when it cannot be read."""
    try:
        return read_regular_text(path, "The file")
    except UnreadableFileError as error:
        if error.is_missing:
            return ""
        raise AccountError(f"{path.name} cannot be read: {error.reason}.") from error
