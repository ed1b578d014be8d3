"""`tabletop prompts list`: the templates of every role, and the packs at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import games
from runner.cli.completion import games_named
from runner.cli.output import say, say_json
from runner.cli.prompts.common import JsonFlag, PackOption, new_app
from runner.prompting.manifest import FILE, read_manifest
from runner.prompting.pack import PromptPack
from runner.workshop.new_pack import templates

app = new_app()


@app.command()
def list_prompts(
    game: Annotated[
        str | None, typer.Option("--game", help="Of this game alone.", metavar="GAME", autocompletion=games_named)
    ] = None,
    pack: PackOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List the templates, who uses each, and where it comes from; and the packs in the current folder.

    Examples: tabletop prompts list · tabletop prompts list --pack my-prompts
    """
    used = PromptPack(pack)
    rows = [row for name in ([game] if game else games.names()) for row in _rows(used, name)]
    packs = [_pack(path) for path in _packs(Path.cwd())]
    if as_json:
        say_json({"templates": rows, "packs": packs})
        return
    for name in dict.fromkeys(row["game"] for row in rows):
        say(games.load(name).title)
        _print([row for row in rows if row["game"] == name])
    for found in packs:
        say(f"Pack {found['folder']}: {found['name']} {found['version']}{_of(found)}")


def _rows(pack: PromptPack, name: str) -> list[dict[str, Any]]:
    game = games.load(name)
    return [
        {
            "game": name,
            "template": template,
            "roles": roles,
            "pack": pack.name if pack.overrides(template) else "built-in",
            "file": str(pack.path(template)),
        }
        for template, roles in templates(pack, game).items()
        if roles
    ]


def _print(rows: list[dict[str, Any]]) -> None:
    wide = max(len(row["template"]) for row in rows) if rows else 0
    for row in rows:
        say(f"  {row['template']:<{wide}}  {row['pack']:<9} {', '.join(row['roles'])}")


def _packs(folder: Path) -> list[Path]:
    return sorted(path.parent for pattern in (FILE, f"*/{FILE}", f"*/*/{FILE}") for path in folder.glob(pattern))


def _pack(folder: Path) -> dict[str, Any]:
    where = folder.relative_to(Path.cwd())
    return {"folder": str(where), **read_manifest(folder).model_dump(mode="json", exclude={"offline"})}


def _of(found: dict[str, Any]) -> str:
    author = f" by {found['author']}" if found["author"] else ""
    return author + (f", for {', '.join(found['games'])}" if found["games"] else "")
