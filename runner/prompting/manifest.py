"""Manifest of a prompt pack: `pack.toml`, which is optional."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from runner.errors import UsageError
from runner.regular_files import read_regular_text
from runner.toml_text import read_toml
from runner.validation_messages import first_problem

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
    if not path.exists():
        return Manifest(name=folder.resolve().name or "pack")
    try:
        return Manifest.model_validate(read_toml(read_regular_text(path, "The manifest")))
    except ValidationError as error:
        raise UsageError(f"{path}: {first_problem(error, Manifest, offline=OfflineEntry)}") from error
    except ValueError as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
