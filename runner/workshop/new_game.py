"""New games: the skeleton of a package with a game, which can be installed and played at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

import games
from games.core import quoted
from runner.errors import UsageError

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST_NAME = 40
_SUFFIX = ".txt"
_PACKAGE = "package"


def start_game(folder: Path, name: str) -> list[str]:
    """Write a package with a game of that name, and return its files, sorted. UsageError for a name that is taken or cannot be
    one, and for a folder that is not empty or cannot be written."""
    _check_name(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists already: name another folder with --out.")
    written = []
    for path, source in _sources(files("runner.workshop").joinpath("skeleton"), ""):
        at = _named(path.removesuffix(_SUFFIX).replace(_PACKAGE, "my_game"), name)
        _write(folder / at, _named(source.read_text(encoding="utf-8"), name))
        written.append(at)
    return sorted(written)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise UsageError(
            f"{quoted(name)} cannot be the name of a game: it has lower-case letters, digits and single _, as in my_game."
        )
    if name in games.names():
        raise UsageError(f"There is a game {quoted(name)} already: choose another name.")
    if find_spec(name) is not None:
        raise UsageError(f"There is a Python package {quoted(name)} already, which the game would hide: choose another name.")


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """The files of the skeleton with their paths in it."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            yield path + entry.name, entry


def _named(text: str, name: str) -> str:
    """The text with the name of the game in place of the skeleton's, in each of its spellings."""
    words = name.split("_")
    spellings = {
        "my_game": name,
        "my-game": "-".join(words),
        "MyGame": "".join(map(str.capitalize, words)),
        "My Game": " ".join(map(str.capitalize, words)),
    }
    return re.sub("|".join(spellings), lambda found: spellings[found[0]], text)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
