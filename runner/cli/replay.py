"""`tabletop replay LOG`: step through a logged match, print it, or verify it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from games.core import counted
from runner.cli.completion import complete_logs
from runner.cli.display_options import Thoughts, View
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.errors import Exit, LogDamagedError, UsageError

app = new_app()


@app.command()
def replay(
    log: Annotated[
        Path, typer.Argument(help="A log, or with --verify a folder of logs.", metavar="LOG", autocompletion=complete_logs)
    ],
    verify: Annotated[bool, typer.Option("--verify", help="Replay the rules and check every line of the log.")] = False,
    at: Annotated[int, typer.Option("--at", help="Start after decision N.", metavar="N", min=0)] = 0,
    view: View = "all",
    speed: Annotated[
        float, typer.Option("--speed", help="Seconds per step during automatic play.", metavar="SECONDS", min=0.05)
    ] = 1.0,
    thoughts: Thoughts = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print the match as text, as in a pipe.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --verify: print one JSON document.")] = False,
) -> None:
    """Step through a logged match, decision by decision; ? shows the keys.

    Examples: tabletop replay match.jsonl · tabletop replay match.jsonl --plain --view P-2 · tabletop replay logs --verify
    """
    if verify:
        _verify_folder(log, as_json) if log.is_dir() else _verify(log, as_json)
        return
    if as_json:
        raise UsageError("--json needs --verify; use `tabletop export LOG` to write a match as data.")
    if log.is_dir():
        raise UsageError(f"{log} is a folder: specify a log in it, or add --verify.")
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_transcript(log, view, thoughts)
    else:
        from runner.screen.player.show import show

        show(log, view, at, speed, thoughts)


def _print_transcript(path: Path, view: str, has_thoughts: bool) -> None:
    from runner.record.reader import read_sound_part
    from runner.record.replay import opening
    from runner.screen.consoles import results
    from runner.screen.narrator import Narrator
    from runner.screen.perspective import Perspective
    from runner.screen.result import result_screen
    from runner.screen.transcript import transcript

    log = read_sound_part(path)
    game, _ = opening(log.header)
    console = results()
    for line in transcript(log, Narrator(Perspective.of(view, log.header["players"]), has_thoughts)):
        console.print(line, soft_wrap=True)
    if log.result is None:
        console.print("The match is unfinished; `tabletop resume` continues it.")
    else:
        console.print(result_screen(game, log.result))


def _verify(path: Path, as_json: bool) -> None:
    from runner.record.reader import read_log
    from runner.record.verify import verify
    from runner.screen.transcript import verdict_line

    try:
        verdict = verify(read_log(path))
    except LogDamagedError as damage:
        if as_json:
            say_json({"path": str(path), "state": "damaged", "line": damage.line, "why": damage.why})
        raise
    if as_json:
        state = "sound" if verdict.has_ended else "unfinished"
        say_json({"path": str(path), "state": state, "lines": verdict.lines, "decisions": verdict.decisions})
    else:
        say(verdict_line(verdict.decisions, verdict.has_ended))


def _verify_folder(folder: Path, as_json: bool) -> None:
    from runner.record.verify import verify_folder
    from runner.screen.safe_text import clean

    findings = []
    for finding in verify_folder(folder):
        findings.append(finding)
        if not as_json:
            where = f"line {finding.line}: " if finding.line else ""
            say(f"{finding.state:<10} {clean(finding.path)}" + (f"  {where}{clean(finding.why)}" if finding.why else ""))
    counts = Counter(finding.state for finding in findings)
    if as_json:
        say_json({"logs": [finding.to_json() for finding in findings], "counts": counts})
    else:
        say(f"{counted(len(findings), 'log')}: " + ", ".join(f"{count} {state}" for state, count in sorted(counts.items())))
    if counts["damaged"] or counts["unreadable"]:
        raise typer.Exit(Exit.DAMAGED)
