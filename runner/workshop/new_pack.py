"""New packs: copies of built-in templates to edit, in a new or an existing pack; and the difference to the built-in pack."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import games
from games.core import Game, listed
from runner.errors import UsageError
from runner.prompting.loader import built_in_path, files_in
from runner.prompting.manifest import FILE, Manifest, read_manifest
from runner.prompting.pack import PromptPack, template_name
from runner.prompting.template_deps import templates_in_use
from runner.prompting.template_errors import SUFFIX
from runner.regular_files import read_regular_text

_GAMES = re.compile(r"^games\s*=\s*\[[^\]]*\]", re.MULTILINE)


class NewFiles(NamedTuple):
    """The files written for a pack, and those that it had and keeps."""

    written: list[str]
    kept: list[str]


def check_role(game: Game, role: str) -> None:
    """UsageError for a role that the game does not have."""
    if role not in game.roles:
        raise UsageError(f"There is no role {role!r} in {game.title}: there is {listed(list(game.roles))}.")


def start_pack(folder: Path, game: Game | None, roles: Sequence[str], parts: Sequence[str]) -> NewFiles:
    """Create a pack with copies of built-in templates, or add them to a pack. UsageError when they cannot be written."""
    names = _names(game, roles, parts)
    manifest = _checked_manifest(folder, names)
    for_games = sorted({name.split("/")[0] for name in names} & set(games.names()))
    if manifest is None:
        _write(folder / FILE, _manifest(Path(os.path.abspath(folder)).name, for_games))
    elif missing := [name for name in for_games if manifest.games and name not in manifest.games]:
        _add_games(folder / FILE, [*manifest.games, *missing])
    kept = [name for name in names if (folder / name).exists()]
    new = [name for name in names if name not in kept]
    for name in new:
        _write(folder / name, PromptPack().source(name))
    return NewFiles([FILE, *new] if manifest is None else new, kept)


def _checked_manifest(folder: Path, names: Sequence[str]) -> Manifest | None:
    """The manifest of a pack to add templates to; None for a folder to create. UsageError for any other folder."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return None
    if not (folder / FILE).is_file():
        raise UsageError(f"{folder} is not empty and has no {FILE}: name another folder.")
    if not names:
        raise UsageError(f"{folder} is a prompt pack already: say what to add with --game, --role or --part.")
    return read_manifest(folder)


def _add_games(path: Path, for_games: Sequence[str]) -> None:
    """Name more games in a manifest, whose other lines stay as they are."""
    text = read_regular_text(path, "The manifest")
    _write(path, _GAMES.sub(lambda _: f"games = {json.dumps(list(for_games))}", text, count=1))


def _names(game: Game | None, roles: Sequence[str], parts: Sequence[str]) -> list[str]:
    if game is None:
        if roles:
            raise UsageError("--role goes with --game: say which game has that role.")
        own = []
    else:
        for role in roles:
            check_role(game, role)
        own = [template_name(game.name, role) for role in roles or (() if parts else game.roles)]
    for part in parts:
        if not part.endswith(SUFFIX) or not built_in_path(part).is_file():
            raise UsageError(f"There is no template {part!r}: `tabletop prompts list` names them all.")
    return list(dict.fromkeys([*own, *parts]))


def _manifest(name: str, for_games: Sequence[str]) -> str:
    said = f'name = {json.dumps(name)}\nversion = "1"\nauthor = ""\n'
    return said + (f"games = {json.dumps(for_games)}\n" if for_games else "")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def diff(pack: PromptPack) -> Iterator[str]:
    """The lines of a unified diff from the built-in templates to those of a pack."""
    assert pack.folder is not None
    for name in files_in(pack.folder):
        if not name.endswith(SUFFIX):
            continue
        built_in = built_in_path(name)
        before = PromptPack().source(name) if built_in.is_file() else ""
        yield from unified(before, pack.source(name), f"built-in/{name}", f"{pack.name}/{name}")


def unified(before: str, after: str, old: str, new: str) -> Iterator[str]:
    """The lines of a unified diff of two texts; none if they are equal."""
    return difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm="")


def templates(pack: PromptPack, game: Game) -> dict[str, list[str]]:
    """Each template of a game's prompts with the roles that use it, the roles' own templates first."""
    found: dict[str, list[str]] = {template_name(game.name, role): [] for role in game.roles}
    for role, names in templates_in_use(pack, game).items():
        for name in names:
            found.setdefault(name, []).append(role)
    return found
