"""`tabletop prompts list`: the templates of every role, and the packs in this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypedDict

import typer

import games
from games.core import Game
from runner.cli.completion import complete_games
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.prompts.common import JsonFlag, PackOption
from runner.prompting.manifest import FILE, Manifest, read_manifest
from runner.prompting.pack import PromptPack
from runner.workshop.new_pack import templates

app = new_app()


@app.command()
def list_prompts(
    game: Annotated[
        str | None, typer.Option("--game", help="List only this game.", metavar="GAME", autocompletion=complete_games)
    ] = None,
    pack: PackOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List the templates with their roles and packs, and the packs in the current folder.

    Examples: tabletop prompts list · tabletop prompts list --pack my-prompts
    """
    used = PromptPack(pack)
    rows = [row for found in ([games.load(game)] if game else games.registered().games) for row in _rows(used, found)]
    packs = [(folder.relative_to(Path.cwd()), read_manifest(folder)) for folder in _packs(Path.cwd())]
    if as_json:
        found = [{"folder": str(path), **manifest.model_dump(mode="json", exclude={"offline"})} for path, manifest in packs]
        say_json({"templates": rows, "packs": found})
        return
    for name in dict.fromkeys(row["game"] for row in rows):
        say(games.load(name).title)
        _print([row for row in rows if row["game"] == name])
    for path, manifest in packs:
        say(f"Pack {path}: {manifest.name} {manifest.version}{_origin(manifest)}")


class TemplateRow(TypedDict):
    """A template, the roles that use it, and the pack and file it comes from."""

    game: str
    template: str
    roles: list[str]
    pack: str
    file: str


def _rows(pack: PromptPack, game: Game) -> list[TemplateRow]:
    return [
        {
            "game": game.name,
            "template": template,
            "roles": roles,
            "pack": pack.name if pack.overrides(template) else "built-in",
            "file": str(pack.path(template)),
        }
        for template, roles in templates(pack, game).items()
        if roles
    ]


def _print(rows: list[TemplateRow]) -> None:
    wide = max(len(row["template"]) for row in rows) if rows else 0
    for row in rows:
        say(f"  {row['template']:<{wide}}  {row['pack']:<9} {', '.join(row['roles'])}")


def _packs(folder: Path) -> list[Path]:
    return sorted(path.parent for pattern in (FILE, f"*/{FILE}", f"*/*/{FILE}") for path in folder.glob(pattern))


def _origin(manifest: Manifest) -> str:
    author = f" by {manifest.author}" if manifest.author else ""
    return author + (f", for {', '.join(manifest.games)}" if manifest.games else "")
