"""Manifest of a prompt pack: `pack.toml`, which is optional."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.core import listed, quoted
from runner.errors import UsageError
from runner.validation_messages import why_unfit

FILE = "pack.toml"


class OfflineEntry(BaseModel):
    """The offline model's behaviour with the pack, to try comparisons without a language model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    mistakes: float = Field(ge=0, le=1)


class Manifest(BaseModel):
    """Name, version, author and games of a pack (no games: for all)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")
    version: str = Field(default="1", min_length=1, max_length=40)
    author: str = Field(default="", max_length=200)
    games: tuple[str, ...] = ()
    offline: OfflineEntry | None = None


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a pack; without a file the folder's name is the pack's name. UsageError names file and entry."""
    path = folder / FILE
    if not path.is_file():
        return Manifest(name=folder.resolve().name or "pack")
    try:
        return Manifest.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    except ValidationError as error:
        raise UsageError(f"{path}: {_sentence(error)}") from error


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"{where} is not known; there is {listed(sorted(Manifest.model_fields))}."
    if first["type"] == "missing":
        return f"{where} is missing."
    return f"{where} cannot be {quoted(first['input'])}: {why_unfit(first)}."
