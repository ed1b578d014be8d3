"""Program agent: a seat that a program plays, by lines of JSON on its standard input and output."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from games.core import Event, Game, quoted
from runner.agents.environment import Environment
from runner.agents.program_messages import Ignored, Wish, asked, ended, hello, read_reply, told
from runner.agents.program_process import ErrorOutput, ProgramFailure
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Record, Report
from runner.agents.shared_programs import ProgramPlace, Programs
from runner.child_processes import needed_variables
from runner.errors import PausedError, TabletopError, at_seat
from runner.game_folders import rules_text


class Command(Protocol):
    """The SPEC of a program, with the seconds for an answer and the variables that it gets."""

    @property
    def who(self) -> str: ...
    @property
    def command(self) -> str: ...
    @property
    def time_limit(self) -> float: ...
    @property
    def environment(self) -> tuple[str, ...]: ...
    def error(self, why: str) -> TabletopError: ...


def words_of_command(spec: Command) -> list[str]:
    """The words of a checked command line, the first one the path of the file to start. UsageError, for a program of
    agents.toml AccountError, when there is no such file that can be run."""
    name, *others = shlex.split(spec.command)
    if (found := shutil.which(name)) is not None:
        return [found, *others]
    raise spec.error(f"{quoted(name)} {_why_not(name)}")


def _why_not(name: str) -> str:
    path = Path(name)
    if os.sep not in name:
        local = f"; write ./{name} for the file in this folder" if path.is_file() else ""
        return f"is no command on the PATH{local}"
    if path.is_dir():
        return "is a folder"
    return f"is not executable: run chmod +x {shlex.quote(name)}" if path.exists() else "does not exist"


_UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
"""A Python program writes each line at once, as if it flushed."""


def program_environment(environment: Environment, allowed: Iterable[str]) -> dict[str, str]:
    """Paths, language, time zone and terminal, and the variables of `.env` or the environment that `allowed` names."""
    return {**_UNBUFFERED, **needed_variables(), **{name: environment[name] for name in allowed if name in environment}}


def program_agent(
    spec: Command,
    game: Game,
    environment: Environment,
    name: str,
    errors: Path | None,
    programs: Programs | None = None,
    table: object = None,
) -> ProgramAgent:
    """The program of a SPEC, not started yet. UsageError, for a program of agents.toml AccountError, when there is none."""
    variables = program_environment(environment, spec.environment)
    words, rules = words_of_command(spec), rules_text(game)
    return ProgramAgent(spec, words, variables, name, rules, errors, programs=programs, table=table)


_STARTS = 2
"""How often a program is started in one run of a match."""

Ignore = Callable[[DecisionRequest, bytes], None]
"""Called with a line that is not counted: a reply to an older question, or a blank line."""


class ProgramAgent(Agent):
    """A program, started at its first question. One that exits, hangs or floods is started again once; then the match pauses.

    A program that is started in the middle of a match first gets all events so far. `words` is the command line;
    `errors` is the file for its standard error; `ignore` gets the lines that do not count. `had_to_be_killed`: it did not exit
    at the end of the match. A program that keeps several matches stays in `programs` for others than the match `table`.
    """

    def __init__(
        self,
        spec: Command,
        words: Sequence[str],
        environment: Mapping[str, str],
        name: str,
        rules_text: str,
        errors: Path | None = None,
        ignore: Ignore = lambda ask, line: None,
        *,
        programs: Programs | None = None,
        table: object = None,
    ) -> None:
        self._spec, self._words, self._environment = spec, words, environment
        self._name, self._rules_text = name, rules_text
        self._errors = ErrorOutput(errors)
        self.ignore = ignore
        self.had_to_be_killed = False
        self._own = Programs()
        self._programs, self._table = programs or self._own, table
        self._place: ProgramPlace | None = None
        self._starts = 0
        self._happened: list[Event] = []
        self._told = 0
        self._number = -1

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The program's answer or mistake. PausedError when it gives none although it was started again."""
        with at_seat(ask.seat):
            while True:
                begun = time.monotonic()
                try:
                    reply = await self._answer(ask)
                    reply.facts["latency"] = _seconds_since(begun)
                    return reply
                except ProgramFailure as failure:
                    facts = {"what": failure.kind, "why": f"the program {failure}", "latency": _seconds_since(begun)}
                    await self._kill()
                    await report({"try": self._starts, "outcome": "infrastructure", **facts})
                    if self._starts >= _STARTS:
                        raise PausedError(f"the program {quoted(self._spec.who)} {failure}.") from None

    async def _answer(self, ask: DecisionRequest) -> AgentReply:
        limit = self._spec.time_limit
        self._note(ask)
        place = self._place = self._place or await self._started(ask)
        try:
            async with asyncio.timeout(limit):
                place.begin_answer()
                self._tell(place)
                place.send(asked(ask, limit, place.worlds))
                while True:
                    line = await place.line()
                    found = read_reply(line, ask.number, place.named, takes_wish=place.may_wish)
                    if isinstance(found, Ignored):
                        self.ignore(ask, line)
                        continue
                    if not isinstance(found, Wish):
                        place.decide()
                        return found
                    place.decide(found)
                    place.send(asked(ask, limit, place.worlds))
        except TimeoutError:
            raise ProgramFailure("timeout", f"gave no answer within {limit:g} s") from None

    async def _started(self, ask: DecisionRequest) -> ProgramPlace:
        """A place in a process, which has been told of the match."""
        self._starts += 1
        try:
            place = await self._programs.join(self._words, self._environment, self._errors, self._table)
        except OSError as error:
            raise PausedError(f"the program {quoted(self._spec.who)} cannot be started: {error.strerror}.") from error
        place.send(hello(ask, self._name or f"P-{ask.seat}", self._rules_text, place.match))
        self._told = 0
        return place

    def _note(self, ask: DecisionRequest) -> None:
        """Keep the events that come with a question, once."""
        if ask.number != self._number:
            self._number = ask.number
            self._happened += ask.told

    def _tell(self, place: ProgramPlace) -> None:
        if events := self._happened[self._told :]:
            place.send(told(events))
            self._told = len(self._happened)

    async def _kill(self) -> None:
        place, self._place = self._place, None
        if place is not None:
            await place.kill()
            self._note_left(place)

    def remember(self, ask: DecisionRequest, attempt: Record) -> None:
        """Keep what happened, for the program that is started at the first question that the log does not answer."""
        self._note(ask)

    async def end(self, told: Sequence[Event], result: Record | None) -> None:
        """Tell the program the rest and the result, and have it exit unless it keeps other matches."""
        place, self._place = self._place, None
        if place is not None:
            self._happened += told
            self._tell(place)
            place.send(ended(result))
            self.had_to_be_killed = not (await place.leave() and await self._own.close())
            self._note_left(place)

    def _note_left(self, place: ProgramPlace) -> None:
        """Say what the program has started that could not be ended."""
        if left := place.take_left():
            with suppress(OSError):
                sys.stderr.write(f"Note: {quoted(self._spec.who)} has left what cannot be ended: {left!a}.\n")


def _seconds_since(begun: float) -> float:
    return round(time.monotonic() - begun, 3)
