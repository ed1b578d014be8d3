"""`tabletop prompts list`, `show`, `variables`, `new`, `diff` and `lint`: templates of roles, and packs that override them."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

import games
from games.core import Game, counted
from games.search.cases import corpus
from runner.cli.options import GameName, PackFolder, SeveralGames, complete_games
from runner.cli.output import print_diff, say, say_json
from runner.errors import Exit, UsageError
from runner.prompting.pack import FILE, PromptPack, packs_below, template_name
from runner.prompting.template_deps import templates_in_use, with_dependencies
from runner.review.judge import JUDGE, ROLE
from runner.screen.safe_text import clean
from runner.workshop.case_prompts import reaches
from runner.workshop.lint.issues import FAULT
from runner.workshop.lint.template_reading import VARIABLES
from runner.workshop.new_pack import check_role, games_of, start_pack, templates
from runner.workshop.new_pack import diff as difference

AGame = Annotated[str | None, typer.Argument(show_default=False, autocompletion=complete_games)]


def list_templates(game: AGame = None, pack: PackFolder = None, as_json: bool = False) -> None:
    """List the templates with their roles and packs, and the packs in the current folder."""
    used = PromptPack(pack)
    tables = {found.title: _rows(used, found) for found in ([games.load(game)] if game else games.registered().games)}
    if game is None:
        names = with_dependencies(used, template_name(JUDGE, ROLE))
        tables["Judge of claims"] = [{"game": JUDGE, "roles": [ROLE], **_place(used, name)} for name in names]
    packs = packs_below(Path())
    if as_json:
        found = [{"folder": str(path), **manifest.model_dump(mode="json", exclude={"offline"})} for path, manifest in packs]
        say_json({"templates": [row for rows in tables.values() for row in rows], "packs": found})
        return
    for title, rows in tables.items():
        say(title)
        wide = max((len(row["template"]) for row in rows), default=0)
        for row in rows:
            say(f"  {row['template']:<{wide}}  {row['pack']:<9} {', '.join(row['roles'])}")
    for path, manifest in packs:
        author = f" by {manifest.author}" if manifest.author else ""
        of_games = f", for {', '.join(manifest.games)}" if manifest.games else ""
        say(f"Pack {path}: {manifest.name} {manifest.version}{author}{of_games}")


def _rows(pack: PromptPack, game: Game) -> list[dict[str, Any]]:
    return [{"game": game.name, "roles": roles, **_place(pack, name)} for name, roles in templates(pack, game).items() if roles]


def _place(pack: PromptPack, name: str) -> dict[str, str]:
    return {"template": name, "pack": pack.name if pack.overrides(name) else "built-in", "file": str(pack.path(name))}


def show(game: GameName, role: str, pack: PackFolder = None, as_json: bool = False) -> None:
    """Show the templates of a role's prompt, with the file of each."""
    found, used = games.load(game), PromptPack(pack)
    check_role(found, role)
    parts = [{**_place(used, name), "text": used.source(name)} for name in templates_in_use(used, found)[role]]
    if as_json:
        say_json({"game": game, "role": role, "parts": parts})
        return
    say(f"{found.title}, {role}: {found.roles[role]}")
    for part in parts:
        say(f"\n=== {part['template']} ({part['pack']}: {part['file']})")
        say(part["text"].rstrip("\n"))


def variables(game: GameName, role: str, matches: int = 30, as_json: bool = False) -> None:
    """Show every variable that the templates of a role can use, with its type and an example, found by play."""
    found = games.load(game)
    check_role(found, role)
    reach = reaches(found, corpus(found, matches))[role]
    rows = [variable.to_json(reach.cases) for variable in reach.in_order() if variable.path[0] != "own"]
    for row in rows:
        row["about"] = _described(found, row["name"])
    if as_json:
        say_json({"game": game, "role": role, "decisions": reach.cases, "variables": rows})
        return
    wide = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        example = "" if row["example"] is None else f"  e.g. {json.dumps(row['example'], ensure_ascii=False)}"
        about = f"  {row['about']}" if row["about"] else ""
        say(f"{'  ' if row['always'] else '* '}{row['name']:<{wide}}  {row['kind']}{about}{example}")
    found_in = f"{counted(reach.cases, 'decision')} of {counted(matches, 'match')}"
    say(f"own is view.own. Found in {found_in}; * marks variables that not every decision has.")


def _described(game: Game, name: str) -> str:
    """The description of a name, if the code has one."""
    root, _, rest = name.partition(".")
    is_option = root == "options" and rest in game.options
    return game.options[rest].help if is_option else "" if rest else VARIABLES.get(root, "")


def new(folder: Path, game: AGame = None, role: list[str] | None = None, part: list[str] | None = None) -> None:
    """Start a prompt pack with copies of the built-in templates that you want to change, or add copies to a pack."""
    written, kept = start_pack(folder, games.load(game) if game else None, role or [], part or [])
    for name in written:
        say(f"{folder}/{name}")
    for name in kept:
        typer.echo(f"{folder}/{name} exists already and stays as it is.", err=True)
    if written == [FILE]:
        say("No templates copied: choose them with GAME, --role and --part; `tabletop prompts list` lists them.")


def diff(pack: Path) -> None:
    """Show how the templates of a pack differ from the built-in ones."""
    lines = list(difference(PromptPack(pack)))
    if lines:
        print_diff(lines)
    else:
        say("The pack changes nothing.")


def lint(pack: Path | None = None, game: SeveralGames = None, matches: int = 48, seed: int = 0, as_json: bool = False) -> None:
    """Render every prompt for decisions of every kind, and report problems with file, line and an example decision."""
    from runner.screen.consoles import live_status
    from runner.workshop.lint.case_checks import lint as linted

    used = PromptPack(pack)
    if used.folder is not None and not any(used.folder.glob("*/*.j2")) and not any(used.folder.glob("*.j2")):
        raise UsageError(
            f"There is no template in {used.folder}: a pack has files GAME/ROLE.j2; `tabletop prompts new` makes one."
        )
    named = game or (used.manifest.games if used.manifest else ())
    names = [games.load(name).name for name in named] or games_of(used)
    with live_status() as show:
        report = linted(used, names, matches, seed, show)
    if as_json:
        say_json(report.to_json())
    else:
        for finding in report.findings:
            say(clean(str(finding) if finding.level == FAULT else f"note: {finding}", 2000))
        for name, costs in report.costs.items():
            for of, cost in costs.items():
                tokens = f"{cost['decision']:,} tokens a decision, {cost['match']:,} a match of bots"
                say(f"{name}, pack {clean(of)}: {tokens}; {cost['cached']:.0%} of each prompt can be cached")
        for name, length in sorted(report.lengths.items()):
            say(f"{name}: at most {length['tokens']} tokens, estimated ({length['case']})")
        counts = {"fault": report.faults, "note": len(report.findings) - report.faults}
        found = ", ".join(f"{count or 'no'} {word}{'' if count == 1 else 's'}" for word, count in counts.items())
        say(f"{report.rendered} prompts rendered: {found}.")
    if report.faults:
        raise typer.Exit(Exit.USAGE)
