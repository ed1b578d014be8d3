"""Configuration files: the environment of a command, read from its variables, from `.env` and from `agents.toml`."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path

from runner.agents.environment import Environment
from runner.agents.spec import Human
from runner.digest import canonical, digest_of
from runner.errors import AccountError, TabletopError, UnreadableFileError
from runner.files import read_regular_text

_MOST_SEATS = 8
_LARGEST_VALUES = 2**20
"""Characters that the values of `.env` may have together."""


def read_environment() -> Environment:
    """The environment's variables before those of `.env` in the current folder, and what its `agents.toml` defines. Empty
    values count as absent. AccountError for a file that cannot be read."""
    dotenv, text = _text(Path(".env")), _text(Path("agents.toml"))
    values = _dotenv(dotenv)
    variables = {name: value for name, value in {**values, **os.environ}.items() if value}
    own = frozenset(values.keys() - os.environ.keys())
    files = digest_of(canonical([str(Path.cwd()), dotenv, text])) if dotenv or text else ""
    if not text:
        return Environment(variables, own=own, files=files)
    from runner.agents.agents_file import parse_agents

    found = parse_agents(text)
    return Environment(variables, found.agents, found.faults, found.defaults, found.programs, own, files)


def seat_faults(environment: Environment) -> list[str]:
    """A sentence for each variable that names a player that no game accepts."""
    from runner.agents.environment import DEFAULT_MODEL_VARIABLE, seat_variable

    names = [DEFAULT_MODEL_VARIABLE, *map(seat_variable, range(_MOST_SEATS))]
    faults = [(name, seat_fault(environment[name], environment)) for name in names if name in environment]
    return [f"{name}: {fault}" for name, fault in faults if fault is not None]


def seat_fault(text: str, environment: Environment) -> str | None:
    """What is wrong with a SPEC in every game; None when one game takes it."""
    import games
    from runner.agents.factory import check_spec
    from runner.agents.named_spec import seat_spec

    faults = []
    known = games.registered().games
    for game in known:
        try:
            check_spec(seat_spec(text, environment), game, environment, asks=(Human,))
        except TabletopError as error:
            faults.append(str(error))
    return faults[-1] if len(faults) == len(known) else None


def _dotenv(text: str) -> Mapping[str, str]:
    """The variables of `.env`, with the `${NAME}` in their values replaced. AccountError when that makes them too large."""
    if not text:
        return {}
    from dotenv import dotenv_values
    from dotenv.variables import parse_variables

    found, left = dict[str, str](), _LARGEST_VALUES
    for name, value in dotenv_values(stream=io.StringIO(text), interpolate=False).items():
        known = {**os.environ, **found}
        parts = []
        for part in parse_variables(value or ""):
            parts.append(part.resolve(known))
            left -= len(parts[-1])
            if left < 0:
                raise AccountError(
                    f".env cannot be read: its values, with ${{NAME}} replaced, exceed {_LARGEST_VALUES:,} characters."
                )
        found[name] = "".join(parts)
    return found


def _text(path: Path) -> str:
    """The text of a settings file; empty without the file. AccountError when it cannot be read."""
    try:
        return read_regular_text(path, "The file")
    except UnreadableFileError as error:
        if error.is_missing:
            return ""
        raise AccountError(f"{path.name} cannot be read: {error.reason}.") from error
