"""Program agent: a seat that a program plays, by lines of JSON on its standard input and output."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from games.core import Event, quoted
from runner.agents.error_output import ErrorOutput
from runner.agents.program_messages import asked, ended, hello, line_of, told
from runner.agents.program_process import ProgramFailure, ProgramProcess
from runner.agents.program_reply import Ignored, read_reply
from runner.agents.protocol import Ask, Given, Record, Report
from runner.agents.spec import Program
from runner.errors import PausedError, at_seat

_STARTS = 2
"""How often a program is started in one run of a match."""

Ignore = Callable[[Ask, bytes], None]
"""Called with a line that is not counted: a reply to an older question, or a blank line."""


class ProgramAgent:
    """A program, started at its first question. One that exits, hangs or floods is started again once; then the match pauses.

    A program that is started in the middle of a match first gets all events so far. `words` is the command line;
    `errors` is the file for its standard error; `ignore` gets the lines that do not count. `had_to_be_killed`: it did not exit
    at the end of the match.
    """

    is_paid = True

    def __init__(
        self,
        spec: Program,
        words: Sequence[str],
        environment: Mapping[str, str],
        name: str,
        rules_text: str,
        errors: Path | None = None,
        ignore: Ignore = lambda ask, line: None,
    ) -> None:
        self._spec, self._words, self._environment = spec, words, environment
        self._name, self._rules_text = name, rules_text
        self._errors = ErrorOutput(errors)
        self.ignore = ignore
        self.had_to_be_killed = False
        self._process: ProgramProcess | None = None
        self._starts = 0
        self._happened: list[Event] = []
        self._told = 0
        self._number = -1

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The program's answer or mistake. PausedError when it gives none although it was started again."""
        with at_seat(ask.seat):
            while True:
                begun = time.monotonic()
                try:
                    given = await self._answer(ask)
                    given.facts["latency"] = _seconds_since(begun)
                    return given
                except ProgramFailure as failure:
                    facts = {"what": failure.kind, "why": f"the program {failure}", "latency": _seconds_since(begun)}
                    await self._kill()
                    await report({"try": self._starts, "outcome": "infrastructure", **facts})
                    if self._starts >= _STARTS:
                        raise PausedError(f"the program {quoted(self._spec.who)} {failure}.") from None

    async def _answer(self, ask: Ask) -> Given:
        limit = self._spec.time_limit
        try:
            async with asyncio.timeout(limit):
                process = await self._asked(ask)
                while True:
                    line = await process.line()
                    found = read_reply(line, ask.number)
                    if not isinstance(found, Ignored):
                        return found
                    self.ignore(ask, line)
        except TimeoutError:
            raise ProgramFailure("timeout", f"gave no answer within {limit:g} s") from None

    async def _asked(self, ask: Ask) -> ProgramProcess:
        """The process, which has been asked."""
        self._note(ask)
        if self._process is None:
            self._process = await self._start()
            self._process.send(line_of(hello(ask, self._name or f"P-{ask.seat}", self._rules_text)))
            self._told = 0
        self._process.begin_answer()
        self._tell(self._process)
        self._process.send(line_of(asked(ask, self._spec.time_limit)))
        return self._process

    async def _start(self) -> ProgramProcess:
        self._starts += 1
        try:
            return await ProgramProcess.start(self._words, self._environment, self._errors)
        except OSError as error:
            raise PausedError(f"the program {quoted(self._spec.who)} cannot be started: {error.strerror}.") from error

    def _note(self, ask: Ask) -> None:
        """Keep the events that come with a question, once."""
        if ask.number != self._number:
            self._number = ask.number
            self._happened += ask.told

    def _tell(self, process: ProgramProcess) -> None:
        if events := self._happened[self._told :]:
            process.send(line_of(told(events)))
            self._told = len(self._happened)

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.kill()

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Keep what happened, for the program that is started at the first question that the log does not answer."""
        self._note(ask)

    async def end(self, told: Sequence[Event], result: Record | None) -> None:
        """Tell the program the rest and the result, and have it exit."""
        process, self._process = self._process, None
        if process is not None:
            self._happened += told
            self._tell(process)
            process.send(line_of(ended(result)))
            self.had_to_be_killed = not await process.end()


def _seconds_since(begun: float) -> float:
    return round(time.monotonic() - begun, 3)
