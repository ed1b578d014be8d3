"""`tabletop check-bot SPEC`: plays quick matches with a program or a function, and says what it does wrong."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, replace
from itertools import count
from typing import TYPE_CHECKING

import typer

import games
from games.core import Game, counted
from runner.agents.function_agent import FunctionAgent
from runner.agents.protocol import Agent
from runner.agents.spec import Function, Program, check_spec, seat_spec
from runner.cli.command_environment import load_environment
from runner.cli.options import SeveralGames
from runner.cli.output import say, say_json
from runner.errors import Exit, UsageError
from runner.screen.consoles import live_status
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.workshop.bot_check import CheckReport

_LONGEST = 2000
_MOST_OF_LINE = 500


def check_bot(
    spec: str,
    game: SeveralGames = None,
    matches: int = 100,
    time_limit: float | None = None,
    as_json: bool = False,
) -> None:
    """Play quick matches between bots and a program or a function, and report what it does wrong."""
    from runner.workshop.bot_check import check, matches_of

    environment = load_environment()
    names = [games.load(name).name for name in game or games.names()]
    named = seat_spec(spec, environment)
    for name in names:
        check_spec(named, games.load(name), environment)
    if not isinstance(named, Program | Function):
        raise UsageError(f"check-bot {clean(spec)}: specify a program, cmd:COMMAND LINE, or a function, py:MODULE:NAME.")
    found = named if time_limit is None else replace(named, time_limit=time_limit)

    def new_agent(game: Game) -> Agent:
        if isinstance(found, Program):
            return found.agent(game, environment)
        return FunctionAgent(found.load(), found.time_limit, found.who)

    new_agent(games.load(names[0]))
    played = count(1)
    with live_status() as show:
        chosen = matches_of(names, matches)
        report = asyncio.run(
            check(new_agent, found.time_limit, chosen, lambda: show(f"{next(played)} of {counted(matches, 'match')}"))
        )
    if as_json:
        longest = {"start": max(report.starts, default=None), "answer": max(report.seconds, default=None)}
        problems = [asdict(problem) for problem in report.problems.values()]
        answers = len(report.starts) + len(report.seconds)
        facts = {"matches": report.matches, "stopped": report.stopped, "answers": answers, "seconds": longest}
        say_json({"spec": spec, **facts, "problems": problems})
    else:
        _print(spec, report)
    if report.problems:
        raise typer.Exit(Exit.USAGE)


def _print(spec: str, report: CheckReport) -> None:
    answers = len(report.starts) + len(report.seconds)
    say(clean(f"{spec}: {counted(report.matches, 'match')} to the end, {counted(answers, 'answer')}.", _LONGEST))
    if report.starts and report.seconds:
        mean = sum(report.seconds) / len(report.seconds)
        start, longest = max(report.starts), max(report.seconds)
        say(f"Seconds: {start:.3f} until the first answer at most, then {mean:.4f} on average and {longest:.3f} at most.")
    for problem in report.problems.values():
        where = f"question {problem.question}, " if problem.question is not None else ""
        say()
        say(clean(f"{problem.kind}, {counted(problem.count, 'time')}: {problem.why}", _LONGEST))
        say(clean(f"  first in {where}{problem.match}", _LONGEST))
        if problem.ask is not None:
            say(clean(f"  asked: {json.dumps(problem.ask)}", _MOST_OF_LINE))
        for line in problem.wrote.splitlines():
            say(clean(f"  wrote: {line}", _MOST_OF_LINE))
    if report.stopped:
        say(f"{counted(report.stopped, 'match')} stopped before the end; after three of them no further one starts.")
    kinds = counted(len(report.problems), "kind")
    say(f"{kinds} of problems; --json shows the whole messages." if report.problems else "No problems.")
