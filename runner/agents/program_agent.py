"""Program agent: a seat that a program plays, by lines of JSON on its standard input and output."""

import asyncio
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from games.core import Event, quoted
from runner.agents.program_messages import Ignored, Wish, asked, ended, hello, line_of, read_reply, told
from runner.agents.program_process import ErrorOutput, ProgramFailure, ProgramProcess
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, JsonRecord, Report
from runner.errors import PausedError

_STARTS = 2
"""How often a program is started in one run of a match."""

Ignore = Callable[[DecisionRequest, bytes], None]
"""Called with a line that is not counted: a reply to an older question, or a blank line."""


class ProgramAgent(Agent):
    """A program, started at its first question. One that exits, hangs or floods is started again once; then the match pauses.

    A program that is started in the middle of a match first gets all events so far. `words` is the command line;
    `errors` is the file for its standard error; `ignore` gets the lines that do not count. `had_to_be_killed`: it did not exit
    at the end of the match.
    """

    def __init__(
        self,
        who: str,
        time_limit: float,
        words: Sequence[str],
        environment: Mapping[str, str],
        name: str,
        rules_text: str,
        errors: Path | None = None,
        ignore: Ignore = lambda ask, line: None,
    ) -> None:
        self._who, self._time_limit, self._words, self._environment = who, time_limit, words, environment
        self._name, self._rules_text = name, rules_text
        self._errors = ErrorOutput(errors)
        self.ignore = ignore
        self.had_to_be_killed = False
        self._process: ProgramProcess | None = None
        self._worlds: int | None = None
        self._has_answered = False
        self._starts = 0
        self._happened: list[Event] = []
        self._told = 0
        self._number = -1

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The program's answer or mistake. PausedError when it gives none although it was started again."""
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
                    raise PausedError(f"the program {quoted(self._who)} {failure}.") from None

    async def _answer(self, ask: DecisionRequest) -> AgentReply:
        limit = self._time_limit
        self._note(ask)
        process = self._process = self._process or await self._started(ask)
        try:
            async with asyncio.timeout(limit):
                process.begin_answer()
                self._tell(process)
                process.send(line_of(asked(ask, limit, self._worlds)))
                while True:
                    line = await process.line()
                    found = read_reply(line, ask.number, takes_wish=not self._has_answered)
                    if isinstance(found, Ignored):
                        self.ignore(ask, line)
                        continue
                    self._has_answered = True
                    if not isinstance(found, Wish):
                        return found
                    self._worlds = found.worlds
                    process.send(line_of(asked(ask, limit, self._worlds)))
        except TimeoutError:
            raise ProgramFailure("timeout", f"gave no answer within {limit:g} s") from None

    async def _started(self, ask: DecisionRequest) -> ProgramProcess:
        """A process, which has been told of the match."""
        self._starts += 1
        process = ProgramProcess(self._errors)
        try:
            await process.start(self._words, self._environment)
        except OSError as error:
            raise PausedError(f"the program {quoted(self._who)} cannot be started: {error.strerror}.") from error
        process.send(line_of(hello(ask, self._name or f"P-{ask.seat}", self._rules_text)))
        self._told, self._worlds, self._has_answered = 0, None, False
        return process

    def _note(self, ask: DecisionRequest) -> None:
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
            await process.end(at_once=True)
            self._note_left(process)

    def remember(self, ask: DecisionRequest, attempt: JsonRecord) -> None:
        """Keep what happened, for the program that is started at the first question that the log does not answer."""
        self._note(ask)

    async def end(self, told: Sequence[Event], result: JsonRecord | None) -> None:
        """Tell the program the rest and the result, and have it exit."""
        process, self._process = self._process, None
        if process is not None:
            self._happened += told
            self._tell(process)
            process.send(line_of(ended(result)))
            self.had_to_be_killed = not await process.end()
            self._note_left(process)

    def _note_left(self, process: ProgramProcess) -> None:
        """Say what the program has started that could not be ended."""
        left, process.left = process.left, ""
        if left:
            with suppress(OSError):
                sys.stderr.write(f"Note: {quoted(self._who)} has left what cannot be ended: {left!a}.\n")


def _seconds_since(begun: float) -> float:
    return round(time.monotonic() - begun, 3)
