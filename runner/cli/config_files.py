"""Settings of a command: read from the environment, from `.env` and from `agents.toml`."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from dotenv import dotenv_values

from runner.agents.environment import Settings
from runner.errors import AccountError, UnreadableFileError
from runner.regular_files import read_regular_text

if TYPE_CHECKING:
    from runner.agents.agents_file import AgentEntry


def load_settings(folder: Path | None = None) -> Settings:
    """The environment's variables before those of `.env` in the folder (the current one), and the agents of `agents.toml`.

    Empty values count as absent. AccountError for a file that cannot be read.
    """
    folder = folder or Path.cwd()
    variables = {name: value for name, value in {**_dotenv(folder / ".env"), **os.environ}.items() if value}
    return Settings(variables, _agents(folder / "agents.toml"))


def _dotenv(path: Path) -> Mapping[str, str | None]:
    return dotenv_values(stream=io.StringIO(_text(path))) if path.exists() else {}


def _agents(path: Path) -> Mapping[str, AgentEntry]:
    if not path.exists():
        return {}
    from runner.agents.agents_file import parse_agents

    return parse_agents(_text(path))


def _text(path: Path) -> str:
    try:
        return read_regular_text(path, "The file")
    except UnreadableFileError as error:
        raise AccountError(f"{path.name} cannot be read: {error.reason}.") from error
