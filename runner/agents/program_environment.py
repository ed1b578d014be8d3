"""Program environment: the variables that a program in a seat gets. Keys and passwords are left out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from runner.agents.environment import KEY_VARIABLE, OTHER_KEY_VARIABLE, Settings
from runner.llm.named_secrets import is_secret_name

_SHORTEST = 6
"""Characters of the shortest value that is looked for in other variables."""

_UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
"""A Python program writes each line at once, as if it flushed."""


def program_environment(settings: Settings, allowed: Iterable[str]) -> dict[str, str]:
    """The environment without the variables of `.env`, those with the name of a secret, and those that contain such a value.

    `allowed` names variables of `.env` or the environment that the program gets all the same.
    """
    secrets = {value for name, value in settings.items() if _is_secret(name, settings) and len(value) >= _SHORTEST}
    kept = {
        name: value
        for name, value in os.environ.items()
        if not _is_secret(name, settings) and name not in settings.own and not any(secret in value for secret in secrets)
    }
    return {**_UNBUFFERED, **kept, **{name: settings[name] for name in allowed if name in settings}}


def _is_secret(name: str, settings: Settings) -> bool:
    return is_secret_name(name) or name in (KEY_VARIABLE, OTHER_KEY_VARIABLE) or name in _keys(settings)


def _keys(settings: Settings) -> Iterator[str]:
    """The variables that hold the keys of agents."""
    return (entry.key for entry in settings.agents.values() if entry.key)
