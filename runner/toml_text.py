"""TOML that a person wrote, or a stranger: tables, or why the text is none."""

from __future__ import annotations

import tomllib
from typing import Any


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text. ValueError says what is wrong with it."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise ValueError("its lists or tables are nested too deeply") from error
    except ValueError as error:
        raise ValueError("a number in it has too many digits") from error
