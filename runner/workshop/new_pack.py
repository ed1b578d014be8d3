"""New packs: copies of built-in templates to edit, and the difference to the built-in pack."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import games
from games.core import Game, listed
from runner.errors import UsageError
from runner.prompting.loader import built_in_folder, files_in
from runner.prompting.manifest import FILE
from runner.prompting.pack import PromptPack, template_name
from runner.prompting.template_deps import templates_in_use
from runner.prompting.template_errors import SUFFIX


def check_role(game: Game, role: str) -> None:
    """UsageError for a role that the game does not have."""
    if role not in game.roles:
        raise UsageError(f"There is no role {role!r} in {game.title}: there is {listed(list(game.roles))}.")


def start_pack(folder: Path, game: Game | None, roles: Sequence[str], parts: Sequence[str]) -> list[str]:
    """Create a pack with copies of built-in templates; returns their names. UsageError when it cannot be created."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists already and is not empty: name another folder.")
    names = _names(game, roles, parts)
    _write(folder / FILE, _manifest(folder.resolve().name, sorted({name.split("/")[0] for name in names} & set(games.names()))))
    for name in names:
        _write(folder / name, PromptPack().source(name))
    return names


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
        if not part.endswith(SUFFIX) or not (built_in_folder() / part).is_file():
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
        built_in = built_in_folder() / name
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
