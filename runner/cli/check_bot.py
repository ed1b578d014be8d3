"""`tabletop check-bot SPEC`: plays quick matches with a program or a function, and says what it does wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import typer

import games
from games.core import Game, counted
from runner.cli.completion import complete_games
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.errors import Exit, UsageError
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.agents.protocol import Agent
    from runner.agents.spec import Function, Program
    from runner.workshop.bot_check import CheckReport, Problem

app = new_app()

_LONGEST = 2000
_MOST_OF_LINE = 500


@app.command()
def check_bot(
    spec: Annotated[
        str, typer.Argument(help="A program or a function: cmd:COMMAND LINE, py:MODULE:NAME, a name.", metavar="SPEC")
    ],
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game", help="Game to play; may be repeated. [default: all]", metavar="NAME", autocompletion=complete_games
        ),
    ] = None,
    matches: Annotated[int, typer.Option("--matches", help="Number of matches.", metavar="N", min=1, max=100_000)] = 100,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", help="Seconds for an answer. [default: as in a match, 60]", metavar="SECONDS", min=0.01),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Play quick matches between bots and a program or a function, and report what it does wrong.

    The exit status is 2 if there is a problem. Nothing is logged.

    Example: tabletop check-bot 'cmd:python bot.py' --game GAME
    """
    from runner.agents.factory import check_spec
    from runner.agents.named_spec import seat_spec
    from runner.agents.spec import Function, Program
    from runner.cli.config_files import load_settings
    from runner.workshop.bot_check import check, matches_of

    settings = load_settings()
    names = [games.load(name).name for name in game or games.names()]
    found = seat_spec(spec, settings)
    for name in names:
        check_spec(found, games.load(name), settings)
    if not isinstance(found, Program | Function):
        raise UsageError(f"check-bot {clean(spec)}: specify a program, cmd:COMMAND LINE, or a function, py:MODULE:NAME.")
    found = found if time_limit is None else replace(found, time_limit=time_limit)
    new_agent = _new_agent(found, settings)
    new_agent(games.load(names[0]))
    report = asyncio.run(check(new_agent, found.time_limit, matches_of(names, matches), _progress(matches)))
    if as_json:
        say_json(_document(spec, report))
    else:
        _print(spec, report)
    if report.problems:
        raise typer.Exit(Exit.USAGE)


def _new_agent(spec: Program | Function, settings: Settings) -> Callable[[Game], Agent]:
    from runner.agents.outside_seats import function_agent, program_agent
    from runner.agents.spec import Program

    if isinstance(spec, Program):
        return lambda game: program_agent(spec, game, settings, "", None)
    return lambda game: function_agent(spec)


def _progress(total: int) -> Callable[[], None]:
    """Shows on a terminal how many matches have ended."""
    from runner.screen.consoles import is_animated, narration

    console, played = narration(), 0
    if not is_animated(console):
        return lambda: None

    def show() -> None:
        nonlocal played
        played += 1
        console.file.write(f"\r{played} of {counted(total, 'match')}" if played < total else "\r\033[K")
        console.file.flush()

    return show


def _document(spec: str, report: CheckReport) -> dict[str, object]:
    return {
        "spec": spec,
        "matches": report.matches,
        "stopped": report.stopped,
        "answers": len(report.starts) + len(report.seconds),
        "seconds": {"start": max(report.starts, default=None), "answer": max(report.seconds, default=None)},
        "problems": [asdict(problem) for problem in report.problems.values()],
    }


def _print(spec: str, report: CheckReport) -> None:
    answers = len(report.starts) + len(report.seconds)
    say(clean(f"{spec}: {counted(report.matches, 'match')} to the end, {counted(answers, 'answer')}.", _LONGEST))
    if report.starts and report.seconds:
        mean = sum(report.seconds) / len(report.seconds)
        start, longest = max(report.starts), max(report.seconds)
        say(f"Seconds: {start:.3f} until the first answer at most, then {mean:.4f} on average and {longest:.3f} at most.")
    for problem in report.problems.values():
        _print_problem(problem)
    if report.stopped:
        say(f"{counted(report.stopped, 'match')} stopped before the end; after three of them no further one starts.")
    kinds = counted(len(report.problems), "kind")
    say(f"{kinds} of problems; --json shows the whole messages." if report.problems else "No problems.")


def _print_problem(problem: Problem) -> None:
    where = f"question {problem.question}, " if problem.question is not None else ""
    say("")
    say(clean(f"{problem.kind}, {counted(problem.count, 'time')}: {problem.why}", _LONGEST))
    say(clean(f"  first in {where}{problem.match}", _LONGEST))
    if problem.ask is not None:
        say(clean(f"  asked: {json.dumps(problem.ask)}", _MOST_OF_LINE))
    for line in problem.wrote.splitlines():
        say(clean(f"  wrote: {line}", _MOST_OF_LINE))
