"""New packs and new games: copies of built-in templates to edit, and the skeleton of a package with a game."""

import difflib
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword, issoftkeyword
from pathlib import Path

import games
from games.core import Game, listed, quoted
from runner.errors import UsageError, unwritable
from runner.files import read_regular_text
from runner.prompting.pack import FILE, Manifest, PromptPack, read_manifest, template_name
from runner.prompting.renderer import built_in_path, files_in
from runner.prompting.template_deps import templates_in_use
from runner.prompting.template_errors import SUFFIX
from runner.record.writer import write_file

_GAMES = re.compile(r"^games\s*=\s*\[[^\]]*\]", re.MULTILINE)


def check_role(game: Game, role: str) -> None:
    """UsageError for a role that the game does not have."""
    if role not in game.roles:
        raise UsageError(f"There is no role {quoted(role)} in {game.title}: there is {listed(list(game.roles))}.")


def start_pack(folder: Path, game: Game | None, roles: Sequence[str], parts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Create a pack with copies of built-in templates, or add them to a pack: the files that are written, and those that it had
    and keeps. UsageError when they cannot be written."""
    names = _names(game, roles, parts)
    manifest = _checked_manifest(folder, names)
    for_games = sorted({name.split("/")[0] for name in names} & set(games.names()))
    if manifest is None:
        said = f'name = {json.dumps(Path(os.path.abspath(folder)).name)}\nversion = "1"\nauthor = ""\n'
        _write(folder / FILE, said + (f"games = {json.dumps(for_games)}\n" if for_games else ""))
    elif missing := [name for name in for_games if manifest.games and name not in manifest.games]:
        text = read_regular_text(folder / FILE, "The manifest")  # the other lines stay as they are
        named = f"games = {json.dumps([*manifest.games, *missing])}"
        _write(folder / FILE, _GAMES.sub(lambda _: named, text, count=1))
    kept = [name for name in names if (folder / name).exists()]
    new = [name for name in names if name not in kept]
    for name in new:
        _write(folder / name, PromptPack().source(name).rstrip("\n") + "\n")
    return [FILE, *new] if manifest is None else new, kept


def _checked_manifest(folder: Path, names: Sequence[str]) -> Manifest | None:
    """The manifest of a pack to add templates to; None for a folder to create. UsageError for any other folder."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return None
    if not (folder / FILE).is_file():
        raise UsageError(f"{folder} is not empty and has no {FILE}: name another folder.")
    if not names:
        raise UsageError(f"{folder} is a prompt pack already: say what to add with GAME, --role or --part.")
    return read_manifest(folder)


def _names(game: Game | None, roles: Sequence[str], parts: Sequence[str]) -> list[str]:
    own = list[str]()
    if game is not None:
        for role in roles or (() if parts else game.roles):
            check_role(game, role)
            own.append(template_name(game.name, role))
    elif roles:
        raise UsageError("--role goes with GAME: say which game has that role.")
    for part in parts:
        if not part.endswith(SUFFIX) or not built_in_path(part).is_file():
            raise UsageError(f"There is no template {quoted(part)}: `tabletop prompts list` names them all.")
    return list(dict.fromkeys([*own, *parts]))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(f"The folder {path.parent}", error) from error
    write_file(path, text)


def diff(pack: PromptPack) -> Iterator[str]:
    """The lines of a unified diff from the built-in templates to those of a pack."""
    assert pack.folder is not None
    for name in files_in(pack.folder):
        if not name.endswith(SUFFIX):
            continue
        before = PromptPack().source(name) if built_in_path(name).is_file() else ""
        yield from unified(before, pack.source(name), f"built-in/{name}", f"{pack.name}/{name}")


def unified(before: str, after: str, old: str, new: str) -> Iterator[str]:
    return difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm="")


def templates(pack: PromptPack, game: Game) -> dict[str, list[str]]:
    """Each template of a game's prompts with the roles that use it, the roles' own templates first."""
    found: dict[str, list[str]] = {template_name(game.name, role): [] for role in game.roles}
    for role, names in templates_in_use(pack, game).items():
        for name in names:
            found.setdefault(name, []).append(role)
    return found


def games_of(pack: PromptPack) -> list[str]:
    """The games whose prompts a pack changes: all, where it has templates outside of their folders."""
    known = [game.name for game in games.registered().games]
    names = [] if pack.folder is None else [Path(name) for name in files_in(pack.folder)]
    own = {name.parent.name for name in names if name.suffix == SUFFIX} if pack.folder else set(known)
    return [name for name in known if name in own or own - set(known)]


_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST_NAME = 40
_SUFFIX = ".txt"
_PACKAGE = "package"


def start_game(folder: Path, name: str) -> list[str]:
    """Write a package with a game of that name, and return its files, sorted. UsageError for a name that is taken or cannot be
    one, and for a folder that is not empty or cannot be written."""
    _check_name(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists already: name another folder with -o.")
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
    if iskeyword(name) or issoftkeyword(name):
        raise UsageError(f"{quoted(name)} is a keyword of Python, and no package has such a name: choose another name.")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise UsageError(f"There is a Python package {quoted(name)} already, which the game would hide: choose another name.")


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            yield path + entry.name, entry


def _named(text: str, name: str) -> str:
    words = name.split("_")
    spellings = {
        "my_game": name,
        "my-game": "-".join(words),
        "MyGame": "".join(map(str.capitalize, words)),
        "My Game": " ".join(map(str.capitalize, words)),
    }
    return re.sub("|".join(spellings), lambda found: spellings[found[0]], text)
