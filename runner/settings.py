"""Settings from the environment and from `.env`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values

KEY_VARIABLE = "OPENROUTER_API_KEY"
DEFAULT_MODEL_VARIABLE = "DEFAULT_MODEL"
OTHER_KEY_VARIABLE = "OPENAI_API_KEY"


def load_settings(folder: Path | None = None) -> Mapping[str, str]:
    """The variables of the process over those of `.env` in the folder (the current one); empty values count as absent."""
    path = (folder or Path.cwd()) / ".env"
    from_file = dotenv_values(path) if path.is_file() else {}
    return {name: value for name, value in {**from_file, **os.environ}.items() if value}


def seat_variable(seat: int) -> str:
    """The variable that names the model of a seat: MODEL_PLAYER_0, ..."""
    return f"MODEL_PLAYER_{seat}"
