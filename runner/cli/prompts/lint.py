"""`tabletop prompts lint [PACK]`: checks prompts by rendering them for real decisions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

import games
from runner.cli.completion import complete_games
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.prompts.common import JsonFlag
from runner.errors import Exit, UsageError
from runner.prompting.pack import PromptPack
from runner.workshop.lint.issues import FAULT, Issue
from runner.workshop.lint.linter import LintReport, lint

app = new_app()


@app.command()
def lint_pack(
    pack: Annotated[Path | None, typer.Argument(help="Folder of a prompt pack. [default: built-in]", metavar="PACK")] = None,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", help="Check only this game, repeatable.", metavar="GAME", autocompletion=complete_games),
    ] = None,
    matches: Annotated[int, typer.Option("--matches", help="Matches per game to render.", metavar="N", min=1)] = 48,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.", metavar="N")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Render every prompt for decisions of every kind, and report problems with file, line and an example decision.

    The exit status is 2 if there is a fault. Notes are not faults.

    Examples: tabletop prompts lint · tabletop prompts lint my-prompts --game GAME
    """
    used = PromptPack(pack)
    if used.folder is not None and not any(used.folder.glob("*/*.j2")) and not any(used.folder.glob("*.j2")):
        raise UsageError(
            f"There is no template in {used.folder}: a pack has files GAME/ROLE.j2; `tabletop prompts new` makes one."
        )
    names = [games.load(name).name for name in game or (used.manifest.games if used.manifest else ())] or [
        known.name for known in games.registered().games
    ]
    report = lint(used, names, matches, seed, _progress())
    if as_json:
        say_json(report.to_json())
    else:
        _print(report)
    if report.faults:
        raise typer.Exit(Exit.USAGE)


def _progress() -> Callable[[str], None]:
    from runner.screen.consoles import is_animated, narration

    console = narration()
    if not is_animated(console):
        return lambda what: None
    status = console.status("")
    status.start()
    return lambda what: status.update(what[: console.width - 4])


def _print(report: LintReport) -> None:
    from runner.screen.safe_text import clean

    for finding in report.findings:
        say(clean(_told(finding), 2000))
    for name, length in sorted(report.lengths.items()):
        say(f"{name}: at most {length['tokens']} tokens, estimated ({length['case']})")
    notes = len(report.findings) - report.faults
    say(f"{report.rendered} prompts rendered: {_count(report.faults, 'fault')}, {_count(notes, 'note')}.")


def _told(finding: Issue) -> str:
    return str(finding) if finding.level == FAULT else f"note: {finding}"


def _count(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"
