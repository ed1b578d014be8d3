"""Registry: the games of this package, those that other packages bring by the entry-point group `tabletop.games`, and those of
OpenSpiel, whose names have a prefix."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any, NamedTuple

from games.core.errors import OptionError
from games.core.game import Game
from games.core.sentence import listed, quoted
from games.core.state import State, values
from games.guarded import guarded
from games.openspiel import PREFIX
from games.openspiel import load as load_openspiel

OWN = ("cat_in_the_box", "coup", "dixiquote", "oriflamme")
GROUP = "tabletop.games"
_NAME = re.compile(r"(?!shared$)[a-z][a-z0-9_]{0,39}")
"""Names of games. `shared` is the folder of the templates that all games use."""


class BrokenGameError(OptionError):
    """An installed game that cannot be used. The message names the game, its package and the reason; an exception that its
    code raised is the cause."""

    def __init__(self, game: str, package: str, reason: str) -> None:
        super().__init__(f"The game {quoted(game)} of the package {quoted(package)} cannot be used: {reason}.")
        self.game = game


class Registered(NamedTuple):
    """The games that can be played, and an error for each installed game that cannot."""

    games: tuple[Game, ...]
    broken: tuple[BrokenGameError, ...]


def names() -> tuple[str, ...]:
    """The names of all games, our own and those of other packages, sorted; none of OpenSpiel's. A broken one is among them: no
    code is run here."""
    return tuple(sorted({*OWN, *(entry.name for entry in _entries() if _NAME.fullmatch(entry.name))}))


@cache
def load(name: str) -> Game:
    """The game of that name. OptionError when there is none, BrokenGameError when its package does not work."""
    if name in OWN:
        game: Game = import_module(f"games.{name}").GAME
        return game
    if name.startswith(PREFIX):
        return guarded(load_openspiel(name), _reduced_to_json)
    entry = _entry(name)
    if entry is None:
        raise OptionError(f"There is no game {quoted(name)}: the games are {listed(names())}.")
    return _loaded(entry)


@cache
def registered() -> Registered:
    """Every game, loaded. A package that does not work is reported and stops no other."""
    found, broken = [], _refused(_entries())
    for name in names():
        try:
            found.append(load(name))
        except BrokenGameError as error:
            broken.append(error)
    return Registered(tuple(found), tuple(broken))


def package_of(name: str) -> str | None:
    """The package that brings a game, with its prompts, screen and rules; None for a game that is a single module.

    It is found without running the game's own code.
    """
    if name.startswith(PREFIX):
        return "games.openspiel"
    entry = None if name in OWN else _entry(name)
    if entry is None:
        return f"games.{name}" if name in OWN else None
    try:
        found = find_spec(entry.module)
    except Exception:  # whatever the package above it does while it is imported
        return None
    is_package = found is not None and found.submodule_search_locations is not None
    return entry.module if is_package else entry.module.rpartition(".")[0] or None


def installed() -> tuple[str, ...]:
    """The names of the games of other packages."""
    return tuple(name for name in names() if name not in OWN)


@cache
def _entries() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


def _entry(name: str) -> EntryPoint | None:
    return next((entry for entry in _entries() if entry.name == name and _NAME.fullmatch(name)), None)


def _loaded(entry: EntryPoint) -> Game:
    try:
        with redirect_stdout(sys.stderr):  # standard output carries results, and what a package prints is none
            found = entry.load()
    except (Exception, SystemExit) as error:
        raise _broken(entry, f"{type(error).__name__}: {error}") from error
    if not isinstance(found, Game):
        raise _broken(entry, f"{entry.value} is a value of type {type(found).__name__}, not a Game")
    if found.name != entry.name:
        raise _broken(entry, f"its Game has the name {quoted(found.name)}, its entry point another")
    return guarded(found, _reduced)


def _reduced(state: State) -> tuple[Any, ...]:
    return _restored, (state.game.name, values(state))


def _restored(name: str, fields: tuple[Any, ...]) -> State:
    """A pickled state of a game of another package, which this process may not have loaded yet."""
    states: Any = load(name).state_type
    restored: State = states._make((None, *fields))
    return restored


def _reduced_to_json(state: State) -> tuple[Any, ...]:
    """For a state whose fields cannot be pickled."""
    return _restored_from_json, (state.game.name, state.to_json())


def _restored_from_json(name: str, data: dict[str, Any]) -> State:
    return load(name).from_json(data)


def _refused(entries: Sequence[EntryPoint]) -> list[BrokenGameError]:
    """An error for each entry point that is left out for its name."""
    counts = Counter(entry.name for entry in entries)
    reasons = {
        entry.name: "this is the name of a game of tabletop itself"
        if entry.name in OWN
        else "a name has at most 40 lower-case letters, digits and _, and is not shared"
        if not _NAME.fullmatch(entry.name)
        else "several packages bring a game of this name, and only the first is used"
        if counts[entry.name] > 1
        else ""
        for entry in entries
    }
    return [_broken(entry, reason) for entry in entries if (reason := reasons.pop(entry.name, ""))]


def _broken(entry: EntryPoint, reason: str) -> BrokenGameError:
    return BrokenGameError(entry.name, "" if entry.dist is None else entry.dist.name, reason)
